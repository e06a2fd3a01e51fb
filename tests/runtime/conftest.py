"""A small phone, a scripted planner and a bag-of-words embedder: deterministic stand-ins behind the real Protocols."""

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from memory.sqlite import open_database
from runtime.assemble import Assembler, ContextLimits
from runtime.context import Context
from runtime.contract import (
    Action,
    Approver,
    ContextView,
    Deadline,
    Decision,
    Domain,
    Effect,
    ErrorCode,
    Evidence,
    ExecutedCall,
    Failure,
    InfrastructureError,
    Json,
    Observation,
    RowChange,
    StateDiff,
    ToolCall,
    ToolSpec,
    TraceSink,
    Usage,
    User,
    WorldSpec,
)
from runtime.dialect import render_action
from runtime.eta import load_eta
from runtime.executor import Executor
from runtime.guard import AllowAll, EffectGuard
from runtime.recall import Recall
from runtime.rooms import Rooms
from runtime.trace import Untraced
from runtime.users import NoUser


def spec(name: str, properties: Json, required: Sequence[str] = (), **more: Any) -> ToolSpec:
    """A tool with a closed object schema."""
    schema = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    words = name.replace("_", " ").capitalize() + "."
    return ToolSpec(name=name, domain=Domain.INPUT, description=words, parameters=schema, **more)


TOOLS = (
    spec(
        "control_lamp",
        {"action": {"type": "string", "enum": ["on", "off", "query"]}, "room": {"type": "string"}},
        ["action"],
        effects=frozenset({Effect.WRITE}),
        action_effects={"query": frozenset({Effect.READ})},
        examples=("light up the kitchen", "make it dark"),
    ),
    spec("delete_note", {"title": {"type": "string"}}, ["title"], effects=frozenset({Effect.DELETE})),
    spec("pay_bill", {"bill": {"type": "string"}, "count": {"type": "integer"}}, effects=frozenset({Effect.PAY})),
    spec("read_notes", {"query": {"type": "string"}}),
)


class SmallPhone:
    """Lamps and notes. `long` makes reading give a long result; `broken` breaks the line to the phone."""

    def __init__(self) -> None:
        self.specs: tuple[ToolSpec, ...] = TOOLS
        self.long, self.broken, self.reads_back = 0, False, True
        self.keys: list[str] = []
        self.worlds: list[str] = []
        self.reset(WorldSpec())

    def tools(self) -> Sequence[ToolSpec]:
        return self.specs

    def reset(self, world: WorldSpec) -> None:
        self.worlds.append(world.model_dump_json())
        self.lamps = {"kitchen": "off"}
        self.notes = {"milk": "buy milk"}

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        if self.broken:
            raise InfrastructureError("the phone is gone")
        self.keys.append(idempotency_key)
        done = ExecutedCall(name=call.name, arguments=call.arguments, idempotency_key=idempotency_key, landed="yes")
        data, change = getattr(self, f"_{call.name}")(**call.arguments)
        if isinstance(data, Failure):
            return Observation(call_id=call.id, failure=data)
        diff = StateDiff(changes=(change,)) if change else StateDiff()
        return Observation(call_id=call.id, data=data, call=done, diff=diff)

    def _control_lamp(self, action: str, room: str = "kitchen") -> Any:
        if room not in self.lamps:
            return Failure(code=ErrorCode.NOT_FOUND, message=f"there is no lamp in `{room}`"), None
        before = self.lamps[room]
        if action in ("query", before):
            return {"lamp": before}, None
        self.lamps[room] = action
        return {"lamp": action}, RowChange(table="lamps", key=room, before={"is": before}, after={"is": action})

    def _delete_note(self, title: str) -> Any:
        text = self.notes.pop(title)
        return {"deleted": title}, RowChange(table="notes", key=title, before={"text": text}, after=None)

    def _pay_bill(self, **_: Any) -> Any:
        return {"paid": True}, None

    def _read_notes(self, query: str = "") -> Any:
        if self.long:
            return {"text": "x " * (self.long // 2)}, None
        return {"notes": [text for text in self.notes.values() if query in text]}, None

    def read_back(self, call: ToolCall, observation: Observation) -> Evidence | None:
        if not self.reads_back:
            return None
        rows = [{"table": c.table, "key": c.key, "row": self._row(c.table, c.key)} for c in observation.diff.changes]
        return Evidence(source="tables", facts={"rows": rows, "differs": []})

    def _row(self, table: str, key: str) -> Json | None:
        if table == "lamps":
            return {"is": self.lamps[key]}
        return {"text": self.notes[key]} if key in self.notes else None

    def snapshot(self) -> str:
        return "start"

    def restore(self, handle: str) -> None:
        self.reset(WorldSpec())

    def diff(self, since: str) -> StateDiff:
        return StateDiff()

    def close(self) -> None:
        self.reset(WorldSpec())


class Script:
    """Decides what it was told: actions, or raw text as a malformed one; repeats the last."""

    identity = "script"

    def __init__(self, *steps: Action | tuple[Action, ...] | Exception, window: int = 4096, spends: int = 10) -> None:
        self.steps: list[Any] = list(steps)
        self.context_tokens = window
        self.spends = spends
        self.saw: list[str] = []
        self.messages: list[Sequence[Json]] = []

    @property
    def accepts(self) -> frozenset[Literal["text", "image"]]:
        return frozenset({"text"})

    def count_tokens(self, text: str) -> int:
        return len(re.findall(r"\w+|\W", text))

    def decide(self, context: ContextView, deadline: Deadline) -> Decision:
        self.saw.append(context.text)
        self.messages.append(tuple(context.messages))
        chosen = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        if isinstance(chosen, Exception):
            raise chosen
        actions = chosen if isinstance(chosen, tuple) else (chosen,)
        raw = "".join(render_action(action) for action in actions)
        return Decision(actions=actions, raw=raw, usage=Usage(output_tokens=self.spends))

    def close(self) -> None:
        self.steps.clear()


class WordEmbedder:
    """A bag of words as a unit vector: the same words, the same direction."""

    identity, dimension = "words", 256

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"[a-z]+", text.lower()):
                vectors[row, zlib.crc32(word.encode()) % self.dimension] += 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def call(name: str, **arguments: Any) -> ToolCall:
    """A call as a planner chooses it."""
    return ToolCall(id="any", name=name, arguments=arguments)


@pytest.fixture
def phone() -> SmallPhone:
    return SmallPhone()


@pytest.fixture
def script() -> type[Script]:
    return Script


@pytest.fixture
def tool_call() -> Callable[..., ToolCall]:
    return call


@pytest.fixture
def make_spec() -> Callable[..., ToolSpec]:
    return spec


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def rooms_of(phone: SmallPhone, embedder: WordEmbedder) -> Callable[..., Rooms]:
    """Rooms around a planner; anything else may be given."""

    def make(
        planner: Script,
        *,
        user: User | None = None,
        approver: Approver | None = None,
        trace: TraceSink | None = None,
        limits: ContextLimits | None = None,
        result_chars: int = 1200,
    ) -> Rooms:
        limits = limits or ContextLimits(output_tokens=64, steps_tokens=64)
        assembler = Assembler(planner, Recall(embedder, open_database), load_eta(), limits)
        executor = Executor(phone, EffectGuard(approver or AllowAll()), user or NoUser())
        return Rooms(planner, assembler, executor, trace or Untraced(), result_chars)

    return make


@pytest.fixture
def context() -> Context:
    """An empty context with a generous window."""
    return Context(TOOLS, TOOLS, window=4096, reserve=64, count=len)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A fresh `POCKET_HOME` and working folder."""
    monkeypatch.setenv("POCKET_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
