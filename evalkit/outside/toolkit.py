"""A toolkit in its worker: its tasks, and an episode on each as a ToolProvider.

1. `Toolkit` owns one worker process. It may hold any number of episodes, one after the other or at once.
2. `OutsideEpisode` is a ToolProvider over instances that live for the episode alone. Its observation carries the
   toolkit's own words as text and the value as data; what a tool raises is a failure from the closed list.
3. Tools that a task holds back are not shown before their turn, but run when called, as in the toolkits' executors.
"""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic_core import from_json

from evalkit.outside.environment import Kind, command_of, setup_line
from evalkit.outside.specs import own_names, spec_of
from evalkit.outside.wire import (
    Begun,
    Called,
    Clock,
    Ended,
    Gold,
    Judged,
    OutsideTask,
    State,
    Tasks,
    Theirs,
    Tools,
    Worker,
    WorkerTimeout,
)
from runtime.contract import (
    Deadline,
    ErrorCode,
    ExecutedCall,
    Failure,
    Observation,
    SetupError,
    TextPart,
    ToolCall,
    ToolSpec,
)

START_S, ANSWER_S = 120.0, 120.0
CODES: dict[str, ErrorCode] = {
    "BadCall": ErrorCode.BAD_ARGUMENT,
    "ValidationError": ErrorCode.BAD_ARGUMENT,
    "ValueError": ErrorCode.BAD_ARGUMENT,
    "NameError": ErrorCode.UNKNOWN_TOOL,
    "ToolNotFoundError": ErrorCode.UNKNOWN_TOOL,
    "KeyError": ErrorCode.NOT_FOUND,
    "FileNotFoundError": ErrorCode.NOT_FOUND,
    "PermissionError": ErrorCode.PERMISSION_DENIED,
    "NotImplementedError": ErrorCode.UNSUPPORTED,
}
"""What a tool raised, in the contract's words; every other class is `internal`."""
NEVER_RAN = frozenset({"BadCall", "ValidationError", "NameError", "ToolNotFoundError"})
"""Raised before the tool itself runs."""


class Toolkit:
    """One toolkit in one worker process. A context manager."""

    def __init__(self, kind: Kind, folder: Path) -> None:
        self.worker = Worker(command_of(kind, folder))
        try:
            hello = self.worker.hello(Deadline(START_S))
            if hello.missing:
                raise SetupError(f"`{hello.missing}` can't be imported in `{folder}`. {setup_line(kind, folder)}")
            self.version = hello.version
            tools = self.worker.ask(Tools, Deadline(START_S), "tools").tools
            self.tasks: tuple[OutsideTask, ...] = self.worker.ask(Tasks, Deadline(START_S), "tasks").tasks
            self.specs = {group: tuple(spec_of(tool) for tool in tools if tool.group == group)
                          for group in {tool.group for tool in tools}}  # fmt: skip
            self.names = own_names(tools)
        except BaseException:
            self.worker.close()
            raise
        self.called = {own: name for name, own in self.names.items()}
        self.begun = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.worker.close()

    def gold(self, task: OutsideTask) -> tuple[tuple[tuple[ToolCall, ...], ...], str]:
        """The task's own calls by turn, in the contract's names, and what should be said at the end."""
        gold = self.worker.ask(Gold, Deadline(ANSWER_S), "gold", task=task.id)
        turns = [
            tuple(
                ToolCall(id=f"{turn}.{place}", name=self.called.get(one.name, one.name), arguments=one.arguments)
                for place, one in enumerate(calls)
            )
            for turn, calls in enumerate(gold.turns)
        ]
        return tuple(turns), gold.answer

    def begin(self, task: OutsideTask) -> "OutsideEpisode":
        """An episode on fresh instances, which are made with its first request."""
        self.begun += 1
        self.worker.queue(Begun, "begin", task=task.id, episode=self.begun)
        return OutsideEpisode(self, task, self.begun)

    def cpu_s(self) -> float:
        """Processor time of the worker so far, in seconds; whatever is queued is done first."""
        return self.worker.ask(Clock, Deadline(ANSWER_S), "clock").cpu_s

    def theirs(self, task: OutsideTask) -> Theirs:
        """The toolkit's own executor on the task's gold, in this process."""
        return self.worker.ask(Theirs, Deadline(ANSWER_S), "theirs", task=task.id)


class OutsideEpisode:
    """A ToolProvider over one task's own instances."""

    def __init__(self, toolkit: Toolkit, task: OutsideTask, number: int) -> None:
        self.task = task
        self.turn = 0
        """Set by whoever plays the turns: it decides which tools are shown."""
        self._toolkit, self._number = toolkit, number
        self._applied: dict[str, Observation] = {}

    def tools(self) -> Sequence[ToolSpec]:
        """The tools that this turn shows."""
        held = {self._toolkit.called[name] for name, turn in self.task.held.items() if turn > self.turn}
        specs = (spec for group in self.task.groups for spec in self._toolkit.specs.get(group, ()))
        return [spec for spec in specs if spec.name not in held]

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Run one call. A key that was applied gives its first observation again."""
        return self.execute_all([call], deadline, [idempotency_key])[0]

    def execute_all(self, calls: Sequence[ToolCall], deadline: Deadline, keys: Sequence[str]) -> list[Observation]:
        """Run several calls in their order with one round trip; a key each, empty for none."""
        worker, wanted = self._toolkit.worker, [key for key in keys if key]
        if len(set(wanted)) < len(wanted) or not self._applied.keys().isdisjoint(wanted):
            return [self._applied_or_run(call, deadline, key) for call, key in zip(calls, keys, strict=True)]
        for call in calls:
            name = self._toolkit.names.get(call.name, call.name)
            worker.queue(Called, "call", episode=self._number, name=name, arguments=call.arguments)
        try:
            answers = [one for one in worker.collect(deadline) if isinstance(one, Called)][-len(calls) :]
        except WorkerTimeout as error:
            return [_timed_out(call, key, str(error)) for call, key in zip(calls, keys, strict=True)]
        seen = [_observation(*one) for one in zip(calls, keys, answers, strict=True)]
        self._applied.update((key, one) for key, one in zip(keys, seen, strict=True) if key)
        return seen

    def _applied_or_run(self, call: ToolCall, deadline: Deadline, key: str) -> Observation:
        if key and key in self._applied:
            return self._applied[key].model_copy(update={"call_id": call.id})
        return self.execute_all([call], deadline, [key])[0]

    def state(self) -> dict[str, str]:
        """Digest of the state by group."""
        return self._toolkit.worker.ask(State, Deadline(ANSWER_S), "state", episode=self._number).parts

    def judge(self, answer: str) -> bool:
        """The toolkit's own check of the episode, given what the agent said at the end."""
        return self._toolkit.worker.ask(Judged, Deadline(ANSWER_S), "judge", episode=self._number, output=answer).passed

    def close(self) -> None:
        """Drop the instances, with the next request."""
        self._toolkit.worker.queue(Ended, "end", episode=self._number)


def _observation(call: ToolCall, key: str, answer: Called) -> Observation:
    value = from_json(answer.text) if answer.encoded else answer.value
    failure = Failure(code=CODES.get(answer.raised, ErrorCode.INTERNAL), message=answer.text) if answer.raised else None
    landed = "yes" if failure is None else "no" if answer.raised in NEVER_RAN else "unknown"
    return Observation(
        call_id=call.id,
        parts=(TextPart(text=answer.text),),
        data=value if isinstance(value, dict) else {} if failure else {"result": value},
        call=ExecutedCall(name=call.name, arguments=call.arguments, idempotency_key=key, landed=landed),
        failure=failure,
    )


def _timed_out(call: ToolCall, key: str, message: str) -> Observation:
    executed = ExecutedCall(name=call.name, arguments=call.arguments, idempotency_key=key, landed="unknown")
    return Observation(call_id=call.id, call=executed, failure=Failure(code=ErrorCode.TIMEOUT, message=message))
