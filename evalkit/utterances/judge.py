"""One decision against the gold of its row.

The tool is right when the first action is a call of it. The call is exact when it is the only one and all
arguments are equal that are not free: spoken values as `device.spoken` reads them at a fixed clock, other text folded;
where a side can't be read, the words are compared. A row that must be declined is right when no call is made.
"""

from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Any

from device.spoken import (
    Unreadable,
    fold_text,
    read_duration,
    read_money,
    read_number,
    read_percent,
    read_phone_number,
    read_recurrence,
    read_when,
)
from evalkit.utterances.mapping import Gold
from runtime.arguments import ArgumentCheck
from runtime.contract import Decision, Json, ParseError, Record, ToolCall, ToolSpec

CLOCK = datetime(2026, 3, 2, 9, 0)
"""Spoken values are read at this time."""


class Judged(Record):
    """What a decision is worth."""

    tool: bool = False
    """The right tool was called."""
    exact: bool = False
    """And with the right arguments."""
    declined: bool = False
    """No call was made: asked, refused or finished."""
    malformed: bool = False
    """The action could not be read, or broke the tool's schema."""
    recalled: bool = True
    """The right tool was among those that recall gave."""
    seconds: float = 0.0
    """Wall time of the decision."""
    output_tokens: int = 0
    """Generated tokens."""


def judge(gold: Gold, decision: Decision, tools: dict[str, ToolSpec]) -> Judged:
    """Compare the first action with the gold."""
    first = decision.actions[0]
    called = first if isinstance(first, ToolCall) else None
    right = called is not None and called.name == gold.tool
    spec = tools.get(called.name) if called else None
    return Judged(
        tool=right,
        exact=right
        and len(decision.actions) == 1
        and called is not None
        and spec is not None
        and same_call(gold, called.arguments, spec),
        declined=called is None and not isinstance(first, ParseError),
        malformed=isinstance(first, ParseError) or (called is not None and _broken(called, spec)),
        output_tokens=decision.usage.output_tokens,
    )


def _broken(call: ToolCall, spec: ToolSpec | None) -> bool:
    return spec is None or ArgumentCheck().problem(spec, call.arguments) is not None


def same_call(gold: Gold, arguments: Json, spec: ToolSpec) -> bool:
    """Whether all arguments that are scored are equal."""
    properties = spec.parameters.get("properties", {})
    names = (set(gold.arguments) | set(arguments)) - gold.free
    return all(
        name in gold.arguments
        and name in arguments
        and same_value(gold.arguments[name], arguments[name], properties.get(name, {}))
        for name in names
    )


def same_value(said: str, found: Any, schema: Json) -> bool:
    """Whether two values of one argument are the same."""
    if "enum" in schema:
        return bool(said == found)
    kind = schema.get("x-spoken", "text")
    left, right = normal(kind, said), normal(kind, str(found))
    if left is not None and right is not None:
        return bool(left == right)
    return fold_text(said) == fold_text(str(found))


@lru_cache(maxsize=50_000)
def normal(kind: str, said: str) -> Any:
    """The canonical value of a spoken kind; None where it can't be read or the kind is free text."""
    readers: dict[str, Callable[[], Any]] = {
        "time": lambda: str(read_when(said, CLOCK, "time")),
        "date": lambda: str(read_when(said, CLOCK, "date")),
        "moment": lambda: str(read_when(said, CLOCK)),
        "duration": lambda: read_duration(said),
        "recurrence": lambda: read_recurrence(said, CLOCK),
        "number": lambda: read_number(said),
        "percent": lambda: read_percent(said),
        "amount": lambda: read_money(said, default="USD"),
        "phone_number": lambda: read_phone_number(said),
    }
    if kind not in readers:
        return None
    try:
        return readers[kind]()
    except Unreadable:
        return None
