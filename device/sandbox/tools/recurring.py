"""Whether and when a repeated thing happens: the RRULE subset that `device.spoken` writes, over plain dates.

Understands FREQ, INTERVAL, BYDAY (with an ordinal for monthly rules), BYMONTHDAY (-1 for the last day) and BYMONTH.
"""

import calendar
from datetime import date, datetime, timedelta

CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
HORIZON_DAYS = 800
"""How far ahead the next occurrence is looked for: two years and a little."""


def happens_on(repeat: str, start: date, day: date) -> bool:
    """Whether what starts on `start` and repeats by `repeat` ("" for once) happens on `day`."""
    if day < start:
        return False
    if not repeat or repeat == "ONCE":
        return day == start
    parts = dict(part.split("=", 1) for part in repeat.split(";"))
    interval = int(parts.get("INTERVAL", "1"))
    if "BYMONTH" in parts and day.month != int(parts["BYMONTH"]):
        return False
    match parts["FREQ"]:
        case "DAILY":
            return (day - start).days % interval == 0
        case "WEEKLY":
            weeks = (_monday(day) - _monday(start)).days // 7
            days = parts.get("BYDAY", CODES[start.weekday()]).split(",")
            return weeks % interval == 0 and CODES[day.weekday()] in days
        case "MONTHLY":
            months = (day.year - start.year) * 12 + day.month - start.month
            return months % interval == 0 and _is_day_of_month(parts, start, day)
        case "YEARLY":
            same = "BYMONTH" in parts or day.month == start.month
            return (day.year - start.year) % interval == 0 and same and _is_day_of_month(parts, start, day)
    return True  # minutely and hourly rules happen every day


def next_date(repeat: str, start: date, today: date) -> date | None:
    """The first day from `today` on (and not before `start`) on which it happens; None where it is over."""
    day = max(start, today)
    for _ in range(HORIZON_DAYS):
        if happens_on(repeat, start, day):
            return day
        if not repeat or repeat == "ONCE":
            return None
        day += timedelta(days=1)
    return None


def coming(now: datetime, time: str) -> date:
    """The day on which the clock next shows `time` ("HH:MM"): today, or tomorrow where that has passed."""
    today = now.date()
    return today if time > now.strftime("%H:%M") else today + timedelta(days=1)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _is_day_of_month(parts: dict[str, str], start: date, day: date) -> bool:
    """Whether `day` is the day of its month that the rule names, or that of `start` where it names none."""
    last = calendar.monthrange(day.year, day.month)[1]
    if "BYMONTHDAY" in parts:
        wanted = int(parts["BYMONTHDAY"])
        return day.day == (last if wanted == -1 else wanted)
    if "BYDAY" in parts:
        code, ordinal = parts["BYDAY"][-2:], parts["BYDAY"][:-2]
        if CODES[day.weekday()] != code:
            return False
        return not ordinal or (last - day.day < 7 if ordinal == "-1" else (day.day - 1) // 7 + 1 == int(ordinal))
    return day.day == start.day
