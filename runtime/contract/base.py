"""What every record of the contract shares: frozen, closed, versioned.

A record crosses rooms, processes and releases. So it is immutable, refuses fields it does not know, and the
outermost ones (tasks, episodes, annotations) carry the contract version they were written under.
"""

import hashlib
import json
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, PlainSerializer

T = TypeVar("T")

CONTRACT_VERSION = 1
"""Raised by one whenever a record changes in a way that an older reader can't ignore."""

Version: TypeAlias = Literal[1]
"""A record of another version is refused at validation, never read by guess."""

Json: TypeAlias = dict[str, Any]
"""A JSON object."""

StableSet = Annotated[frozenset[T], PlainSerializer(sorted, return_type=list[Any], when_used="json")]
"""A set that is sorted as JSON: the order of a set changes from process to process, and a digest must not."""


class Record(BaseModel):
    """Base of all contract records."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no spaces: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


def digest_of(value: Any) -> str:
    """First 16 hex digits of SHA-256 over the canonical JSON of `value` (a record or plain data)."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json")
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()[:16]
