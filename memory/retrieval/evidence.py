"""What a search answers: evidence with its provenance, what was left out, and what it is not."""

from typing import Literal

from memory.records import MemoryRecord
from memory.retrieval.query import QueryShape
from runtime.contract import Record

CHARS_A_TOKEN = 4
"""How the budget counts: about so many characters of English are a token."""


class Evidence(Record):
    """One record that speaks for an answer."""

    record: MemoryRecord
    """What was kept, with source, speaker, turn, times and trust."""
    score: float
    """Comparable within one search; higher is better."""
    rank: int
    """Place by relevance, from 1; the items of a question about an order of events stand by time instead."""
    via: tuple[str, ...] = ()
    """Why it was found: words, context, meaning, name, speaker, date, time, answer, history."""
    supersedes: tuple[MemoryRecord, ...] = ()
    """What it replaced, newest first."""
    stale: bool = False
    """Something else holds instead, newer or said by whoever weighs more; that stands above it."""
    verified: bool = True
    """Every number and name of the summary stands in the original."""

    @property
    def tokens(self) -> int:
        """About how many tokens its text takes."""
        return tokens_of(self.record.content)


class EvidenceSet(Record):
    """The evidence for a question."""

    items: tuple[Evidence, ...] = ()
    """Best first, or by time."""
    query: QueryShape
    """What was asked for."""
    order: Literal["relevance", "time"] = "relevance"
    """How the items are ordered."""
    left_out: int = 0
    """Candidates that speak for an answer too and are not shown: over the limit or the budget, or said already."""
    repeated: int = 0
    """Of these, those that say what is shown already."""
    searched: int = 0
    """Records that were compared: all that the filter lets through."""
    tokens: int = 0
    """What the items take."""
    budget: int | None = None
    """What they may take; None: no limit."""
    note: str = ""
    """That the evidence is about somebody else, or is not there, in plain words; empty: neither."""


def tokens_of(text: str) -> int:
    """About how many tokens a text takes."""
    return -(-len(text) // CHARS_A_TOKEN)
