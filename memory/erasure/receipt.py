"""The receipt of an erasure: every store that was looked at, what went from where, and what is left. It holds ids and
file names, never a text."""

from pydantic import Field

from runtime.contract import Record


class Looked(Record):
    """One store."""

    store: str
    """A database with its log, or a folder, as a path under its root."""
    files: int = 0
    """Files that were looked at, byte by byte."""
    size: int = 0
    """Their bytes."""
    removed: int = 0
    """Records, episodes or files from which something was removed."""
    how: tuple[str, ...] = ()
    """What was done, a few words each."""


class Leftover(Record):
    """A file that still holds something, or that can't be looked into."""

    path: str
    """The file."""
    forms: tuple[str, ...] = ()
    """In which forms; none: it can't be looked into."""
    why: str = ""
    """Why it is left."""


class Trained(Record):
    """A checkpoint that had used what was erased."""

    checkpoint: str
    """Its name."""
    path: str
    """Its manifest."""
    used: tuple[str, ...]
    """Ids of records, episodes and data sets, as the manifest names them."""


class Receipt(Record):
    """What an erasure did."""

    erasure: str
    """Its id."""
    subject: str
    """Whose data, or which record."""
    requested_at: str
    """UTC, ISO 8601."""
    finished_at: str
    """UTC, ISO 8601."""
    records: tuple[str, ...] = ()
    """Ids of the records that were deleted: those asked for, what they replaced, what was made of them."""
    others: tuple[str, ...] = ()
    """Ids of episodes and images that lost their words."""
    stores: tuple[Looked, ...] = ()
    """Every store that was looked at."""
    left: tuple[Leftover, ...] = ()
    """Files that still hold something."""
    opaque: tuple[Leftover, ...] = ()
    """Files that can't be looked into."""
    trained: tuple[Trained, ...] = ()
    """Checkpoints whose manifest says that they had used the data. They are not changed: train again without it."""
    notes: tuple[str, ...] = Field(default=())
    """What could not be looked for, and why."""
    resumed: bool = False
    """It was interrupted before and is finished now."""
    complete: bool = False
    """Nothing is left."""
