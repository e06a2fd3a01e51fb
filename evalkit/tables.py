"""Data files of the suites: TOML read into a record, and what is wrong with one in a single sentence.

A mistake names the file, the field and what is expected there; nothing of a damaged file is used.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from runtime.contract import SetupError

R = TypeVar("R", bound=BaseModel)


class Named(Protocol):
    """An entry that others find by its name."""

    @property
    def name(self) -> str:
        """Unique among its kind."""
        ...


N = TypeVar("N", bound=Named)


def each_once(found: Iterable[N], what: str) -> tuple[N, ...]:
    """All of `found` in order; `SetupError` for a name that stands twice among these `what`."""
    entries = tuple(found)
    counts = Counter(one.name for one in entries)
    if twice := next((name for name, count in counts.items() if count > 1), None):
        raise SetupError(f"two {what} are called `{twice}`, field `name`; expected a name of its own")
    return entries


def read_table(name: str, text: str, model: type[R]) -> R:
    """The record in a TOML text; `SetupError` naming the file `name`, the field and what is expected."""
    try:
        return model.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"`{name}` is no TOML: {error}") from None
    except ValidationError as error:
        raise SetupError(f"`{name}`, {_first(error)}") from None


def data_files(package: str, folder: str) -> Iterator[tuple[str, str]]:
    """(path for messages, text) of the TOML files of a package's folder, by name; none where there is no folder."""
    root = files(package).joinpath(folder)
    if not root.is_dir():
        return
    found: list[Traversable] = [item for item in root.iterdir() if item.name.endswith(".toml")]
    for item in sorted(found, key=lambda item: item.name):
        yield _text(f"{package.replace('.', '/')}/{folder}/{item.name}", item)


def data_file(package: str, name: str) -> tuple[str, str]:
    """(path for messages, text) of one data file of a package."""
    return _text(f"{package.replace('.', '/')}/{name}", files(package).joinpath(name))


def _text(path: str, item: Traversable) -> tuple[str, str]:
    try:
        return path, item.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SetupError(f"`{path}` is no UTF-8: {error}. Write it as UTF-8.") from None


def _first(error: ValidationError) -> str:
    """The first thing that is wrong: `field`: expected."""
    first: Any = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"]) or "the whole file"
    if first["type"] == "extra_forbidden":
        return f"field `{field}` is unknown; expected one of the fields that its README lists"
    if first["type"] == "missing":
        return f"field `{field}` is missing; expected a value there"
    expected = first["msg"].removeprefix("Value error, ")
    return f"field `{field}` is {first['input']!r:.80}; expected: {expected}"
