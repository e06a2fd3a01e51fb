"""Records made of values that are valid already, as `model_construct` does, in under half of its time.

A call makes three or four records; `model_construct` walks over all fields and aliases for each, which was a fifth of
the whole call. Here every field must be given.
"""

from typing import Any, TypeVar

from pydantic import BaseModel

M = TypeVar("M", bound=BaseModel)
_set = object.__setattr__


def built(cls: type[M], **values: Any) -> M:
    """A record of `cls` with exactly these values, all of its fields, unvalidated."""
    record = cls.__new__(cls)
    _set(record, "__dict__", values)
    _set(record, "__pydantic_fields_set__", set(values))
    _set(record, "__pydantic_extra__", None)
    _set(record, "__pydantic_private__", None)
    return record
