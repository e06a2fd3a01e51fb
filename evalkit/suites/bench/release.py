"""Releases and the seal of test: what was published, and who looked.

1. `releases.json` (in the repository) holds a line for each release: its name and, of each split, the fingerprint, the
   size and the drafts that admission refused. Loading leaves those out and tries nothing (loading.py). A suite whose
   tasks differ from the newest line is not that release, and says so.
2. Every use of the split `test` is a line of `test_uses.jsonl` in the data folder: when, by which command, on which
   fingerprint. The file is only ever appended to, and each use is printed on the error stream.
"""

import json
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from runtime.contract import Record, SetupError, UserError
from runtime.planner.settings import data_folder

if TYPE_CHECKING:
    from evalkit.suites.registry import Suite

FILE = "releases.json"
NAME = re.compile(r"[A-Za-z][A-Za-z0-9 ]{0,39}")


class Sealed(Record):
    """One split of a release."""

    fingerprint: str
    """Digest of its tasks."""
    tasks: int
    """How many there are."""
    refused: dict[str, tuple[int, ...]] | None = None
    """By program, the drafts that were left out, counted from 0; None: not on record, and the split can't be made
    again."""


class Release(Record):
    """One published state of the suite."""

    name: str
    """`bench 1`."""
    splits: dict[str, Sealed]
    """By split."""


class Releases(Record):
    """The whole of `releases.json`, oldest first."""

    releases: tuple[Release, ...] = ()
    """Never edited; a new state is a new line."""


def load_releases() -> tuple[Release, ...]:
    """All releases, oldest first; a damaged file is a `SetupError`."""
    text = files("evalkit.suites.bench").joinpath(FILE).read_text(encoding="utf-8")
    try:
        return Releases.model_validate_json(text).releases
    except ValueError as error:
        raise SetupError(f"`evalkit/suites/bench/{FILE}` is damaged: {error}") from None


def release_of(split: str, fingerprint: str) -> str | None:
    """The newest release whose split has this fingerprint; None for none."""
    found = [
        one.name for one in load_releases() if (sealed := one.splits.get(split)) and sealed.fingerprint == fingerprint
    ]
    return found[-1] if found else None


def uses_file() -> Path:
    """Where uses of test are kept."""
    return data_folder() / "test_uses.jsonl"


def log_use(suite: str, fingerprint: str, tasks: int) -> None:
    """Append one use of a test split, and print it; a `UserError` where it can't be put on record."""
    command = " ".join(Path(part).name if place == 0 else part for place, part in enumerate(sys.argv))
    release = release_of("test", fingerprint) if suite == "bench" else None
    use = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "suite": suite,
        "fingerprint": fingerprint,
        "release": release,
        "tasks": tasks,
        "command": command[:300],
    }
    path = uses_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+", encoding="utf-8") as lines:
            lines.write(json.dumps(use) + "\n")
            lines.seek(0)
            count = sum(1 for _ in lines)
    except OSError as error:
        raise UserError(
            f"uses of the test split are kept in `{path}`, which can't be written: {error.strerror}. Make its folder "
            "writable, or set `POCKET_HOME` to another one."
        ) from None
    known = release or "not a release"
    print(f"test split of `{suite}` used ({fingerprint}, {known}); use {count} on record", file=sys.stderr)


def record(name: str, suites: Mapping[str, "Suite"]) -> Release:
    """Add a release of suites that were tried now to the file in the source tree; a `UserError` where a gold fails or
    the name is taken."""
    failing = [one for suite in suites.values() for one in suite.rejected if "/hand_written" in one.task_id]
    if failing:
        raise UserError(f"`{failing[0].task_id}` can't be released: {failing[0].faults[0]}. Correct it or take it out.")
    if not NAME.fullmatch(name):
        raise UserError(f"`{name}` is no name of a release. Write one like `bench 2`: letters, digits and spaces.")
    known = load_releases()
    if any(one.name == name for one in known):
        raise UserError(f"there is a release `{name}` already; give another name")
    made = Release(
        name=name,
        splits={
            split: Sealed(fingerprint=one.fingerprint, tasks=len(one.tasks), refused=dict(one.refused))
            for split, one in suites.items()
        },
    )
    path = Path(str(files("evalkit.suites.bench").joinpath(FILE)))
    lines = [json.dumps(one.model_dump(mode="json", exclude_none=True)) for one in (*known, made)]
    part = path.with_name(path.name + ".part")
    try:
        part.write_text('{"releases": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")
        part.replace(path)  # whole or not at all: a kill leaves the releases that were there
    except OSError as error:
        raise UserError(f"`{path}` can't be written: {error.strerror}. Release from a clone that is yours.") from None
    return made
