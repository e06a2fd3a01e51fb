"""Rows: frozen dataclasses with slots, one class a table.

1. Columns are scalars or tuples of scalars, so a row can be shared by snapshots, forks and the journal without a copy.
2. A table has a key column of text. A singleton has one row, keyed `phone`, and a default for every column: it names no
   key, or a key column whose default is `phone`.
3. `to_json` turns what a tool returns (rows whole, in lists, in objects) into plain JSON data.
"""

import dataclasses
import types
from collections.abc import Callable, Mapping
from functools import cached_property
from operator import attrgetter
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter

from runtime.contract import Json, SetupError, UserError

R = TypeVar("R")
SINGLETON = "phone"
"""Key of the only row of a singleton table."""
_SCALARS = frozenset((str, int, float, bool, type(None)))


class RowKind:
    """What the engine knows about one row class."""

    def __init__(self, cls: type[Any], table: str, key: str | None) -> None:
        fields = dataclasses.fields(cls)
        self.cls = cls
        self.table = table
        self.columns = tuple(field.name for field in fields)
        self.singleton = key is None or any(f.name == key and f.default == SINGLETON for f in fields)
        self.key = key
        self.required = tuple(f.name for f in fields if f.default is f.default_factory is dataclasses.MISSING)
        hints = get_type_hints(cls, include_extras=True)
        for name in self.columns:
            if not _immutable(hints[name]):
                message = f"`{cls.__name__}.{name}` is a `{hints[name]}`; a column is a scalar or a tuple of scalars"
                raise SetupError(message)
        self._compound = tuple(name for name in self.columns if _has_tuple(hints[name]))
        self._values = attrgetter(*self.columns) if len(self.columns) > 1 else None
        self.key_of: Callable[[Any], str] = (lambda _: SINGLETON) if key is None else attrgetter(key)

    @cached_property
    def adapter(self) -> TypeAdapter[Any]:
        """Validates rows that come from outside (facts of a world)."""
        return TypeAdapter(self.cls)

    def to_json(self, row: Any) -> Json:
        """The row as a JSON object, columns in their order."""
        if self._values is None:
            values = {self.columns[0]: getattr(row, self.columns[0])}
        else:
            values = dict(zip(self.columns, self._values(row), strict=True))
        for name in self._compound:
            values[name] = to_json(values[name])
        return values

    def from_json(self, values: Json) -> Any:
        """The row that `to_json` made the object of; raises `UserError` where the columns are others now."""
        if values.keys() != set(self.columns):
            raise UserError(f"a row of `{self.table}` was written by another version. Begin anew.")
        return self.cls(**{name: _tuples(value) for name, value in values.items()})


_KINDS: dict[type[Any], RowKind] = {}


def row(table: str, key: str | None = None) -> Callable[[type[R]], type[R]]:
    """Make a frozen dataclass the row class of `table`; `key` names the column that identifies a row."""

    def register(cls: type[R]) -> type[R]:
        if not dataclasses.is_dataclass(cls) or not cls.__dataclass_params__.frozen:  # type: ignore[attr-defined]
            raise SetupError(f"`{cls.__name__}` is a row of `{table}` and must be a frozen dataclass")
        names = [field.name for field in dataclasses.fields(cls)]
        if key is not None and key not in names:
            raise SetupError(f"`{cls.__name__}` has no column `{key}`, the key of `{table}`")
        kind = RowKind(cls, table, key)
        if kind.singleton and kind.required:
            raise SetupError(f"`{cls.__name__}` is a singleton; give `{kind.required[0]}` a default, or name a key")
        _KINDS[cls] = kind
        return cls

    return register


def kind_of(cls: type[Any]) -> RowKind:
    """What is known about a row class; raises `SetupError` for a class without `@row`."""
    kind = _KINDS.get(cls)
    if kind is None:
        raise SetupError(f'`{cls.__name__}` is no row class; put `@row("table", key="id")` above it')
    return kind


def is_row(cls: object) -> bool:
    """Whether `cls` is a row class."""
    return isinstance(cls, type) and cls in _KINDS


def to_json(value: Any) -> Any:
    """Plain JSON data of `value`; raises `TypeError` for what has no JSON form."""
    cls = type(value)
    if cls in _SCALARS:
        return value
    if cls is dict:
        return {key: item if type(item) in _SCALARS else to_json(item) for key, item in value.items()}
    if cls is list or cls is tuple:
        return [item if type(item) in _SCALARS else to_json(item) for item in value]
    kind = _KINDS.get(cls)
    if kind is not None:
        return kind.to_json(value)
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"`{cls.__name__}` has no JSON form")


def _tuples(value: Any) -> Any:
    """A column's value as it was before JSON made lists of its tuples."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _immutable(hint: Any) -> bool:
    origin = get_origin(hint)
    if origin is Annotated:
        return _immutable(get_args(hint)[0])
    if origin in (Union, types.UnionType):
        return all(_immutable(option) for option in get_args(hint))
    if origin is tuple:
        return all(option is Ellipsis or _immutable(option) for option in get_args(hint))
    return origin is Literal or hint in _SCALARS


def _has_tuple(hint: Any) -> bool:
    return get_origin(hint) is tuple or any(_has_tuple(option) for option in get_args(hint))
