"""What the store is measured beside: vectors in a flat FAISS index, texts in a JSON file, both written whole.

It is the plain store of many memory libraries (mem0's FAISS store keeps its texts in a pickle in the same manner): each
insert embeds one text, adds its vector, and rewrites both files; a search embeds the question, takes the nearest
vectors, and filters by user after that.
"""

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from runtime.contract import Embedder


class PlainStore:
    """A flat index and a JSON file in a folder."""

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        self._faiss: Any = import_module("faiss")
        self._embedder = embedder
        self.index_file, self.texts_file = folder / "plain.faiss", folder / "plain.json"
        self._index = self._faiss.IndexFlatIP(embedder.dimension)
        self._texts: list[dict[str, str]] = []

    def add(self, text: str, user: str = "user") -> None:
        """One insert: embed, add, write both files."""
        self.fill([text], user)

    def fill(self, texts: Sequence[str], user: str = "user") -> None:
        """Many at once; the files are written once."""
        self._index.add(self._embedder.embed(list(texts)))
        self._texts += [{"user": user, "text": text} for text in texts]
        self._faiss.write_index(self._index, str(self.index_file))
        self.texts_file.write_text(json.dumps(self._texts), encoding="utf-8")

    def search(self, query: str, limit: int, user: str = "user") -> list[str]:
        """The nearest texts that are the user's."""
        _, places = self._index.search(self._embedder.embed([query]), limit)
        found = [self._texts[place] for place in places[0] if place >= 0]
        return [one["text"] for one in found if one["user"] == user]

    def written_mb(self) -> float:
        """What one insert rewrites."""
        return (self.index_file.stat().st_size + self.texts_file.stat().st_size) / 1e6
