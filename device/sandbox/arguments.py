"""From what the planner wrote to what the tool receives: one compiled reader per argument.

1. A reader checks the JSON type and enumeration of one argument and gives its canonical value; it is made once,
   from the type in the signature. The schema that the planner sees is made from the same types.
2. Values that are said in many ways go through `device.spoken` against the phone's clock; what is unreadable is
   `bad_argument` with the value, the argument and a form that works. Readings are remembered per clock time.
3. A time said with its day ("half past seven tomorrow") fills `date` and `repeat` where the caller left them out, and a
   day said with a clock time fills `time`: nothing of what was said is dropped.
"""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from device.sandbox.errors import bad_argument
from device.sandbox.types import Kind
from device.spoken import (
    Unreadable,
    read_date,
    read_duration,
    read_money,
    read_number,
    read_percent,
    read_phone_number,
    read_recurrence,
    read_time,
    read_when,
)
from runtime.contract import Json

Reader = Callable[[Any, datetime], Any]
"""(value as given, now) -> canonical value; raises `ToolFailure`."""
_STEP = re.compile(
    r"\s*(?:(?P<up>\+|up by |up |by |plus |another )|(?P<down>-|−|down by |down |minus ))\s*(?P<rest>.+)", re.I
)
TYPE_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
_SHOWN = 60


def _percent(said: str, _: datetime) -> int | str:
    step = _STEP.fullmatch(said)
    value = read_percent(step["rest"] if step else said)
    if value != value.to_integral_value():
        raise Unreadable(said, "percent", "say a whole share from 0 to 100 such as `50%`")
    return f"{'+' if step['up'] else '-'}{int(value)}" if step else int(value)


def _money(said: str, _: datetime) -> tuple[str, str]:
    value, currency = read_money(said, default="USD")
    if value != round(value, 2):
        raise Unreadable(said, "money", "say an amount with at most two decimals such as `12.50 dollars`")
    return f"{value:.2f}", currency


def _duration(said: str, _: datetime) -> int:
    seconds = read_duration(said)
    if seconds < 1:
        raise Unreadable(said, "duration", "say a length of at least one second such as `10 minutes`")
    return seconds


def _text(said: str, _: datetime) -> str:
    return said.strip()


READ: dict[Kind, Callable[[str, datetime], Any]] = {
    "time": read_time,
    "date": read_date,
    "moment": lambda said, now: str(read_when(said, now)),
    "duration": _duration,
    "recurrence": read_recurrence,
    "number": lambda said, _: float(read_number(said)),
    "percent": _percent,
    "amount": _money,
    "contact": _text,
    "phone_number": lambda said, _: read_phone_number(said),
    "text": _text,
}
"""How each kind is read."""


@lru_cache(maxsize=16_384)
def read_spoken(kind: Kind, said: str, now: datetime) -> Any:
    """The canonical value, remembered; money comes as (amount, currency)."""
    return READ[kind](said, now)


def spoken_reader(name: str, kind: Kind) -> Reader:
    """Reads a value as said."""

    def read(value: Any, now: datetime) -> Any:
        if type(value) is not str:
            value = _as_said(name, value)
        if not value or value.isspace():
            raise bad_argument(f"`{name}` is empty; say a value or leave it out", argument=name, value=value)
        try:
            return read_spoken(kind, value, now)
        except Unreadable as error:
            raise bad_argument(f"`{name}`: {error}", argument=name, value=value[:200], kind=kind) from None

    def read_text(value: Any, _: datetime) -> str:
        said: str = value.strip() if type(value) is str else _as_said(name, value)
        if not said:
            raise bad_argument(f"`{name}` is empty; say a value or leave it out", argument=name, value=value)
        return said

    def read_amount(value: Any, now: datetime) -> dict[str, str]:
        if type(value) is dict and set(value) == {"amount", "currency"}:
            value = f"{value['currency']} {value['amount']}"
        amount, currency = read(value, now)
        return {"amount": amount, "currency": currency}

    if kind in ("text", "contact"):
        return read_text
    return read_amount if kind == "amount" else read


def _as_said(name: str, value: Any) -> str:
    if type(value) in (int, float):
        return str(value)
    raise wrong_type(name, value, "text")


def plain_reader(name: str, cls: type) -> Reader:
    """Reads a value of a plain JSON type."""

    def read(value: Any, _: datetime) -> Any:
        if type(value) is cls:
            return value
        if cls is float and type(value) is int:
            return float(value)
        if cls is int and type(value) is float and value.is_integer():
            return int(value)
        raise wrong_type(name, value, TYPE_NAMES[cls])

    return read


def enum_reader(name: str, options: tuple[str, ...]) -> Reader:
    """Reads one of a closed list."""
    valid = frozenset(options)

    def read(value: Any, _: datetime) -> str:
        if type(value) is str and value in valid:
            return value
        listed = ", ".join(f"`{option}`" for option in options)
        message = f"`{name}` is {_shown(value)}; it must be one of {listed}"
        raise bad_argument(message, argument=name, value=value, valid=list(options))

    return read


def wrong_type(name: str, value: Any, wanted: str) -> Exception:
    """The failure for a value of another JSON type."""
    return bad_argument(f"`{name}` is {_shown(value)}; it must be {wanted}", argument=name, value=value)


def _shown(value: Any) -> str:
    text = str(value) if not isinstance(value, bool) else str(value).lower()
    return f"`{text}`" if len(text) <= _SHOWN else f"`{text[:_SHOWN]}...` ({len(text)} characters)"


class Arguments:
    """The compiled readers of one tool."""

    __slots__ = ("_fills", "_readers", "_required", "_tool")

    def __init__(self, tool: str, readers: Mapping[str, Reader], required: tuple[str, ...], kinds: Mapping[str, Kind]):
        self._tool = tool
        self._readers = dict(readers)
        self._required = required
        by_name = {"time": "time", "date": "date", "repeat": "recurrence"}
        self._fills = tuple(name for name, kind in by_name.items() if kinds.get(name) == kind)

    def read(self, given: Json, now: datetime) -> Json:
        """Canonical arguments; raises `ToolFailure` naming the first one that is wrong."""
        readers = self._readers
        canonical: Json = {}
        for name, value in given.items():
            reader = readers.get(name)
            if reader is None:
                raise self._unknown(name)
            if value is not None:
                canonical[name] = reader(value, now)
        for name in self._required:
            if name not in canonical:
                raise bad_argument(f"`{self._tool}` needs `{name}`", argument=name, required=list(self._required))
        if len(self._fills) > 1:
            self._fill(given, canonical, now)
        return canonical

    def _fill(self, given: Json, canonical: Json, now: datetime) -> None:
        for name in self._fills[:2]:
            said = given.get(name)
            if type(said) is not str or said == canonical[name]:
                continue
            found = read_whole(name, said, now)
            parts = {"time": None if found.part and name == "date" else found.time, "date": found.date}
            parts["repeat"] = found.recurrence
            for other in self._fills:
                value = parts[other]
                if value is not None and canonical.setdefault(other, value) != value and other == "date":
                    message = (
                        f"`{name}` is `{said}`, which is {value}, but `{other}` is {canonical[other]}; say one of them"
                    )
                    raise bad_argument(message, argument=other, value=given[other])

    def _unknown(self, name: str) -> Exception:
        valid = list(self._readers)
        listed = ", ".join(f"`{option}`" for option in valid) or "none"
        return bad_argument(f"`{self._tool}` has no argument `{name}`; it takes {listed}", argument=name, valid=valid)


@lru_cache(maxsize=4_096)
def read_whole(name: str, said: str, now: datetime) -> Any:
    """All that a phrase for a time or a date says."""
    return read_when(said, now, "time" if name == "time" else "date")


def forget_readings() -> None:
    """Drop every remembered reading (a measurement without cache needs this)."""
    read_spoken.cache_clear()
    read_whole.cache_clear()
