"""The form of a file of recorded cases, and one sentence with file and field for what has another form.

A file is `{"cases": [...], "replay_examples": [...]}`. Of a case are read: `id` or `key`, `request`, `history`,
`tool_calls` and `final_answer`; all else describes it and is left alone. A recorded result is an object, or a sentence
of which only success is known.
"""

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from runtime.contract import Json, UserError

LARGEST = 32 * 1024 * 1024
"""Bytes of a file that is read."""


class Recorded(BaseModel):
    """Base: frozen; what only describes is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class RecordedCall(Recorded):
    """One call with what came back."""

    name: str = Field(min_length=1)
    """The tool, by its recorded name."""
    arguments: Json | None = None
    """As they were written; null: none are known."""
    response: Json | str | None = None
    """The result; a sentence, or null, tells nothing that could be compared."""
    error: bool | str | None = None
    """Whether it failed, or why; the result may say so too."""
    step: int | None = None
    """Calls of one step were made together."""

    @property
    def result(self) -> Json:
        """The result as an object; empty where none is known."""
        return self.response if isinstance(self.response, dict) else {}

    @property
    def failed(self) -> bool:
        """Whether it failed."""
        return bool(self.error) or self.result.get("success") is False or bool(self.result.get("error"))


class Said(Recorded):
    """An earlier turn in words."""

    role: Literal["user", "assistant"]
    """Who spoke."""
    content: str
    """What was said."""


class Called(RecordedCall):
    """A call of an earlier turn."""

    role: Literal["assistant_tool_call"]
    """Marks it."""


class RecordedCase(Recorded):
    """One case."""

    id: str | None = None
    """Its id."""
    key: str | None = None
    """Its short name."""
    request: str = Field(min_length=1)
    """What is asked."""
    history: tuple[Said | Called, ...] = ()
    """Earlier turns."""
    tool_calls: tuple[RecordedCall, ...] = Field(min_length=1)
    """Calls, in order."""
    final_answer: str | None = None
    """The last words."""

    @property
    def name(self) -> str:
        """What it is called in a report."""
        return self.id or self.key or self.request[:40]


class RecordedFile(Recorded):
    """A whole file."""

    cases: tuple[RecordedCase, ...] = Field(min_length=1)
    """Recorded cases."""
    replay_examples: tuple[RecordedCase, ...] = ()
    """Illustrations with results in words."""


class UnknownFormError(UserError):
    """A recording has a form that the map does not know; says the file, the field and what is known."""

    def __init__(self, path: Path, field: str, problem: str) -> None:
        super().__init__(f"`{path}`, field `{field}`: {problem}")


def read_cases(path: Path) -> RecordedFile:
    """The cases of a file; `UserError` for one that can't be read, `UnknownFormError` for another form."""
    try:
        size = path.stat().st_size
        if size > LARGEST:
            raise UserError(f"`{path}` has {size:,} bytes; the limit is {LARGEST:,}. Split it.")
        data: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"`{path}` can't be read: {error.strerror}. Give a JSON file of recorded cases.") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"`{path}` is no JSON: {str(error)[:120]}. Give a JSON file of recorded cases.") from None
    try:
        return RecordedFile.model_validate_json(json.dumps(data))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"] if part not in ("Said", "Called")) or "the whole file"
        raise UnknownFormError(path, field, _why(first)) from None


def _why(first: Any) -> str:
    if first["type"] == "missing":
        return "it is missing. Write it, as in the other cases."
    return f"it is `{str(first['input'])[:80]}`: {first['msg'].lower()}. Correct it."
