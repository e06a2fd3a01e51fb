"""What the commands of `pocket memory` share: the user's memory opened, names of types, options."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated, Any

import typer

from runtime.cli.common import out, print_json
from runtime.cli.root import NOT_DONE
from runtime.contract import ErrorCode, ToolFailure, UserError


class Kind(StrEnum):
    """The types of records, as the memory room names them."""

    USER_MODEL = "user_model"
    EPISODIC = "episodic"
    LONG_TERM = "long_term"
    PROSPECTIVE = "prospective"
    REVIEW = "review"


class Category(StrEnum):
    """What a record is about, as the memory room names it."""

    INFO = "important_info"
    EVENT = "important_event"
    PREFERENCE = "preference"
    ROUTINES = "routines_habits"


MemoryId = Annotated[str, typer.Argument(help="Id of a record, as `pocket memory list` shows it.")]
Text = Annotated[str, typer.Argument(help="The memory in plain words.")]
KindOption = Annotated[list[Kind] | None, typer.Option("--kind", help="Only this type; may be repeated.")]
AsOf = Annotated[str | None, typer.Option("--as-of", metavar="DATE", help="What held at this time, 2026-03-02.")]


FLAGS = {"valid_from": "--since", "valid_to": "--until", "expires_at": "--until", "at": "--at", "event": "--event",
         "as_of": "--as-of", "importance": "--importance"}  # fmt: skip
"""What a field of a record is called at a terminal."""


@contextmanager
def opened(assignments: list[str] | None) -> Iterator[Any]:
    """The user's memory under the settings in force; what it refuses becomes one line."""
    from runtime.config import load_settings
    from runtime.wiring import open_service

    service = open_service(load_settings({}, assignments or ()))
    try:
        yield service
    except ToolFailure as failure:
        raise UserError(sentence(failure)) from None
    finally:
        service.close()


def tell(record: Any, words: str, json: bool) -> None:
    """A record that a command wrote: `words`, or the record."""
    if json:
        print_json(record.model_dump(mode="json"))
    else:
        out().print(words, markup=False)


def show_receipt(done: Any, json: bool) -> None:
    """The receipt of an erasure; exit code 1 when not all is gone."""
    from runtime.cli.remembered import receipt

    if json:
        print_json(done.model_dump(mode="json"))
    else:
        for line in receipt(done):
            out().print(line)
    if not done.complete:
        raise typer.Exit(NOT_DONE)


def sentence(failure: ToolFailure) -> str:
    """What was refused, and the next step at a terminal."""
    if failure.code is ErrorCode.BAD_ARGUMENT:
        message = failure.message
        for name, flag in FLAGS.items():
            message = message.replace(f"`{name}`", f"`{flag}`")
        return f"{message}. Correct it; nothing was changed."
    what, _, hint = failure.message.partition("; ")
    if failure.code is ErrorCode.NOT_FOUND:
        hint = "use an id that `pocket memory list` shows"
    return f"{what}. {hint[:1].upper()}{hint[1:]}." if hint else f"{what}."
