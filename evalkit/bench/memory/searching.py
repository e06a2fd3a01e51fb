"""A process that opens a memory and searches it: `python -m evalkit.bench.memory.searching FILE`, run by cost.py.

It imports what an application would, and no more, so that its peak memory is that of store and embedder.
"""

import sys
from pathlib import Path

from memory.embedder import MiniLmEmbedder
from memory.service import MemoryService

QUESTIONS = ("where did we leave the ladder", "who asked about the piano", "what was said about the ferry last week")


def main(file: str) -> None:
    """Search a few times; fails where nothing is found."""
    service = MemoryService(Path(file), MiniLmEmbedder())
    found = [len(service.search(question, limit=10).items) for question in QUESTIONS]
    service.close()
    sys.exit(0 if all(found) else "a search found nothing")


if __name__ == "__main__":
    main(*sys.argv[1:])
