"""The phone for a client of ours: each call through the executor with its guard, and into the trace as a step.

What the guard asks about is asked of the client's user, in one of two ways: at once over the open line (`Asked.ask`),
or by the answer `NeedsAnswer`, after which the client calls again with what its user said. A client that can ask nobody
gets a refusal that says which rule of the user would allow it. Nothing that is asked about is ever done unasked.

A session is one episode: its request is the client's name, and it is never learned from.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from runtime.contract import (
    Approver,
    CallHook,
    Confirm,
    Deadline,
    Decision,
    Effect,
    Episode,
    EpisodeWriter,
    ErrorCode,
    Json,
    Observation,
    Phone,
    Segment,
    Step,
    Stop,
    TaskView,
    Timing,
    ToolCall,
    ToolSpec,
    TraceSink,
)
from runtime.executor import Executor
from runtime.guard import EffectGuard, Policy, beforehand
from runtime.shown import body_of
from runtime.users import NoUser

ALLOW = "This client can ask nobody. The user can allow it: `{command}`."
Ask = Callable[[Confirm, Deadline], bool]


class NeedsAnswer(Exception):  # noqa: N818 - it carries a question
    """The call waits for an answer of the client's user."""

    def __init__(self, question: Confirm) -> None:
        super().__init__(question.facts)
        self.question = question


@dataclass
class Asked(Approver):
    """Answers the guard for one call after another."""

    ask: Ask | None = None
    """Asks the client's user over the open line; None: nobody can be asked."""
    later: bool = False
    """The client asks its user between two calls."""
    answer: bool | None = None
    """What its user said, where the call comes again with an answer."""
    unasked: bool = False
    """Whether a question of this call could not be put."""
    agreed: bool = False
    """Whether this call was agreed to."""

    def next_call(self, answer: bool | None, later: bool, ask: Ask | None) -> None:
        """Another call begins."""
        self.answer, self.later, self.ask = answer, later, ask
        self.unasked = self.agreed = False

    def approve(self, question: Confirm, deadline: Deadline) -> bool:
        """True only on a clear yes."""
        if self.answer is None and self.later:
            raise NeedsAnswer(question)
        self.agreed = self.answered(question, deadline)
        return self.agreed

    def answered(self, question: Confirm, deadline: Deadline) -> bool:
        """The answer, if there is anybody to give one."""
        if self.answer is not None:
            return self.answer
        if self.ask is None:
            self.unasked = True
            return False
        return self.ask(question, deadline)


class Inside(Approver):
    """Answers a phone that asks by itself in the middle of a call: a call that was agreed to is not asked about twice,
    and what can't be asked there is a no."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked

    def approve(self, question: Confirm, deadline: Deadline) -> bool:
        """True only on a clear yes."""
        return self._asked.agreed or self._asked.answered(question, deadline)


class Desk:
    """One client's session with the phone; used by one thread."""

    def __init__(
        self,
        phone: Phone,
        *,
        asked: frozenset[Effect],
        policy: Policy,
        sink: TraceSink,
        tools: Sequence[ToolSpec],
        approver: Asked | None = None,
        hooks: Sequence[CallHook] = (),
        seconds: float = 120.0,
    ) -> None:
        """`tools` are those on offer; `asked` are the effects that wait for a yes."""
        self.tools, self.approver = tuple(tools), approver or Asked()
        self._seconds, self._sink = seconds, sink
        guard = EffectGuard(self.approver, asked, policy)
        self._executor = Executor(phone, guard, NoUser(), (), hooks)
        self._executor.offered()
        self._writer: EpisodeWriter | None = None
        self._steps: list[Step] = []
        self._began, self._started_at = time.perf_counter(), datetime.now(UTC).isoformat(timespec="milliseconds")

    @contextmanager
    def session(self, client: str) -> Iterator[None]:
        """Keep what is done in the block as one episode."""
        view = TaskView(request=f"(calls of the MCP client {client or 'without a name'})")
        header: Json = {"task_id": "mcp", "started_at": self._started_at, "trainable": "none"}
        segment = Segment(prefix="", reason="mcp", exposed=tuple(spec.name for spec in self.tools))
        with self._sink.episode(view, header) as self._writer:
            self._writer.segment(segment)
            try:
                yield
            finally:
                kept = segment.model_copy(update={"steps": tuple(self._steps)})
                timing = Timing(started_at=self._started_at, seconds=time.perf_counter() - self._began)
                episode = Episode(id=self._writer.id, task_id="mcp", view=view, segments=(kept,), stop=Stop.FINISHED,
                                  trainable="none", timing=timing)  # fmt: skip
                self._writer.close(Stop.FINISHED, "the client left", episode)

    def call(self, name: str, arguments: Json, deadline: Deadline) -> Observation:
        """Run one call; `NeedsAnswer` where the client's user is to be asked first, and nothing was done."""
        index = len(self._steps)
        call = ToolCall(id=f"s{index}a", name=name, arguments=arguments)
        decision = Decision(actions=(call,))
        run = self._writer.id if self._writer is not None else ""
        seen = self._executor.apply(decision, self.tools, run, deadline.within(self._seconds))
        if self.approver.unasked:
            seen[0] = _explained(seen[0], call, self.tools)
        step = Step(index=index, decision=decision, observations=tuple(seen))
        self._steps.append(step)
        if self._writer is not None:
            self._writer.step(step)
        return seen[0]


def reported(seen: Observation) -> Json:
    """What a client is told of an observation: result, the call as executed, what changed, what was read back."""
    if seen.failure is not None:
        return {**body_of(seen), "details": seen.failure.details}
    told: Json = {"result": seen.data}
    if seen.call is not None:
        told["executed"] = seen.call.arguments
    if seen.diff.changes:
        told["changed"] = [change.model_dump(mode="json") for change in seen.diff.changes]
    if seen.evidence is not None:
        told["read_back"] = seen.evidence.facts
    return told


def _explained(seen: Observation, call: ToolCall, tools: Sequence[ToolSpec]) -> Observation:
    """A refusal that says how the user can allow it."""
    if seen.failure is None or seen.failure.code is not ErrorCode.REFUSED_BY_GUARD:
        return seen
    spec = next(spec for spec in tools if spec.name == call.name)
    effects = spec.effects_of(call.arguments) - {Effect.READ, Effect.WRITE}
    message = f"{seen.failure.message} {ALLOW.format(command=beforehand(call.name, effects))}"
    return seen.model_copy(update={"failure": seen.failure.model_copy(update={"message": message})})
