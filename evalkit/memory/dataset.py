"""The one hierarchy that all three benchmarks are read into: samples, turns in sessions, questions with evidence."""

import hashlib
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import Field

from runtime.contract import Record, UserError

Format: TypeAlias = Literal["locomo", "longmemeval", "beam"]
_FORMS = ("%Y/%m/%d (%a) %H:%M", "%I:%M %p on %d %B, %Y", "%B-%d-%Y", "%Y-%m-%d", "%Y/%m/%d", "%d %B, %Y", "%B %d, %Y")
MAX_TURN = 65_000
"""Bytes of one turn; a longer one is cut, and counted."""


class Turn(Record):
    """One thing that was said."""

    id: str
    """Unique in its sample."""
    session: str
    """Its dialogue."""
    order: int
    """Place in the session."""
    speaker: str
    """A name, or `user` and `assistant`."""
    text: str
    """The words; a picture's caption in brackets behind them."""
    at: str = ""
    """When, ISO 8601; empty: the set doesn't say."""


class Question(Record):
    """One question, and what is known of its answer."""

    id: str
    """Unique in its sample."""
    text: str
    """As it is asked."""
    category: str
    """The benchmark's name for its kind."""
    evidence: tuple[str, ...] = ()
    """Ids of the turns that answer it."""
    answer: str = ""
    """What is right."""
    rubric: tuple[str, ...] = ()
    """What an answer is judged by, item by item; empty: by `answer` as a whole."""
    unanswerable: bool = False
    """The right answer is that memory doesn't know."""
    asked_at: str = ""
    """When it is asked, ISO 8601; empty: after all that was said."""
    scored: bool = True
    """Whether retrieval is scored on it."""
    repaired: int = 0
    """Evidence ids that were not written as the set's form says, and could be read all the same."""
    unknown: int = 0
    """Evidence ids that name no turn of the sample."""


class Sample(Record):
    """One history with its questions. Nothing of it is seen by another sample."""

    id: str
    """Unique in the set."""
    turns: tuple[Turn, ...]
    """In the order in which they were said."""
    questions: tuple[Question, ...]
    """In the order of the set."""

    @property
    def latest(self) -> str:
        """The time of the last turn; a fixed one where the set has none."""
        return max((turn.at for turn in self.turns if turn.at), default="2030-01-01T00:00:00")


class Dataset(Record):
    """All samples of a file."""

    format: Format
    """Which benchmark."""
    name: str
    """Of the file or folder."""
    fingerprint: str
    """SHA-256 of the bytes, 16 digits."""
    samples: tuple[Sample, ...] = Field(min_length=1)
    """In the order of the set."""

    @property
    def questions(self) -> Iterator[tuple[Sample, Question]]:
        """Each question with its sample."""
        return ((sample, question) for sample in self.samples for question in sample.questions)


def fingerprint(files: list[Path], root: Path) -> str:
    """Names and bytes of files, as 16 hex digits."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def moment(text: Any) -> str:
    """A time of a set as ISO 8601; empty when there is none that can be read."""
    said = re.sub(r"\s+", " ", str(text or "")).strip()
    for form in _FORMS:
        try:
            return datetime.strptime(said, form).isoformat(timespec="seconds")
        except ValueError:
            continue
    try:
        return datetime.fromisoformat(said).replace(tzinfo=None).isoformat(timespec="seconds")
    except ValueError:
        return ""


def cut(text: str) -> str:
    """The text within `MAX_TURN`."""
    return text if len(text) * 4 <= MAX_TURN else text.encode("utf-8", "replace")[:MAX_TURN].decode("utf-8", "ignore")


def wrong(path: Path, where: str, what: str, format: str) -> UserError:
    """The error for a file that isn't in its form."""
    return UserError(
        f"`{path}` is not in {format}'s form: {where}: {what}. See `evalkit/memory/README.md` for the form."
    )


def load(format: str, path: Path) -> Dataset:
    """The set at `path`; a `UserError` names what is not as the form says."""
    from evalkit.memory import beam, locomo, longmemeval

    readers = {"locomo": locomo.read, "longmemeval": longmemeval.read, "beam": beam.read}
    if format not in readers:
        raise UserError(f"there is no format `{format}`; use one of {', '.join(f'`{name}`' for name in readers)}")
    if not path.exists():
        raise UserError(f"there is no `{path}`. Give the published set's file, or BEAM's folder of chats.")
    return readers[format](path)


def read_json(path: Path, format: str) -> Any:
    """The JSON of a file."""
    import json

    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise wrong(path, "the file", str(error).splitlines()[0][:200], format) from None
