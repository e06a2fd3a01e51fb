"""A memory at a fixed time with a bag-of-words embedder: the same words, the same direction."""

import re
import zlib
from datetime import datetime

import numpy as np
import pytest

from memory.manager import UserMemory
from memory.records import Category, Kind, NewRecord
from memory.retrieval import Retriever
from memory.service import MemoryService
from memory.store import Embedded, MemoryStore
from runtime.contract import Deadline, ToolCall, ToolFailure, WorldSpec

NOW = datetime(2026, 3, 2, 9, 0)
FEBRUARY = "2026-02-01T08:00"

MEMORIES = (
    {"id": "mem_a", "content": "Wakes up at half past six on workdays", "category": "routines_habits"},
    {
        "id": "mem_b",
        "content": "Is allergic to peanuts",
        "category": "important_info",
        "created_at": "2026-02-01T08:00",
    },
    {
        "id": "mem_c",
        "content": "Ran the Boston marathon in April",
        "category": "important_event",
        "created_at": "2026-01-01T08:00",
    },
    {"id": "mem_d", "content": "Prefers window seats on trains", "category": "preference"},
)


class Words:
    """A bag of words as a unit vector. `broken` makes it fail; `texts` counts what it was asked."""

    dimension = 64

    def __init__(self, identity="words"):
        self.identity, self.broken, self.texts = identity, False, []

    def embed(self, texts):
        if self.broken:
            raise RuntimeError("no model")
        self.texts += texts
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"[a-z]+", text.lower()):
                vectors[row, zlib.crc32(word.encode()) % self.dimension] += 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


class Book:
    """A store that is written by hand, and its retriever."""

    def __init__(self, embedder=None):
        self.store, self.embedder = MemoryStore(None, lambda: NOW), embedder
        self.retriever = Retriever(self.store, embedder)

    def put(self, content, **fields):
        given = {"kind": Kind.EPISODIC, "category": Category.INFO, **fields}
        vector = None if self.embedder is None else self.embedder.embed([content])[0]
        embedded = None if vector is None else Embedded(self.embedder.identity, vector)
        return self.store.insert(NewRecord(content=content, **given), embedded)

    def told(self, *lines, session="s1", **fields):
        """A dialogue: (speaker, words) each."""
        for order, (speaker, text) in enumerate(lines):
            self.put(text, speaker=speaker, session=session, turn=f"{session}:{order}", order=order, **fields)

    def found(self, query, **more):
        return [item.record.content for item in self.retriever.search(query, **more).items]


@pytest.fixture
def book():
    return Book(Words())


@pytest.fixture
def words():
    return Words()


@pytest.fixture
def store():
    """An empty store in memory."""
    made = MemoryStore(None, lambda: NOW)
    yield made
    made.close()


@pytest.fixture
def memory(words):
    made = UserMemory(None, words, lambda: NOW)
    made.reset(WorldSpec(memories=MEMORIES))
    yield made
    made.close()


@pytest.fixture
def call(memory):
    """Call a memory tool."""

    def run(name, key="", **arguments):
        return memory.execute(ToolCall(id="s0a", name=name, arguments=arguments), Deadline.never(), key)

    return run


@pytest.fixture
def service(tmp_path, words):
    made = MemoryService(tmp_path / "memory.sqlite3", words, lambda: NOW)
    yield made
    made.close()


def found(service, query, **how):
    return [item.record.content for item in service.search(query, **how).items]


def refused(work, *args, **more):
    with pytest.raises(ToolFailure) as failure:
        work(*args, **more)
    return failure.value.code
