"""Keyword scores of tools, by SQLite's full-text index in memory: BM25 over word stems.

Words that a request shares with a tool's texts speak for it beside their meaning: "directions", "showtime", "headline".
The sum with the cosine keeps its scale; rank fusion was worse in every trial.
"""

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from runtime.contract import OpenDatabase, Schema

WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
FLOOR = 4.0
"""A best match below this BM25 is weak, and is not raised to a full score."""


SCHEMA = Schema(
    noun="keyword index",
    tables=("tools",),
    steps=("CREATE VIRTUAL TABLE tools USING fts5(words, tokenize='porter unicode61')",),
)


class Keywords:
    """An index over one text for each tool."""

    def __init__(self, texts: Sequence[str], open_database: OpenDatabase) -> None:
        self._rows = open_database(None, SCHEMA)
        self._rows.executemany("INSERT INTO tools(rowid, words) VALUES (?, ?)", list(enumerate(texts)))
        self._count = len(texts)

    def scores(self, said: str) -> npt.NDArray[np.float32]:
        """Between 0 and 1 for each text, the best of them 1 unless it is weak; shape (len(texts),)."""
        found = np.zeros(self._count, dtype=np.float32)
        words = dict.fromkeys(WORD.findall(said.casefold()))
        if words:
            query = " OR ".join(f'"{word}"' for word in words)
            for row, rank in self._rows.execute("SELECT rowid, bm25(tools) FROM tools WHERE tools MATCH ?", (query,)):
                found[row] = -rank
        scaled: npt.NDArray[np.float32] = found / max(float(found.max(initial=0.0)), FLOOR)
        return scaled
