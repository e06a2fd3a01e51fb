"""What a phone says about itself, in the tables and columns of the other backends: the source of every read-back."""

from device.android.state.reading import Reading, Rows
from device.android.state.tables import TABLES, read_tables

__all__ = ["TABLES", "Reading", "Rows", "read_tables"]
