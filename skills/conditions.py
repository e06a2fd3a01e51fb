"""`requires` and `ensures` of a Skill: one line each, over the results of calls.

    requires   TARGET: SOURCE PATH OP VALUE    before TARGET runs, the last result of SOURCE must say so
    requires   TARGET: SOURCE? PATH OP VALUE   the same, but only where SOURCE was called at all
    ensures    TARGET: PATH OP VALUE           the result of TARGET itself must say so

TARGET and SOURCE are `manage_wifi` or `manage_wifi(action=enable)`. PATH is `casting.status` or `networks.0.name`. OP
is `=`, `!=`, `has`, `<=`, `>=` or `exists`, which takes no value. VALUE is JSON, a bare text, or `$name`: an argument
of the call.

    control_screen_casting(action=start): control_screen_casting? casting.status != casting
    manage_bluetooth(action=connect): manage_bluetooth? bluetooth = true
    control_device_power(action=power_off): manage_note(action=create)? note.id exists
"""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

from pydantic import Field

from runtime.contract import Json, Record

CALL = r"[a-z][a-z0-9_]*(?:\([^()]*\))?"
FORM = re.compile(
    rf"(?P<target>{CALL})\s*:\s*(?:(?P<source>{CALL})(?P<optional>\?)?\s+)??"
    r"(?P<path>[A-Za-z_][\w.]*)\s+(?P<op>=|!=|<=|>=|has|exists)(?:\s+(?P<value>\S.*))?"
)
ARGUMENT = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*([^,=()]+?)\s*")
MISSING = object()
"""What a path leads to where there is nothing."""
Op = Literal["=", "!=", "has", "<=", ">=", "exists"]


class Pattern(Record):
    """Calls of one tool with some arguments."""

    name: str
    """The tool."""
    arguments: dict[str, str] = Field(default_factory=dict)
    """Argument to value, as text."""

    def fits(self, name: str, arguments: Mapping[str, Any]) -> bool:
        """Whether a call is one of them."""
        return name == self.name and all(
            str(arguments.get(key, "")).casefold() == value.casefold() for key, value in self.arguments.items()
        )


class Condition(Record):
    """One line, taken apart."""

    target: Pattern
    """The calls that it is about."""
    source: Pattern | None = None
    """Whose last result is read; None: the target's own."""
    optional: bool = False
    """Holds where `source` was never called."""
    path: tuple[str, ...]
    """Where in the result."""
    op: Op
    """How it is compared."""
    value: Any = None
    """With what."""

    def holds(self, data: Json, arguments: Mapping[str, Any]) -> tuple[bool, Any]:
        """Whether a result says so, and what it says; `arguments` are the target's. Nothing found is None."""
        found = at(data, self.path)
        wanted = self.value
        if isinstance(wanted, str) and wanted.startswith("$"):
            wanted = arguments.get(wanted[1:])
        return compared(found, self.op, wanted), None if found is MISSING else found


@lru_cache(maxsize=1024)
def parse_condition(text: str, needs_source: bool) -> Condition:
    """The condition that a line holds; `ValueError` says what is expected."""
    form = FORM.fullmatch(" ".join(text.split()))
    shape = "`call: call path = value`" if needs_source else "`call: path = value`"
    if form is None or (form["source"] is not None) is not needs_source:
        raise ValueError(f"must be {shape}, with `=`, `!=`, `has`, `<=`, `>=` or `exists`")
    if (form["value"] is None) is not (form["op"] == "exists"):
        raise ValueError("must have a value after every comparison but `exists`")
    return Condition(
        target=_pattern(form["target"]),
        source=None if form["source"] is None else _pattern(form["source"]),
        optional=form["optional"] is not None,
        path=tuple(form["path"].split(".")),
        op=form["op"],
        value=None if form["value"] is None else _value(form["value"]),
    )


def _pattern(text: str) -> Pattern:
    name, _, inside = text.rstrip(")").partition("(")
    arguments: dict[str, str] = {}
    for part in inside.split(",") if inside.strip() else []:
        match = ARGUMENT.fullmatch(part)
        if match is None:
            raise ValueError(f"must give arguments as `name(action=enable)`, not `{part.strip()[:40]}`")
        arguments[match[1]] = match[2]
    return Pattern(name=name, arguments=arguments)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def at(data: Any, path: tuple[str, ...]) -> Any:
    """What stands at a path of keys and indices, or MISSING."""
    for key in path:
        if isinstance(data, Mapping) and key in data:
            data = data[key]
        elif isinstance(data, list | tuple) and key.isdigit() and int(key) < len(data):
            data = data[int(key)]
        else:
            return MISSING
    return data


def compared(found: Any, op: Op, wanted: Any) -> bool:
    """Whether `found op wanted`; nothing holds of what is missing, except that it is not equal."""
    if op == "exists":
        return found is not MISSING and found not in (None, "", [], {})
    if op == "!=":
        return not _same(found, wanted)
    if found is MISSING:
        return False
    if op == "=":
        return _same(found, wanted)
    if op == "has":
        return any(_same(one, wanted) for one in found) if isinstance(found, list | tuple) else (
            isinstance(found, str) and str(wanted).casefold() in found.casefold())  # fmt: skip
    if isinstance(found, bool) or not isinstance(found, int | float) or not isinstance(wanted, int | float):
        return False
    return found <= wanted if op == "<=" else found >= wanted


def _same(found: Any, wanted: Any) -> bool:
    if isinstance(found, str) and isinstance(wanted, str):
        return found.casefold() == wanted.casefold()
    return bool(found == wanted) and isinstance(found, bool) is isinstance(wanted, bool)
