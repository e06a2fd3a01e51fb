"""The files app: folders, what is in them, one file."""

from device.handset.screens.layout import Page
from device.handset.screens.registry import screen
from device.sandbox.rows.folders import Folder, TrashedFile
from device.sandbox.rows.storage import File


@screen("files/folders", app="Files")
def folders(page: Page) -> None:
    """The folders of the shared storage."""
    page.bar("Files", up=False, actions=(("New folder", page.go("files/new_folder")),))
    rows = page.phone.table(File).all()
    for folder in page.phone.table(Folder).all():
        count = sum(row.folder == folder.name for row in rows)
        page.item(folder.name, f"{count} item{'' if count == 1 else 's'}", page.go("files/folder", folder=folder.name))


@screen("files/folder", app="Files")
def folder(page: Page) -> None:
    """One folder."""
    name = page.route.args["folder"]
    page.bar(name)
    rows = [row for row in page.phone.table(File).all() if row.folder == name]
    for row in rows:
        page.item(row.name, f"{row.size_mb} MB, {row.modified}", page.go("files/file", id=row.id))
    if not rows:
        page.text("No items", rid="message")


@screen("files/file", app="Files")
def file(page: Page) -> None:
    """One file: rename or delete."""
    row = page.phone.table(File).get(page.route.args["id"])
    page.bar(row.name if row else "File")
    if row is None:
        page.text("This file is gone")
        return
    page.text(f"{row.kind}, {row.size_mb} MB, {row.folder}")
    page.edit("name", "Name", row.name)

    def rename() -> None:
        if page.field("name").strip():
            page.phone.table(File).update(row, name=page.field("name").strip())
            page.ui.back()

    page.buttons(("Rename", rename), ("Delete", page.go("files/confirm_delete", id=row.id)), rids=("rename", "delete"))


@screen("files/confirm_delete", app="Files")
def confirm_delete(page: Page) -> None:
    """Asked once more."""
    page.dialog()
    row = page.phone.table(File).get(page.route.args["id"])
    page.text(f'Delete "{row.name if row else ""}"?', rid="android:id/message", heading=True)

    def delete() -> None:
        if row:
            gone = TrashedFile(page.phone.new_id("trash"), row.name, row.kind, row.size_mb, row.folder, row.modified)
            page.phone.table(TrashedFile).insert(gone)
            page.phone.table(File).delete(row)
        page.ui.back()
        page.ui.back()

    page.buttons(("Cancel", page.ui.back), ("OK", delete), rids=("android:id/button2", "android:id/button1"))


@screen("files/new_folder", app="Files")
def new_folder(page: Page) -> None:
    """Name a new folder."""
    page.dialog()
    page.text("New folder", rid="android:id/alertTitle", heading=True)
    page.edit("name", "Folder name", rid="android:id/text1")

    def create() -> None:
        name = page.field("name").strip()
        if name and page.phone.table(Folder).get(name) is None:
            page.phone.table(Folder).insert(Folder(name))
        page.ui.back()

    page.buttons(("Cancel", page.ui.back), ("OK", create), rids=("android:id/button2", "android:id/button1"))
