"""The notes app."""

from device.handset.screens.layout import Page
from device.handset.screens.registry import screen
from device.sandbox.rows.utilities import Note


@screen("notes/list", app="Notes")
def notes(page: Page) -> None:
    """All notes."""
    page.bar("Notes", up=False)
    for note in page.phone.table(Note).all():
        page.item(note.title or note.content[:40], note.content, page.go("notes/note", id=note.id))
    page.fab("New note", page.go("notes/note", id=""))


@screen("notes/note", app="Notes", activity=".EditActivity")
def note(page: Page) -> None:
    """One note."""
    row = page.phone.table(Note).get(page.route.args["id"])
    page.bar("Note")
    page.edit("title", "Title", row.title if row else page.route.args.get("title", ""))
    page.edit("content", "Note", row.content if row else page.route.args.get("content", ""))

    def save() -> None:
        content = page.field("content")
        if not content.strip():
            page.ui.say("Empty note not saved")
            return
        columns = {"content": content, "title": page.field("title")}
        columns["changed"] = page.phone.now.isoformat(timespec="minutes")
        table = page.phone.table(Note)
        if row:
            table.update(row, **columns)
        else:
            table.insert(Note(page.phone.new_id("note"), **columns))
        page.ui.back()

    def delete() -> None:
        if row:
            page.phone.table(Note).delete(row)
        page.ui.back()

    page.buttons(("Save", save), rids=("save",))
    if row:
        page.buttons(("Delete", delete), rids=("delete",))
