"""The calendar app: events, and one to add or change."""

import re

from device.handset.screens.layout import Page
from device.handset.screens.registry import screen
from device.sandbox.rows.time_management import Event


@screen("calendar/events", app="Calendar")
def events(page: Page) -> None:
    """What comes, by day."""
    page.bar("Calendar", up=False)
    for row in sorted(page.phone.table(Event).all(), key=lambda row: (row.date, row.time)):
        when = f"{row.date} {row.time or 'all day'}"
        page.item(row.event, " · ".join(filter(None, (when, row.location))), page.go("calendar/event", id=row.id))
    page.fab("Create event", page.go("calendar/event", id=""), rid="floating_action_button")


@screen("calendar/event", app="Calendar", activity="com.android.event.LaunchInfoActivity")
def event(page: Page) -> None:
    """One event."""
    row = page.phone.table(Event).get(page.route.args["id"])
    given = page.route.args
    page.bar("Edit event" if row else "New event")
    page.edit("title", "Add title", row.event if row else given.get("title", ""))
    page.edit("date", "Date (YYYY-MM-DD)", row.date if row else given.get("date", page.phone.now.date().isoformat()))
    page.edit("time", "Time (HH:MM)", row.time if row else given.get("time", ""))
    page.edit("location", "Add location", row.location if row else given.get("location", ""))

    def save() -> None:
        title, date, time = page.field("title").strip(), page.field("date"), page.field("time")
        if not title or not re.fullmatch(r"\d{4}-\d\d-\d\d", date) or not re.fullmatch(r"(\d\d:\d\d)?", time):
            page.ui.say("Enter a title, a date and a time")
            return
        table = page.phone.table(Event)
        columns = {"event": title, "date": date, "time": time, "location": page.field("location")}
        if row:
            table.update(row, **columns)
        else:
            table.insert(Event(page.phone.new_id("event"), **columns))
        page.ui.back()

    def delete() -> None:
        if row:
            page.phone.table(Event).delete(row)
        page.ui.back()

    page.buttons(("Save", save), rids=("save",))
    if row:
        page.buttons(("Delete", delete), rids=("delete",))
