"""From recorded tools to the sandbox's, by the data file `map.toml` alone.

What the map does not name is taken as it stands: a tool of the same name, its arguments by their names, its results not
compared. A tool, an argument or a value that neither the map nor the sandbox knows is an `UnknownFormError`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from pydantic import Field

from evalkit.tables import data_file, read_table
from runtime.contract import Json, Record

HERE = "evalkit.cases.recorded"
FOLDED = "$folded"
"""Begins a list whose parts are joined and folded: the key of a screen."""
_SOURCE = re.compile(r"\$(argument|result|item)(?:\.(.+))?")


class Missing:
    """What a recording does not say."""


MISSING = Missing()


class Rows(Record):
    """Rows that a recorded call tells of."""

    table: str
    """The sandbox's table."""
    when: Json = Field(default_factory=dict)
    """Recorded arguments that the call must have."""
    each: str = ""
    """Path of a list in the result: a row for each item; empty: one row."""
    find: Json = Field(default_factory=dict)
    """Columns of a row that the phone may have already; it is then changed, not doubled."""
    columns: Json = Field(default_factory=dict)
    """Columns: literals, `$argument.NAME`, `$result.PATH`, `$item.PATH`, `$today`. What is not said is left out."""


class Same(Record):
    """A value of the recorded result that the sandbox's result must hold too."""

    recorded: str
    """Its path in the recorded result."""
    ours: str
    """Its path in the sandbox's."""
    when: Json = Field(default_factory=dict)
    """Recorded arguments that the call must have."""


class ToolMap(Record):
    """What the map says of one recorded tool."""

    tool: str = ""
    """The sandbox's tool; empty: the same name."""
    drop: tuple[str, ...] = ()
    """Recorded arguments that the sandbox's tool has no use for."""
    rename: dict[str, str] = Field(default_factory=dict)
    """Recorded argument to the sandbox's."""
    split: dict[str, tuple[str, str]] = Field(default_factory=dict)
    """A recorded argument of two parts (`Friday 19:05`) to two of the sandbox's."""
    values: dict[str, dict[str, str]] = Field(default_factory=dict)
    """By the sandbox's argument: recorded value to the sandbox's; `*` for those unknown to it, empty: left out."""
    resolved: dict[str, str] = Field(default_factory=dict)
    """Arguments of a call that worked, by the path of its result that says what was meant by them."""
    defaults: Json = Field(default_factory=dict)
    """Arguments of the sandbox's tool that no recording gives."""
    ids: dict[str, str] = Field(default_factory=dict)
    """Path of an id in the recorded result to its path in the sandbox's: later calls refer to it."""
    same: tuple[Same, ...] = ()
    """What both results must hold."""
    had: tuple[Rows, ...] = ()
    """What the phone had before a call that worked could work."""
    state: tuple[Rows, ...] = ()
    """What holds after a call that worked."""
    beside: tuple[str, ...] = ()
    """Tables that the sandbox's tool changes beside."""
    memories: str = ""
    """Path of the memories that the result shows; the first one must be found again."""


class Map(Record):
    """The whole map."""

    prefixes: dict[str, str] = Field(default_factory=dict)
    """Beginning of a recorded name to that of the sandbox's; what follows is a slug."""
    aside: tuple[Json, ...] = ()
    """Rows of a default phone that stand back where a recording tells of rows of the same table."""
    tools: dict[str, ToolMap] = Field(default_factory=dict)
    """By recorded name, or by the beginning that a prefix gives."""

    def of(self, recorded: str) -> tuple[str, ToolMap]:
        """The sandbox's name for a recorded tool, and what the map says of it."""
        if (found := self.tools.get(recorded)) is not None:
            return found.tool or recorded, found
        for prefix, ours in self.prefixes.items():
            if recorded.startswith(prefix):
                slug = recorded.removeprefix(prefix).strip().replace("-", "_")
                return ours + slug, self.tools.get(ours, ToolMap())
        return recorded, ToolMap()


@lru_cache(maxsize=1)
def load_map() -> Map:
    """The map; `SetupError` where it is damaged."""
    return read_table(*data_file(HERE, "map.toml"), Map)


def at(value: Any, path: str) -> Any:
    """What stands at a dotted path (numbers count in lists), or `MISSING`; null is what is not said."""
    for part in path.split(".") if path else ():
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            return MISSING
    return MISSING if value is None else value


def applies(when: Json, arguments: Json) -> bool:
    """Whether a call has the arguments that an entry is about."""
    return all(arguments.get(name) == value for name, value in when.items())


def rows_of(rows: Rows, arguments: Json, result: Json, today: str) -> Iterator[tuple[Json, Json]]:
    """(columns to find a row by, columns) for each row that a call tells of."""
    if not applies(rows.when, arguments):
        return
    items = at(result, rows.each) if rows.each else [{}]
    for item in items if isinstance(items, list) else ():
        told = {"argument": arguments, "result": result, "item": item}
        yield _filled(rows.find, told, today), _filled(rows.columns, told, today)


def _filled(columns: Json, told: Json, today: str) -> Json:
    found = {name: _value(value, told, today) for name, value in columns.items()}
    return {name: value for name, value in found.items() if value is not MISSING}


def _value(value: Any, told: Json, today: str) -> Any:
    if value == "$today":
        return today
    if isinstance(value, list) and value[:1] == [FOLDED]:
        parts = [_value(part, told, today) for part in value[1:]]
        return MISSING if MISSING in parts else "".join(map(str, parts)).casefold()
    source = _SOURCE.fullmatch(value) if isinstance(value, str) else None
    return value if source is None else at(told[source[1]], source[2] or "")
