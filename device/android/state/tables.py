"""Tables by name: a function each, from one look at the phone to rows.

Names, keys and columns are those of the sandbox, as far as a phone shows them: a column that Android doesn't keep is
left out, never guessed.
"""

import importlib
from collections.abc import Callable, Iterable

from device.android.state.reading import Reading, Rows

Reader = Callable[[Reading], Rows]
TABLES: dict[str, Reader] = {}
SINGLE = "phone"
"""Key of a table's only row."""
_MODULES = ("switches", "looks", "system", "people", "storage", "apps", "playing")


def table(name: str) -> Callable[[Reader], Reader]:
    """Register a reader under its table's name."""

    def register(reader: Reader) -> Reader:
        TABLES[name] = reader
        return reader

    return register


def read_tables(reading: Reading, names: Iterable[str] | None = None) -> dict[str, Rows]:
    """Rows of some tables, or of all."""
    _load()
    return {name: TABLES[name](reading) for name in (TABLES if names is None else names)}


def reader(name: str) -> Reader:
    """The reader of a table."""
    _load()
    return TABLES[name]


def _load() -> None:
    for name in _MODULES:
        importlib.import_module(f"device.android.state.{name}")


def on(value: str | None, default: str = "0") -> bool:
    """Whether a setting's number is not zero; tolerates `1.0` and a missing value."""
    try:
        return float(value if value not in (None, "", "null") else default) != 0
    except ValueError:
        return False
