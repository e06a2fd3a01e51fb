"""Traces: every episode in SQLite, one transaction a step, readable while it is being written."""

from runtime.trace.earlier import GOES_ON, Earlier
from runtime.trace.memory import Untraced
from runtime.trace.read import Summary, TraceReader
from runtime.trace.write import TraceStore

__all__ = ["GOES_ON", "Earlier", "Summary", "TraceReader", "TraceStore", "Untraced"]
