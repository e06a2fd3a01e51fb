"""Every interface of the project, declared once. Implementations never import each other.

All calls are synchronous, take a deadline with its cancel token where they may wait, and answer with a typed `timeout`
by then. One thread or process serves one episode. Arguments can be pickled.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from runtime.contract.actions import Decision, ToolCall
from runtime.contract.annotations import Erased, Erasure
from runtime.contract.base import Json, Record
from runtime.contract.deadline import Deadline
from runtime.contract.episodes import Episode, Segment, Step, Stop
from runtime.contract.errors import Failure
from runtime.contract.observations import Evidence, Observation, StateDiff
from runtime.contract.tasks import Policy, TaskView, WorldSpec
from runtime.contract.tools import ToolSpec
from runtime.contract.verdicts import Verdict


class ToolProvider(Protocol):
    """Whoever offers tools: a phone, memory, Skills, sub-agents, an MCP server."""

    def tools(self) -> Sequence[ToolSpec]:
        """All tools on offer, in a stable order."""
        ...

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Run one call. What goes wrong comes back as `Observation.failure`; nothing is raised for a tool's failure."""
        ...


class Remembering(ToolProvider, Protocol):
    """A provider whose idempotency keys outlive its process."""

    def recover(self, call: ToolCall, idempotency_key: str, deadline: Deadline) -> Observation | None:
        """What came of a call that was under way when a process died; None where it did not land, and may be run."""
        ...


class Stateful(Protocol):
    """What can be put into the state of a world and says what changed since: a phone, a memory."""

    def reset(self, world: WorldSpec) -> None:
        """Take the state that `world` describes."""
        ...

    def snapshot(self) -> str:
        """Remember the state; the handle is for `diff` and for `restore`."""
        ...

    def restore(self, handle: str) -> None:
        """Go back to a remembered state."""
        ...

    def diff(self, since: str) -> StateDiff:
        """Net change since a snapshot."""
        ...


class Phone(ToolProvider, Protocol):
    """A phone behind any backend."""

    def reset(self, world: WorldSpec) -> None:
        """Put the phone into the state that `world` describes."""
        ...

    def snapshot(self) -> str:
        """Remember the state; the handle is for `diff` and for `restore`."""
        ...

    def restore(self, handle: str) -> None:
        """Go back to a remembered state."""
        ...

    def diff(self, since: str) -> StateDiff:
        """Net change since a snapshot."""
        ...

    def read_back(self, call: ToolCall, observation: Observation) -> Evidence | None:
        """What the phone says about the rows that this write touched; None where it can't tell."""
        ...

    def close(self) -> None:
        """Give back everything borrowed."""
        ...


class Element(Record):
    """One element of a screen; its id belongs to one observation."""

    id: str
    """Id within the observation."""
    role: str
    """What it is."""
    label: str
    """What it says."""
    actions: tuple[str, ...] = ()
    """What can be done to it."""


class Screen(Protocol):
    """What a GUI sub-agent needs."""

    def observe(self, deadline: Deadline) -> Sequence[Element]:
        """The elements that are on the screen now."""
        ...

    def act(self, element: str, action: str, text: str, deadline: Deadline) -> Observation:
        """Act on one element of the last observation."""
        ...


class ContextPiece(Protocol):
    """One stretch of the context."""

    @property
    def text(self) -> str:
        """The text."""
        ...

    @property
    def origin(self) -> Literal["control", "content", "model"]:
        """`control` is read as special tokens, `content` never; `model` is what the planner itself generated."""
        ...


class ContextView(Protocol):
    """What a planner reads: an append-only text with the exposed tools."""

    @property
    def text(self) -> str:
        """The whole context of the current segment."""
        ...

    @property
    def pieces(self) -> Sequence[ContextPiece]:
        """The same, in the stretches that are tokenised one by one; only ever appended to within a segment."""
        ...

    @property
    def static_pieces(self) -> int:
        """How many of the first pieces never change between requests."""
        ...

    @property
    def segment(self) -> int:
        """Number of the current segment; a planner drops what it cached of an earlier one."""
        ...

    @property
    def exposed(self) -> Sequence[ToolSpec]:
        """Tools that may be called now."""
        ...

    @property
    def messages(self) -> Sequence[Json]:
        """The same context as chat messages, for endpoints that take no text."""
        ...


class Planner(Protocol):
    """pi_theta: chooses the next action."""

    @property
    def identity(self) -> str:
        """Name and checkpoint digest."""
        ...

    @property
    def context_tokens(self) -> int:
        """Size of the window in tokens."""
        ...

    @property
    def accepts(self) -> frozenset[Literal["text", "image"]]:
        """Kinds of content parts that it takes."""
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens that `text` costs."""
        ...

    def decide(self, context: ContextView, deadline: Deadline) -> Decision:
        """The next decision. Malformed output is a `ParseError`; an unreachable model raises `InfrastructureError`."""
        ...

    def close(self) -> None:
        """Free the model."""
        ...


class MemoryManager(ToolProvider, Stateful, Protocol):
    """Persistent memory: its tools, and the evidence that a harness asks for. Its diff is over the table `memories`."""

    def recall(self, query: str, limit: int, deadline: Deadline) -> Sequence[Json]:
        """Evidence for a query, with provenance, best first; each item has a `memory_id`."""
        ...

    def profile(self, limit: int, deadline: Deadline) -> Sequence[Json]:
        """The validated compact model of the user, the most important first: all that is there without a query."""
        ...

    def due(self, event: str, deadline: Deadline) -> Sequence[Json]:
        """Intentions that become due now, or by `event` in plain words, each once. They are evidence and do nothing."""
        ...

    def capture(self, episode: Episode) -> int:
        """Keep what happened in a run that has ended, without a model call; the number of new memories."""
        ...

    def close(self) -> None:
        """Give back everything borrowed."""
        ...


class SkillProvider(ToolProvider, Protocol):
    """Loads Skills by tools. Only its results open tools: those named under `loaded_tools` of their data."""

    @property
    def opens_tools(self) -> bool:
        """True."""
        ...


class ScenarioAdapter(Protocol):
    """Maps exposed tools to Skill guidance at request time; discovers and executes nothing."""

    def guidance(self, exposed: Sequence[ToolSpec], turns: int) -> str:
        """K_t: guidance for the reachable tools, within its limit."""
        ...


class Embedder(Protocol):
    """Text to vectors."""

    @property
    def identity(self) -> str:
        """Model and digest; vectors of different identities are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Vectors (len(texts), dimension), L2-normalised."""
        ...


class TextModel(Protocol):
    """One endpoint for judge, controller, editor, teacher and the LLM-simulated phone."""

    def complete(self, messages: Sequence[Json], deadline: Deadline, **options: Any) -> str:
        """The reply's text."""
        ...


class User(Protocol):
    """Answers a question: a person, a script, a simulation."""

    def answer(self, question: str, deadline: Deadline) -> str | None:
        """The answer; None ends the episode as asked."""
        ...


class Confirm(Record):
    """What an approver is shown."""

    call: ToolCall
    """The call."""
    effects: tuple[str, ...]
    """Why it is asked about."""
    facts: str
    """What will happen, in one sentence with the values."""
    tool: str = ""
    """Digest of the tool's specification: an agreement for later holds for this tool alone."""


class Approver(Protocol):
    """Answers a confirmation."""

    @property
    def unasked(self) -> bool:
        """Whether the last answer was a no for want of anybody to ask."""
        return False

    def approve(self, question: Confirm, deadline: Deadline) -> bool:
        """True only on a clear yes."""
        ...


class Guard(Protocol):
    """Decides outside the model whether a call may run."""

    def check(self, call: ToolCall, spec: ToolSpec, deadline: Deadline) -> str | None:
        """None: may run. Otherwise the reason of the refusal."""
        ...


class CallHook(Protocol):
    """Sees every call that passed schema and guard, before it runs and after it."""

    def before(self, call: ToolCall, spec: ToolSpec, episode: str, deadline: Deadline) -> Failure | None:
        """None: it may run. Otherwise why it does not."""
        ...

    def after(self, call: ToolCall, seen: Observation, episode: str, deadline: Deadline) -> Sequence[Observation]:
        """What is to be said beside the result."""
        ...


class EnvironmentPool(Protocol):
    """Phones on lease."""

    def lease(self, world: WorldSpec, deadline: Deadline) -> str:
        """A lease id on a phone in the state of `world`."""
        ...

    def heartbeat(self, lease: str) -> None:
        """Keep the lease."""
        ...

    def phone(self, lease: str) -> Phone:
        """The leased phone."""
        ...

    def release(self, lease: str) -> None:
        """Give it back."""
        ...


class Verifier(Protocol):
    """Says after the end whether the task was accomplished."""

    def judge(self, policy: Policy, episode: Episode, diff: StateDiff) -> Verdict:
        """The verdict; reads records only."""
        ...


class EpisodeWriter(Protocol):
    """One episode being written: one transaction a step."""

    @property
    def id(self) -> str:
        """Run id."""
        ...

    def segment(self, segment: Segment) -> None:
        """Begin a segment."""
        ...

    def intend(self, index: int, decision: Decision) -> None:
        """Write down what step `index` is about to do; a run that goes on after a kill begins with it."""
        ...

    def step(self, step: Step) -> None:
        """Append a step; durable when this returns."""
        ...

    def close(self, stop: Stop, detail: str, episode: Episode) -> None:
        """Write the end."""
        ...


class Erasable(Protocol):
    """Whatever keeps what a user said, and can be made to forget it."""

    def erase(self, erasure: Erasure, texts: Sequence[str] = ()) -> Erased:
        """Remove what the erasure names, and what holds one of `texts`; nothing of them is written down."""
        ...


class TraceSink(Erasable, Protocol):
    """Where episodes are kept. An episode that an erasure reaches loses its words and can't be learned from."""

    def episode(self, view: TaskView, header: Json) -> AbstractContextManager[EpisodeWriter]:
        """Open an episode; whatever ends the block, what was written stays."""
        ...
