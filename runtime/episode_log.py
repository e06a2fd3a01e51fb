"""One episode while it runs: what was chosen and seen, written step by step, and at the end one record.

The seconds of a step that were neither the model's nor the phone's (nor a person's) are its `overhead_s`. They run
from the end of the step before, so that writing that step, assembling and recall are all in somebody's overhead.
"""

import platform
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from runtime.confirm import confirm
from runtime.context import Context
from runtime.contract import (
    Deadline,
    Decision,
    Digests,
    Episode,
    EpisodeWriter,
    Json,
    Observation,
    Segment,
    Step,
    Stop,
    TaskView,
    Timing,
    ToolCall,
    ToolSpec,
)
from runtime.digests import tools_digest
from runtime.executor import Waiting
from runtime.resume import REASON, laid, repeat
from runtime.rooms import Labels, Rooms
from runtime.stops import Ending
from runtime.trace.earlier import Earlier, spent
from runtime.trace.masking import secret_fields


class EpisodeLog:
    """Collects the steps of one episode and writes each through before the next begins."""

    def __init__(
        self,
        task: TaskView,
        context: Context,
        *,
        writer: EpisodeWriter,
        waiting: Waiting,
        digests: Digests,
        labels: Labels,
        began: float,
        earlier: Earlier | None = None,
    ) -> None:
        """`earlier`: the run that is gone on with; its steps stand in `context` already."""
        self.task, self.context, self.id = task, context, writer.id
        self.before: tuple[Segment, ...] = earlier.segments if earlier else ()
        self.steps: list[Step] = list(earlier.steps) if earlier else []
        self._writer, self._waiting, self._digests, self._labels = writer, waiting, digests, labels
        self._started_at = earlier.started_at if earlier else _utc()
        self._began, self._mark = began, began
        self._outside = waiting.seconds
        exposed = tuple(tool.name for tool in context.exposed)
        self._segment = Segment(
            prefix=context.text,
            reason=REASON if earlier else "request",
            exposed=exposed,
            sections=context.sections,
            cuts=context.cuts,
        )
        writer.segment(self._segment)

    def deciding(self, decide: Callable[[Context, Deadline], Decision], context: Context, until: Deadline) -> Decision:
        """Let the planner decide; its wall time is not the harness's."""
        with self._waiting:
            started = time.perf_counter()
            decision = decide(context, until)
        return decision.model_copy(update={"seconds": time.perf_counter() - started})

    def numbered(self, decision: Decision) -> Decision:
        """The decision with call ids of ours, `s0a`: unique in the episode whatever an endpoint calls them."""
        actions = tuple(
            action.model_copy(update={"id": f"s{len(self.steps)}{_letters(index)}"})
            if isinstance(action, ToolCall)
            else action
            for index, action in enumerate(decision.actions)
        )
        return decision.model_copy(update={"actions": actions})

    def intend(self, decision: Decision) -> Decision:
        """Write down a decision that has calls before the first of them runs."""
        if any(isinstance(action, ToolCall) for action in decision.actions):
            self._writer.intend(len(self.steps), decision)
        return decision

    def record(self, decision: Decision, observations: Sequence[Observation]) -> None:
        """Append a step; durable when this returns."""
        now = time.perf_counter()
        overhead = now - self._mark - (self._waiting.seconds - self._outside)
        self._mark, self._outside = now, self._waiting.seconds
        step = Step(index=len(self.steps), decision=decision, observations=tuple(observations), overhead_s=overhead)
        self.steps.append(step)
        self._writer.step(step)

    def close(self, end: Ending) -> Episode:
        """Write the end and return the whole."""
        episode = Episode(
            id=self.id,
            task_id=self._labels.task_id,
            view=self.task,
            segments=(
                *self.before,
                self._segment.model_copy(update={"steps": self._fresh}),
            ),
            stop=end.stop,
            stop_detail=end.detail,
            confirmation=confirm(self.steps, end, self.context.exposed),
            digests=self._digests,
            group=self._labels.group,
            attempt=self._labels.attempt,
            trainable="full" if self._has_ids else "sft_only",
            timing=Timing(started_at=self._started_at, seconds=self._seconds),
            host=platform.node(),
        )
        self._writer.close(end.stop, end.detail, episode)
        return episode

    @property
    def _has_ids(self) -> bool:
        """Whether a learner may use it whole: ids of a decision that another process made fit no segment here."""
        return bool(self.steps) and not self.before and all(_has_ids(step) for step in self.steps)

    @property
    def _fresh(self) -> tuple[Step, ...]:
        """The steps of this segment."""
        return tuple(self.steps[sum(len(segment.steps) for segment in self.before) :])

    @property
    def _seconds(self) -> float:
        """Wall time, with what earlier steps took."""
        return time.perf_counter() - self._began + sum(spent(step) for one in self.before for step in one.steps)


@contextmanager
def opened(
    task: TaskView, rooms: Rooms, labels: Labels, until: Deadline, earlier: Earlier | None = None
) -> Iterator[EpisodeLog]:
    """Assemble the context and open the trace. Whatever ends the block, an end is written."""
    began = time.perf_counter()
    offered = rooms.executor.offered()
    if earlier is None:
        context = rooms.assembler.begin(task, offered, until)
    else:
        context = laid(earlier, rooms.assembler, offered, until)
        repeat(context, rooms.executor, earlier.id, earlier.steps, task.unavailable)
        context.segment = len(earlier.segments)
    bound = getattr(rooms.planner, "grammar_digest", None)
    made_by = {"tools": tools_digest(offered), "planner": rooms.planner.identity, "memory": " ".join(context.evidence)}
    digests = rooms.digests.model_copy(update={**made_by, "grammar": bound(context.exposed) if bound else ""})
    with rooms.trace.episode(task, _header(labels, digests, rooms, offered)) as writer:
        if rooms.world is not None:
            rooms.executor.served.append(writer.id)
        waiting = rooms.executor.waiting
        log = EpisodeLog(task, context, writer=writer, waiting=waiting, digests=digests, labels=labels, began=began,
                         earlier=earlier)  # fmt: skip
        try:
            yield log
        except KeyboardInterrupt:
            log.close(Ending(Stop.CANCELLED, "interrupted"))
            raise
        except Exception as error:
            log.close(Ending(Stop.INFRASTRUCTURE, f"{type(error).__name__}: {error}"))
            raise


def _header(labels: Labels, digests: Digests, rooms: Rooms, offered: Sequence[ToolSpec]) -> Json:
    marked = secret_fields(offered)
    kept = {"phone": rooms.phone} if rooms.phone else {}
    world = {} if rooms.world is None else {"world": rooms.world, "after": list(rooms.executor.served)}
    return {
        **({"secret_fields": marked} if marked else {}),
        **world,
        "task_id": labels.task_id,
        "group": labels.group,
        "attempt": labels.attempt,
        "digests": digests.model_dump(mode="json"),
        "settings": rooms.settings,
        "host": platform.node(),
        "started_at": _utc(),
        **kept,
    }


def _has_ids(step: Step) -> bool:
    return step.decision.tokens is not None and step.decision.prompt_ids is not None


def _letters(index: int) -> str:
    """a, b, ... z, aa, ab, ..."""
    head, last = divmod(index, 26)
    return (_letters(head - 1) if head else "") + chr(97 + last)


def _utc() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
