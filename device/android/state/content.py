"""Rows of a content provider, read so that no text in them can pass for another row.

`content query` (`frameworks/base/cmds/content`, Android 10 to 16) prints `Row: 0 _id=1, body=...` and escapes nothing:
a message that holds ", type=2" or a line "Row: 7 ..." looks like columns and rows. So

1. columns of numbers come first and in one query; they say which rows there are;
2. each text column is a query of its own, as the last column, and is cut at the rows that 1. named, in their order;
3. where a text holds such a line itself, half of the rows are asked for, and half again, until it stands alone.
"""

import re
from collections.abc import Callable, Sequence

Ask = Callable[..., str]
"""Runs a command and gives its output."""
NULL = "NULL"


def query(
    ask: Ask, uri: str, numbers: Sequence[str], texts: Sequence[str] = (), where: str = ""
) -> list[dict[str, str]]:
    """Rows of `uri`: `numbers` begin with `_id`; what is NULL is empty."""
    found = parse(_asked(ask, uri, numbers, where), numbers)
    found.sort(key=lambda row: int(row["_id"]))
    for column in texts if found else ():
        told = _column(ask, uri, column, [row["_id"] for row in found], where)
        for row in found:
            row[column] = told.get(row["_id"], "")
    return [{name: "" if value == NULL else value for name, value in row.items()} for row in found]


def _column(ask: Ask, uri: str, column: str, ids: Sequence[str], where: str) -> dict[str, str]:
    """One text column; where a text makes the cuts ambiguous, each half is asked for, down to single rows."""
    text = _asked(ask, uri, ("_id", column), where)
    if len(ids) == 1:
        return {ids[0]: text.removeprefix(f"Row: 0 _id={ids[0]}, {column}=")}
    pieces = _cut(text, ids, column)
    if pieces is not None:
        return pieces
    found: dict[str, str] = {}
    for half in (ids[: len(ids) // 2], ids[len(ids) // 2 :]):
        between = f"_id={half[0]}" if len(half) == 1 else f"_id>={half[0]} AND _id<={half[-1]}"
        found |= _column(ask, uri, column, half, between)
    return found


def parse(text: str, columns: Sequence[str]) -> list[dict[str, str]]:
    """Rows whose columns hold no commas; lines that are no rows are passed over."""
    pattern = re.compile(r"Row: \d+ " + ", ".join(f"{re.escape(name)}=(.*?)" for name in columns) + "$", re.M)
    return [dict(zip(columns, match.groups(), strict=True)) for match in pattern.finditer(text)]


def _asked(ask: Ask, uri: str, columns: Sequence[str], where: str) -> str:
    condition = ("--where", where) if where else ()
    return ask("content", "query", "--uri", uri, "--projection", ":".join(columns), *condition, "--sort", "_id")


def _cut(text: str, ids: Sequence[str], column: str) -> dict[str, str] | None:
    """The text of each row; None where a row's beginning stands more than once, or not at all."""
    heads = [f"Row: {place} _id={row}, {column}=" for place, row in enumerate(ids)]
    lines = "\n" + text
    if any(lines.count("\n" + head) != 1 for head in heads) or lines.count("\nRow: ") != len(heads):
        return None
    starts = [lines.index("\n" + head) for head in heads]
    if starts != sorted(starts):
        return None
    ends = [*starts[1:], len(lines)]
    parts = zip(ids, heads, starts, ends, strict=True)
    return {row: lines[start + 1 + len(head) : end] for row, head, start, end in parts}


def binds(**columns: str | int) -> list[str]:
    """`--bind` arguments of an insert or an update."""
    words: list[str] = []
    for name, value in columns.items():
        words += ["--bind", f"{name}:{'i' if isinstance(value, int) else 's'}:{value}"]
    return words
