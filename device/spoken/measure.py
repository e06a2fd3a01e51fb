"""How many values of a table are read right: `python -m device.spoken.measure [FILE.toml] [--json] [--misses]`.

The table (`values_200.toml`) gives a clock and, for each kind of slot, values with what they say. Ours is measured
beside every library of `LIBRARIES` that is installed. Libraries are judged leniently: only the parts that the expected
text names are compared, and seconds may be rounded either way.
"""

from __future__ import annotations

import json
import sys
import time
import tomllib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from importlib import resources
from pathlib import Path
from typing import get_args

from device.spoken.draft import Want
from device.spoken.durations import read_duration
from device.spoken.errors import Unreadable
from device.spoken.libraries import LIBRARIES, UNREAD, Reader
from device.spoken.moments import read_when


@dataclass(frozen=True, slots=True)
class Row:
    """One value of the table."""

    want: Want
    """The kind of slot from which it comes."""
    said: str
    """The value as said."""
    expected: str
    """What it says, canonical; "3600 s" for a length, "unreadable" for nothing."""


@dataclass(slots=True)
class Score:
    """How one reader did on the table."""

    right: int = 0
    """Values read as expected, the unreadable ones included."""
    points_right: int = 0
    """Of those that say a time, a date or both and nothing else: what every library is made for."""
    wrong: int = 0
    """Values read as something else: guesses."""
    unread: int = 0
    """Values that say something and were not read."""
    microseconds: float = 0.0
    """Process time a value, mean."""
    misses: list[tuple[str, str, str]] = field(default_factory=list)
    """Value, expected, read."""


def load(path: Path | None = None) -> tuple[datetime, list[Row]]:
    """The clock and the rows of a table; the packaged one without a path."""
    text = (path or resources.files("device.spoken") / "values_200.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    rows = [
        Row(want, said, expected) for want in get_args(Want) for said, expected in table["values"].get(want, {}).items()
    ]
    return datetime.fromisoformat(table["clock"]), rows


def ours(said: str, now: datetime, want: Want) -> str:
    """What this package reads: a phrase of time, or else a length."""
    try:
        return str(read_when(said, now, want))
    except Unreadable:
        try:
            return f"{read_duration(said)} s"
        except Unreadable:
            return UNREAD


def agrees(read: str, expected: str) -> bool:
    """Whether a library's date-times say what the expected text names, part by part."""
    if read == expected:
        return True
    parts = [part for part in expected.split("/") if part != ".."]
    stamps = read.split("/")
    if UNREAD in (read, expected) or len(parts) != len(stamps):
        return False
    return all(_names(stamp, part) for stamp, part in zip(stamps, parts, strict=True))


def _names(stamp: str, part: str) -> bool:
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return stamp == part or stamp[:5] == part
    near = [f"{moment + timedelta(seconds=away):%Y-%m-%dT%H:%M}" for away in (0, 59)]
    return any(part in (form, form[:10], form[11:]) for form in near)


def is_point(expected: str) -> bool:
    """Whether the expected text is a time, a date or both, and no stretch, length or recurrence."""
    return expected != UNREAD and not any(mark in expected for mark in ("/", " ", "FREQ"))


def score(reader: Reader, rows: list[Row], now: datetime, judge: Callable[[str, str], bool]) -> Score:
    """Read every row; a library that raises has not read the value."""
    found = Score()
    begin = time.process_time()
    answers: list[str] = []
    for row in rows:
        try:
            answers.append(reader(row.said, now, row.want))
        except Exception as error:  # a library's failure on a value is a result here
            answers.append(f"{UNREAD} ({type(error).__name__})")
    found.microseconds = round((time.process_time() - begin) / len(rows) * 1e6, 1)
    for row, answer in zip(rows, answers, strict=True):
        none = answer.startswith(UNREAD)
        if judge(answer, row.expected) or (none and row.expected == UNREAD):
            found.right += 1
            found.points_right += is_point(row.expected)
            continue
        found.unread += none
        found.wrong += not none
        found.misses.append((row.said, row.expected, answer))
    return found


def measure(path: Path | None = None) -> dict[str, Score]:
    """The scores of ours and of every installed library on a table."""
    now, rows = load(path)
    scores = {"ours": score(ours, rows, now, str.__eq__)}
    for name, make in LIBRARIES.items():
        try:
            reader = make()
        except ImportError:
            continue
        scores[name] = score(reader, rows, now, agrees)
    return scores


def main(arguments: list[str]) -> int:
    """Print the table; 1 when ours reads less than 95% right."""
    files = [Path(argument) for argument in arguments if not argument.startswith("--")]
    if files and not files[0].is_file():
        print(f"no table `{files[0]}`; give a TOML file with `clock` and `values`", file=sys.stderr)
        return 2
    scores = measure(files[0] if files else None)
    count = scores["ours"].right + scores["ours"].wrong + scores["ours"].unread
    if "--json" in arguments:
        print(json.dumps({name: asdict(found) | {"right_rate": found.right / count} for name, found in scores.items()}))
    else:
        points = sum(is_point(row.expected) for row in load(files[0] if files else None)[1])
        print("| reader | right | right of the points | wrong | unread | us a value |\n|---|---|---|---|---|---|")
        for name, found in scores.items():
            share = f"{found.right} of {count} ({found.right / count:.1%})"
            of_points = f"{found.points_right} of {points}"
            print(f"| {name} | {share} | {of_points} | {found.wrong} | {found.unread} | {found.microseconds:,.0f} |")
    if "--misses" in arguments and "--json" not in arguments:
        for name, found in scores.items():
            print(*(f"{name}: {said!r} is {expected}, read {read}" for said, expected, read in found.misses), sep="\n")
    return 0 if scores["ours"].right / count >= 0.95 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
