"""Phrase files: what people say for one call, or when something is missing. `phrases/<domain>.toml`, any number.

A template's slots decide its arguments: the entry or variant whose slots are exactly the template's. What does not fit
is a `SetupError` that names file, family and template, so that no phrase is dropped unseen.
"""

import tomllib
from functools import lru_cache
from importlib.resources import files

from pydantic import Field, ValidationError

from evalkit.suites.core.values import SLOT, load_values
from runtime.contract import Json, Record, SetupError, Split


class Variant(Record):
    """Other arguments for templates with other slots."""

    arguments: Json
    """As of the entry."""


class Phrases(Record):
    """Templates by split."""

    family: str
    """Unique over all files."""
    tool: str
    """The tool that is meant."""
    train: tuple[str, ...] = ()
    """For train alone."""
    dev: tuple[str, ...] = ()
    """For dev alone."""
    test: tuple[str, ...] = ()
    """For test alone."""
    plant: tuple[Json, ...] = ()
    """Rows that must be there, as facts of a world."""

    def templates(self, split: Split) -> tuple[str, ...]:
        """The templates of a split; `evolve` shares dev's."""
        if split is Split.TRAIN:
            return self.train
        return self.test if split is Split.TEST else self.dev


class OneCall(Phrases):
    """One call answers it."""

    arguments: Json = Field(default_factory=dict)
    """As said: `{slot}` or literals, in the schema's order."""
    variants: tuple[Variant, ...] = ()
    """For templates with other slots."""

    def arguments_of(self, template: str) -> Json:
        """The arguments whose slots are the template's; raises `SetupError` for none."""
        wanted = set(SLOT.findall(template))
        for arguments in (self.arguments, *(variant.arguments for variant in self.variants)):
            if slots_of(arguments) == wanted:
                return arguments
        raise SetupError(
            f"family `{self.family}`: no variant has exactly the slots of `{template}`; "
            f"add one with {', '.join(sorted(wanted)) or 'no slot'}"
        )


class MissingArgument(Phrases):
    """A needed argument is missing: the planner must ask."""

    mentions: tuple[str, ...]
    """The question must name one of these."""
    question: str = ""
    """A good question; made of the first mention where none is given."""

    @property
    def asks(self) -> str:
        """The question of the gold."""
        return self.question or f"What {self.mentions[0]} should it be?"


class Book(Record):
    """All entries."""

    one_call: tuple[OneCall, ...] = ()
    """Requests for one call."""
    ask: tuple[MissingArgument, ...] = ()
    """Requests that lack something."""


def slots_of(arguments: Json) -> set[str]:
    """Slots in the values."""
    return {slot for value in arguments.values() if isinstance(value, str) for slot in SLOT.findall(value)}


@lru_cache(maxsize=1)
def load_phrases() -> Book:
    """All phrase files in the order of their names, checked."""
    books = [_read(item.name, item.read_bytes()) for item in _files()]
    book = Book(
        one_call=tuple(entry for part in books for entry in part.one_call),
        ask=tuple(entry for part in books for entry in part.ask),
    )
    _check(book)
    return book


def _files() -> list:  # type: ignore[type-arg]
    folder = files("evalkit.suites.core").joinpath("phrases")
    if not folder.is_dir():
        return []
    return sorted((item for item in folder.iterdir() if item.name.endswith(".toml")), key=lambda item: item.name)


def _read(name: str, raw: bytes) -> Book:
    try:
        return Book.model_validate(tomllib.loads(raw.decode()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, ValidationError) as error:
        raise SetupError(f"`phrases/{name}` is damaged: {error}") from error


def _check(book: Book) -> None:
    """Unique families, a pool for every slot, arguments for every template, no template in two splits."""
    values, seen = load_values(), set[str]()
    for entry in (*book.one_call, *book.ask):
        if entry.family in seen:
            raise SetupError(f"two phrase entries are called `{entry.family}`; rename one")
        seen.add(entry.family)
        if (set(entry.train) | set(entry.dev)) & set(entry.test) or set(entry.train) & set(entry.dev):
            raise SetupError(f"family `{entry.family}` has a template in two splits")
        for template in (*entry.train, *entry.dev, *entry.test):
            for slot in SLOT.findall(template):
                values.pool_of(slot)
            if isinstance(entry, OneCall):
                entry.arguments_of(template)
