"""The crew: specialists behind one provider. A call is a handoff, and its result the deliverable itself.

    call -> references resolved -> Handoff -> an episode of the specialist's own: its tools, its budget, its trace
         -> Delivered: artifacts, what the phone said about every write, cost -> Observation

1. The planner waits: a handoff returns when its episode has ended. What it brings back has ids for the next one.
2. The episode is one like any other, with the same guard, user and hooks: what asks, asks; what is stuck, stops. Its
   trace names the call that it belongs to (`task_id`).
3. A limit, the phone or the user may end it before it is done: the result then says how, and what had landed.
4. A run that goes on after a kill finds a handoff that was under way by that name, and goes on with it.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, Literal

from runtime.assemble import Assembler, ContextLimits
from runtime.contract import (
    Budget,
    CallHook,
    Deadline,
    Episode,
    ErrorCode,
    Evidence,
    ExecutedCall,
    Failure,
    Guard,
    Json,
    Observation,
    Phone,
    RowChange,
    StateDiff,
    Stop,
    TaskView,
    ToolCall,
    ToolFailure,
    ToolProvider,
    ToolSpec,
    TraceSink,
    User,
)
from runtime.executor import Executor
from runtime.harness import resume_episode, run_episode
from runtime.rooms import Labels, Rooms
from runtime.stops import TIME_OVER
from runtime.subagents.by_procedure import Outcome, ProcedurePlanner, results_of
from runtime.subagents.handoff import Artifact, Cost, Delivered, Handoff, resolved
from runtime.subagents.specialists import Specialist, staff
from runtime.trace import TraceReader, TraceStore

WHOLE = 200_000
"""Characters of a result: a procedure reads all of it."""
CODES = {
    Stop.BUDGET: ErrorCode.TIMEOUT, Stop.CANCELLED: ErrorCode.CANCELLED, Stop.INFRASTRUCTURE: ErrorCode.OFFLINE,
}  # fmt: skip
"""Codes of ends before the work was done; the others are `conflict`."""
ARTIFACTS = "artifacts"
"""Key of a result's data, where a planner reads them, and of its evidence, where they are whole."""
GLANCE = 90
"""Characters of an artifact's value that a planner reads: two of them and what was said fit a short result."""


class Crew:
    """The contract's `ToolProvider`; it keeps the artifacts of one run at a time."""

    def __init__(
        self,
        phone: Phone,
        guard: Guard,
        user: User,
        beside: Sequence[ToolProvider],
        hooks: Sequence[CallHook],
        lay: Assembler,
        trace: TraceSink,
        seconds: float = 60.0,
        history: Callable[[], TraceReader] | None = None,
    ) -> None:
        """`lay` lends recall and instructions; `history` reads the traces, for a run that goes on."""
        self._phone, self._guard, self._user, self._beside = phone, guard, user, tuple(beside)
        self._hooks, self._lay, self._trace, self._seconds, self._history = tuple(hooks), lay, trace, seconds, history
        self._here = {spec.name: spec for provider in (phone, *beside) for spec in provider.tools()}
        self._staff = {one.name: one for one in staff(self._here)}
        self._run, self._known = "", dict[str, Artifact]()

    def tools(self) -> Sequence[ToolSpec]:
        """A tool for each specialist whose work this phone can do."""
        return tuple(one.spec for one in self._staff.values())

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Hand a task over and wait for the deliverable."""
        executed = ExecutedCall(name=call.name, arguments=call.arguments, idempotency_key=idempotency_key, landed="no")
        try:
            handoff = self._handed(call, idempotency_key)
        except ToolFailure as failure:
            return Observation(call_id=call.id, call=executed, failure=failure.failure())
        planner = self._planner(handoff)
        view = self._view(handoff)
        episode = run_episode(view, self._rooms(planner, self._trace), deadline, Labels(task_id=handoff.parent))
        return self._told(executed, call, handoff, planner, episode, deadline)

    def recover(self, call: ToolCall, idempotency_key: str, deadline: Deadline) -> Observation | None:
        """What came of a handoff that was under way; None where it had not begun."""
        if self._history is None or not isinstance(self._trace, TraceStore):
            return None
        executed = ExecutedCall(name=call.name, arguments=call.arguments, idempotency_key=idempotency_key, landed="no")
        with closing(self._history()) as reader:
            begun = [run for label, run, *_ in reader.labelled(idempotency_key) if label == idempotency_key]
            if not begun:
                return None
            handoff = self._handed(call, idempotency_key)
            planner = self._planner(handoff)
            episode = reader.episode(begun[-1])
            if episode.confirmation is None:
                earlier = reader.earlier(begun[-1])
                episode = resume_episode(earlier, self._rooms(planner, self._trace.going_on(earlier)), deadline)
        return self._told(executed, call, handoff, planner, episode, deadline)

    def remind(self, episode: str, observations: Sequence[Observation]) -> None:
        """Know what was delivered before the process died."""
        self._of(episode)
        for seen in observations:
            if seen.call is not None and seen.call.name in self._staff and seen.ok and seen.evidence is not None:
                self._keep(Artifact.model_validate(one) for one in seen.evidence.facts[ARTIFACTS])

    def _of(self, run: str) -> None:
        if self._run != run:
            self._run, self._known = run, {}

    def _keep(self, artifacts: Any) -> None:
        self._known |= {one.id: one for one in artifacts}

    def _handed(self, call: ToolCall, key: str) -> Handoff:
        self._of(key.rpartition(":")[0])
        arguments, used = resolved(call.arguments, self._known)
        budget = Budget(steps=self._staff[call.name].steps, seconds=self._seconds)
        return Handoff(agent=call.name, arguments=arguments, artifacts=used, budget=budget, parent=key)

    def _planner(self, handoff: Handoff) -> ProcedurePlanner:
        one, here = self._staff[handoff.agent], frozenset(self._here)
        return ProcedurePlanner(handoff.agent, lambda: one.procedure(handoff.arguments, here))

    def _view(self, handoff: Handoff) -> TaskView:
        one: Specialist = self._staff[handoff.agent]
        tools = tuple(self._here[name] for name in one.tools if name in self._here)
        return TaskView(request=handoff.sentence, tools=tools, budget=handoff.budget)

    def _rooms(self, planner: ProcedurePlanner, trace: TraceSink) -> Rooms:
        assembler = Assembler(planner, self._lay.recall, self._lay.eta, ContextLimits())
        executor = Executor(self._phone, self._guard, self._user, self._beside, self._hooks)
        return Rooms(planner, assembler, executor, trace, WHOLE)

    def _told(
        self, executed: ExecutedCall, call: ToolCall, handoff: Handoff, planner: ProcedurePlanner, episode: Episode,
        deadline: Deadline,
    ) -> Observation:  # fmt: skip
        """The episode as the result of the call."""
        done = self._delivered(handoff, planner, episode, deadline.expired)
        self._keep(done.artifacts)
        executed = executed.model_copy(update={"landed": _landed(episode)})
        facts: Json = {
            "rows": list(done.evidence), "differs": _differs(done, episode), "trace": done.trace,
            "cost": done.cost.model_dump(), "handed": handoff.arguments,
            ARTIFACTS: [one.model_dump(mode="json") for one in done.artifacts],
        }  # fmt: skip
        seen = Observation(
            call_id=call.id, call=executed, diff=_diff(episode), evidence=Evidence(source=done.trace, facts=facts)
        )
        if done.status != "done":
            code = ErrorCode.CONFLICT if done.status == "blocked" else CODES.get(episode.stop, ErrorCode.CONFLICT)
            failure = Failure(code=code, message=f"{handoff.agent}: {done.message}", details={"status": done.status})
            return seen.model_copy(update={"failure": failure})
        data: Json = {
            "status": done.status,
            ARTIFACTS: [
                {"id": one.id, "kind": one.kind, "value": one.value if len(one.words) <= GLANCE else _glance(one.words)}
                for one in done.artifacts
            ],
            "said": _glance(done.message),
        }
        return seen.model_copy(update={"data": data})

    def _delivered(self, handoff: Handoff, planner: ProcedurePlanner, episode: Episode, run_over: bool) -> Delivered:
        outcome = planner.played(results_of(episode.steps))
        calls = sum(isinstance(action, ToolCall) for step in episode.steps for action in step.decision.actions)
        cost = Cost(
            steps=len(episode.steps),
            calls=calls,
            tokens=sum(step.decision.usage.output_tokens for step in episode.steps),
            seconds=round(episode.timing.seconds, 3),
        )
        ended = Delivered(status="failed", evidence=tuple(_rows(episode)), cost=cost, trace=episode.id)
        if not isinstance(outcome, Outcome) or episode.stop not in (Stop.FINISHED, Stop.REFUSED):
            if episode.stop is Stop.ASKED:
                said = f"the user did not answer `{episode.stop_detail}`"
                return ended.model_copy(update={"status": "blocked", "message": said})
            return ended.model_copy(update={"message": _ended(handoff, episode, run_over)})
        if not outcome.done:
            return ended.model_copy(update={"status": "blocked", "message": outcome.message})
        first = len(self._known) + 1
        made = tuple(
            Artifact(id=f"a{first + place}", kind=kind, value=value, by=handoff.agent)
            for place, (kind, value) in enumerate(outcome.artifacts)
        )
        return ended.model_copy(update={"status": "done", "message": outcome.message, "artifacts": made})


def _ended(handoff: Handoff, episode: Episode, run_over: bool) -> str:
    """How an agent was ended; a limit by the name under which the user can raise it."""
    if episode.stop is Stop.BUDGET and len(episode.steps) >= handoff.budget.steps:
        return f"it took all of its {handoff.budget.steps} steps"
    if episode.stop is Stop.BUDGET and episode.stop_detail.startswith(TIME_OVER):
        limit = "`budget.seconds` of the run" if run_over else f"`agents.seconds` = {handoff.budget.seconds:g}"
        return f"its time is over ({limit})"
    return f"it ended as `{episode.stop}`: {episode.stop_detail}"


def _glance(words: str) -> str:
    """As a planner reads it: the next agent gets a long value whole, by its id."""
    return words if len(words) <= GLANCE else f"{words[:GLANCE]} ... {len(words) - GLANCE} more characters"


def _seen(episode: Episode) -> list[Observation]:
    return [seen for step in episode.steps for seen in step.observations]


def _rows(episode: Episode) -> list[Json]:
    """What the phone said about every row that was written, the last word on each."""
    rows: dict[tuple[str, str], Json] = {}
    for seen in _seen(episode):
        for row in seen.evidence.facts.get("rows", ()) if seen.evidence is not None else ():
            rows[row["table"], row["key"]] = row
    return list(rows.values())


def _differs(done: Delivered, episode: Episode) -> list[str]:
    """Why the work of an agent that calls it done is not confirmed."""
    word = episode.confirmation
    return list(word.reasons) if done.status == "done" and word is not None and not word.confirmed else []


def _diff(episode: Episode) -> StateDiff:
    """Net change over all calls of the episode."""
    ends: dict[tuple[str, str], tuple[Json | None, Json | None]] = {}
    for change in (change for seen in _seen(episode) for change in seen.diff.changes):
        place = (change.table, change.key)
        ends[place] = (ends[place][0] if place in ends else change.before, change.after)
    changes = [
        RowChange(table=table, key=key, before=before, after=after)
        for (table, key), (before, after) in sorted(ends.items())
        if before != after
    ]
    return StateDiff(changes=tuple(changes))


def _landed(episode: Episode) -> Literal["yes", "no", "unknown"]:
    calls = [seen for seen in _seen(episode) if seen.call is not None]
    if any(seen.call is not None and seen.call.landed == "unknown" for seen in calls):
        return "unknown"
    return "yes" if any(not seen.diff.empty for seen in calls) else "no"
