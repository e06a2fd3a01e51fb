"""A run that was broken off, as its trace holds it: what it had done, and what it was about to do."""

from dataclasses import dataclass

from runtime.contract import Decision, Json, Segment, Step, Stop, TaskView

GOES_ON = (Stop.CANCELLED, Stop.INFRASTRUCTURE)
"""Ends after which a run can go on, as after a kill."""


@dataclass(frozen=True)
class Earlier:
    """A run that was broken off."""

    id: str
    """Run id."""
    view: TaskView
    """The task."""
    segments: tuple[Segment, ...]
    """With the steps that were finished."""
    intent: Decision | None
    """What the step after those was about to do; None where nothing was chosen yet."""
    pid: int
    """Its process."""
    started_at: str
    """UTC, ISO 8601."""
    settings: Json
    """Those that were in force."""
    part_of: str
    """The run that handed it its task, for a sub-agent's; else empty."""
    phone: str
    """Id of its kept phone; empty: the phone keeps its state itself, or none was kept."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """All of them."""
        return tuple(step for segment in self.segments for step in segment.steps)

    @property
    def decided(self) -> int:
        """Decisions that the planner has made."""
        return len(self.steps) + (self.intent is not None)

    @property
    def seconds(self) -> float:
        """What the steps took; they count against the budget."""
        return sum(spent(step) for step in self.steps)


def spent(step: Step) -> float:
    """Seconds of one step: planner, providers, harness."""
    return step.decision.seconds + step.overhead_s + sum(seen.seconds for seen in step.observations)
