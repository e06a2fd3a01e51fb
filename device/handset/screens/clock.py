"""The clock app: alarms, timers, stopwatch."""

from datetime import datetime
from functools import partial

from device.handset.screens.layout import Page
from device.handset.screens.registry import screen
from device.handset.state.intents import insert_timer, next_day
from device.sandbox.rows.time_management import WEEKDAYS, Alarm, Countdown, Stopwatch

_REPEATS = (("Once", ""), ("Every day", "FREQ=DAILY"), ("Weekdays", WEEKDAYS))
_DAYS = {"MO": "Mon", "TU": "Tue", "WE": "Wed", "TH": "Thu", "FR": "Fri", "SA": "Sat", "SU": "Sun"}
_ACTIVITY = "com.android.deskclock.DeskClock"


def _repeat(alarm: Alarm) -> str:
    if not alarm.repeat:
        return alarm.date
    days = alarm.repeat.partition("BYDAY=")[2].partition(";")[0]
    shown = ", ".join(_DAYS.get(day, day) for day in days.split(",")) if days else alarm.repeat.lower()
    return next((name for name, rule in _REPEATS if rule == alarm.repeat), shown)


def _tabs(page: Page, chosen: str) -> None:
    places = {"Alarm": "clock/alarms", "Timer": "clock/timers", "Stopwatch": "clock/stopwatch"}
    page.tabs(list(places), chosen, lambda label: page.ui.replace(places[label]))


@screen("clock/alarms", app="Clock")
def alarms(page: Page) -> None:
    """All alarms; a tap opens one."""
    page.bar("Alarm", up=False)
    _tabs(page, "Alarm")
    rows = sorted(page.phone.table(Alarm).all(), key=lambda row: row.time)
    for row in rows:
        page.item(row.time, " · ".join(filter(None, (row.title, _repeat(row)))), page.go("clock/alarm", id=row.id))
    if not rows:
        page.text("No alarms", rid="alarms_empty_view")
    page.fab("Add alarm", page.go("clock/alarm", id=""))


@screen("clock/alarm", app="Clock", activity="com.android.deskclock.alarms.AlarmActivity")
def alarm(page: Page) -> None:
    """One alarm: time, label, repeat."""
    row = page.phone.table(Alarm).get(page.route.args["id"])
    page.bar("Edit alarm" if row else "Add alarm")
    hour, _, minute = (row.time if row else f"{page.phone.now:%H:%M}").partition(":")
    page.edit("hour", "Hour (0-23)", hour)
    page.edit("minute", "Minute", minute)
    page.edit("label", "Label", row.title if row else "")
    chosen = page.field("repeat", row.repeat if row else "")
    for name, rule in _REPEATS:
        page.choice(name, rule == chosen, partial(page.route.fields.update, repeat=rule))

    def save() -> None:
        entered, minutes = page.field("hour"), page.field("minute")
        if not (entered.isdigit() and minutes.isdigit() and int(entered) < 24 and int(minutes) < 60):
            page.ui.say("Enter a valid time")
            return
        time = f"{int(entered):02d}:{int(minutes):02d}"
        columns = {"time": time, "title": page.field("label"), "repeat": page.field("repeat")}
        columns["date"] = next_day(page.phone.now, time)
        table = page.phone.table(Alarm)
        if row:
            table.update(row, **columns)
        else:
            table.insert(Alarm(page.phone.new_id("alarm"), **columns))
        page.ui.say(f"Alarm set for {time}")
        page.ui.back()

    page.buttons(("Save", save), rids=("save",))

    def delete() -> None:
        if row:
            page.phone.table(Alarm).delete(row)
        page.ui.back()

    if row:
        page.buttons(("Delete", delete), rids=("delete",))


@screen("clock/timers", app="Clock")
def timers(page: Page) -> None:
    """Countdowns, and one to add."""
    page.bar("Timer", up=False)
    _tabs(page, "Timer")
    for row in page.phone.table(Countdown).all():
        page.item(row.label, row.state, page.go("clock/timer", id=row.id))
    page.edit("minutes", "Minutes")
    page.edit("label", "Label")

    def start() -> None:
        minutes = page.field("minutes")
        if not minutes.isdigit() or int(minutes) == 0:
            page.ui.say("Enter the minutes")
            return
        seconds = int(minutes) * 60
        insert_timer(page.phone, page.field("label"), seconds)
        page.route.fields.clear()

    page.buttons(("Start", start), rids=("timer_start",))


@screen("clock/timer", app="Clock")
def timer(page: Page) -> None:
    """One countdown."""
    row = page.phone.table(Countdown).get(page.route.args["id"])
    page.bar(row.label if row else "Timer")
    if row is None:
        page.text("This timer is gone")
        return
    page.text(f"{row.seconds // 60} min, {row.state}")

    def delete() -> None:
        page.phone.table(Countdown).delete(row)
        page.ui.back()

    page.buttons(("Delete timer", delete), rids=("timer_delete",))


@screen("clock/stopwatch", app="Clock")
def stopwatch(page: Page) -> None:
    """Start, stop, reset."""
    page.bar("Stopwatch", up=False)
    _tabs(page, "Stopwatch")
    row = page.phone.one(Stopwatch)
    now = page.phone.now
    running = int((now - datetime.fromisoformat(row.started_at)).total_seconds()) if row.running else 0
    page.text(f"{row.elapsed + running} s", rid="stopwatch_time_text")

    def flip() -> None:
        moment = now.isoformat(timespec="seconds")
        if row.running:
            page.phone.change(Stopwatch, running=False, started_at="", elapsed=row.elapsed + running)
        else:
            page.phone.change(Stopwatch, running=True, started_at=moment)

    def reset() -> None:
        page.phone.change(Stopwatch, running=False, started_at="", elapsed=0, laps=())

    page.buttons(("Stop" if row.running else "Start", flip), ("Reset", reset), rids=("fab", "reset"))
