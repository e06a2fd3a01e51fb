"""Other readers of dates and times, each behind one function, for `measure.py` alone; none is needed to run."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from importlib import import_module
from typing import Any, Final

from device.spoken.draft import Want

UNREAD: Final = "unreadable"
Reader = Callable[[str, datetime, Want], str]
"""What was said, the clock and the kind of slot, to canonical text, a date-time as ISO 8601, or `UNREAD`."""


def _stamp(found: Any) -> str:
    """A library's answer as text: a date-time, or two with a slash."""
    if isinstance(found, tuple | list):
        return "/".join(_stamp(part) for part in found)
    return found.isoformat() if hasattr(found, "isoformat") else str(found) if found else UNREAD


def _dateparser() -> Reader:
    parse = import_module("dateparser").parse

    def read(said: str, now: datetime, want: Want) -> str:
        return _stamp(parse(said, languages=["en"], settings={"RELATIVE_BASE": now, "PREFER_DATES_FROM": "future"}))

    return read


def _parsedatetime() -> Reader:
    calendar = import_module("parsedatetime").Calendar()

    def read(said: str, now: datetime, want: Want) -> str:
        found, kind = calendar.parseDT(said, now)
        return _stamp(found) if kind else UNREAD

    return read


def _recurrent() -> Reader:
    event = import_module("recurrent").RecurringEvent

    def read(said: str, now: datetime, want: Want) -> str:
        return _stamp(event(now_date=now).parse(said)).removeprefix("RRULE:")

    return read


def _timefhuman() -> Reader:
    module = import_module("timefhuman")

    def read(said: str, now: datetime, want: Want) -> str:
        found = module.timefhuman(said, config=module.tfhConfig(now=now))
        return _stamp(found[0] if len(found) == 1 else found) if found else UNREAD

    return read


def _ctparse() -> Reader:
    parse = import_module("ctparse").ctparse

    def read(said: str, now: datetime, want: Want) -> str:
        found: Any = getattr(parse(said, ts=now, timeout=1), "resolution", None)
        if hasattr(found, "t_from"):
            return _stamp([part.dt for part in (found.t_from, found.t_to) if part])
        return _stamp(getattr(found, "dt", None))

    return read


LIBRARIES: Final[dict[str, Callable[[], Reader]]] = {
    "dateparser": _dateparser,
    "parsedatetime": _parsedatetime,
    "recurrent": _recurrent,
    "timefhuman": _timefhuman,
    "ctparse": _ctparse,
}
"""Libraries that are measured where they are installed; none is needed."""
