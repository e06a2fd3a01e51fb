"""Traces: every episode in SQLite, one transaction a step, readable while it is being written."""

from runtime.trace.memory import Untraced
from runtime.trace.read import Summary, TraceReader
from runtime.trace.write import TraceStore

__all__ = ["Summary", "TraceReader", "TraceStore", "Untraced"]
