"""A home with a secret: its store, its traces, an eraser, and what is left of a text after it."""

import json
import zlib
from datetime import UTC, datetime

import numpy as np
import pytest

from memory.erasure import Eraser
from memory.erasure.needles import forms, sequences
from memory.records import Category
from memory.sqlite import open_database
from memory.store import Embedded, MemoryStore
from runtime.contract import (
    Decision,
    Finish,
    Observation,
    Segment,
    Step,
    Stop,
    TaskView,
    TextPart,
    TokenTrace,
    ToolCall,
)
from runtime.contract import Episode as EpisodeRecord
from runtime.trace import TraceStore
from tests.memory.conftest import NOW, Words

SECRET = 'Keeps the spare key "Quixzotl" under the blue pot'
OTHER = "Goes running on Tuesdays before work"


def tokens(text):
    """Four letters a token, so that borders move with what stands before."""
    return [zlib.crc32(text[at : at + 4].encode()) % 30_000 for at in range(0, len(text), 4)]


def embedded(text):
    words = Words()
    return Embedded(words.identity, words.embed([text])[0])


@pytest.fixture
def home(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "cache").mkdir()
    return tmp_path


@pytest.fixture
def store(home):
    made = MemoryStore(home / "data" / "memory.sqlite3", lambda: NOW)
    yield made
    made.close()


@pytest.fixture
def traces(home):
    made = TraceStore(home / "data" / "traces.sqlite3", open_database)
    yield made
    made.close()


@pytest.fixture
def eraser(home, store, traces):
    made = Eraser(home, store, sinks=(traces,), tokens=tokens, clock=lambda: datetime(2026, 3, 2, tzinfo=UTC))
    yield made
    made.close()


def remember(store, text=SECRET, **more):
    return store.add(text, Category.INFO, embedded=embedded(text), **more)


def run(traces, request="remember something", answer="done", said="", found=None, prompt=SECRET):
    """An episode with words in every place."""
    call = ToolCall(id="s0a", name="add_user_memory", arguments={"content": said or request})
    ids = tokens(prompt)
    decision = Decision(
        actions=(call,), raw=said, thought=said, prompt_ids=tuple(ids),
        tokens=tuple(TokenTrace(id=one, logprob=0, sampled_logprob=0, forced=False) for one in ids),
    )  # fmt: skip
    seen = Observation(call_id="s0a", parts=(TextPart(text=json.dumps({"content": said})),), data=found or {})
    step = Step(index=0, decision=decision, observations=(seen,))
    with traces.episode(TaskView(request=request), {"digests": {"memory": ""}}) as writer:
        writer.segment(Segment(prefix=f"<memory>{said}</memory>", exposed=("add_user_memory",)))
        writer.step(step)
        end = Step(index=1, decision=Decision(actions=(Finish(answer=answer),)))
        writer.step(end)
        segments = (Segment(prefix="", steps=(step, end)),)
        episode = EpisodeRecord(id=writer.id, view=TaskView(request=request), segments=segments, stop=Stop.FINISHED,
                                stop_detail=said, trainable="full")  # fmt: skip
        writer.close(Stop.FINISHED, said, episode)
    return writer.id


def left_in(home, text=SECRET):
    """(file, form) of all that is left of a text, looked for by the test's own means."""
    found = []
    for path in sorted(home.rglob("*")):
        if not path.is_file():
            continue
        data = path.read_bytes()
        for form, needle in forms(text).items():
            if needle in data:
                found.append((path.name, form))
        for ids in sequences(text, tokens):
            rows = [np.array(ids, kind).tobytes() for kind in ("<i4", "<i8")]
            rows += [",".join(map(str, ids)).encode(), ", ".join(map(str, ids)).encode()]
            if any(row in data for row in rows):
                found.append((path.name, "ids"))
    return found
