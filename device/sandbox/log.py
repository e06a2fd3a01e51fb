"""The operation log: every call in its order, whether it worked, and which rows it wrote."""

from datetime import datetime
from typing import NamedTuple

from device.sandbox.row import RowKind
from runtime.contract import Json


class Operation(NamedTuple):
    """One call."""

    at: datetime
    """Virtual time."""
    call_id: str
    """The call."""
    tool: str
    """Its name."""
    arguments: Json
    """Normalised; as given where they could not be read."""
    status: str
    """`ok` or the error code."""
    touched: tuple[tuple[RowKind, str], ...] = ()
    """Rows that were written, even where the value stayed the same."""
