"""The joint trace of one episode: what was shown, chosen, done and seen."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from runtime.contract.actions import Decision
from runtime.contract.base import Json, Record, Version
from runtime.contract.observations import Cut, Observation
from runtime.contract.tasks import TaskView


class Stop(StrEnum):
    """The named ways in which the loop ends."""

    FINISHED = "finished"
    ASKED = "asked"
    REFUSED = "refused"
    BUDGET = "budget"
    STUCK = "stuck"
    CANCELLED = "cancelled"
    INFRASTRUCTURE = "infrastructure"


class Step(Record):
    """One turn of the loop: o_t+1 follows a_t."""

    index: int
    """From 0 in the episode."""
    decision: Decision
    """a_t."""
    observations: tuple[Observation, ...] = ()
    """o_t+1, one for each call."""
    overhead_s: float = 0.0
    """Seconds of the step that were neither the model's nor the phone's."""


class Segment(Record):
    """A stretch in which the context only grew."""

    prefix: str
    """The rendered context before the first step: static parts, tools, Skills, memory, request."""
    reason: str = "request"
    """Why the segment began (request, compression, new recall)."""
    exposed: tuple[str, ...] = ()
    """Names of the tools shown."""
    sections: dict[str, int] = Field(default_factory=dict)
    """Characters of each section of the prefix."""
    cuts: tuple[Cut, ...] = ()
    """What did not fit."""
    steps: tuple[Step, ...] = ()
    """Append-only."""


class Digests(Record):
    """What produced the episode; equal digests and seeds give an equal episode."""

    harness: str = ""
    """Configuration, eta and code version of the harness."""
    tools: str = ""
    """Schemas of the provider's tools."""
    planner: str = ""
    """Planner name and checkpoint digest."""
    grammar: str = ""
    """Grammar of the last segment."""
    sampling: Json = Field(default_factory=dict)
    """Sampling parameters."""
    memory: str = ""
    """Provenance of the retrieved memory: ids of the records that the harness put into the context."""


class Timing(Record):
    """When and how long."""

    started_at: str = ""
    """UTC, ISO 8601."""
    seconds: float = 0.0
    """Wall time."""


class Confirmation(Record):
    """`confirm.py`'s word at serve time: the phone changed as the calls say; not that the request was understood."""

    confirmed: bool
    """Finish declared, an effect or answer exists, every write read back equal, no error unanswered."""
    reasons: tuple[str, ...] = ()
    """Why not, where not."""


class Episode(Record):
    """The whole trace of one task attempt."""

    contract: Version = 1
    """Contract version."""
    id: str
    """Run id."""
    task_id: str = ""
    """Task, in evaluation and training."""
    view: TaskView
    """What harness and planner received."""
    segments: tuple[Segment, ...] = ()
    """Ordered."""
    stop: Stop
    """Why it ended."""
    stop_detail: str = ""
    """Which limit, which loop, which failure."""
    confirmation: Confirmation | None = None
    """Serve-time confirmation."""
    digests: Digests = Digests()
    """What produced it."""
    group: str = ""
    """Group id (CARE compares attempts of one group)."""
    attempt: int = 0
    """Attempt within the group."""
    trainable: Literal["full", "sft_only", "none"] = "sft_only"
    """`full` only when every decision carries token ids and log-probabilities; `none`: erased, never learned from."""
    timing: Timing = Timing()
    """When and how long."""
    host: str = ""
    """Machine, for operations only."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps over all segments."""
        return tuple(step for segment in self.segments for step in segment.steps)

    def canonical(self) -> Json:
        """The episode without run id, host and timing: what a replay must reproduce to the letter."""
        data = self.model_dump(mode="json", exclude={"id", "host", "timing"})
        for segment in data["segments"]:
            for step in segment["steps"]:
                del step["overhead_s"], step["decision"]["seconds"], step["decision"]["usage"]["cached_tokens"]
                for seen in step["observations"]:
                    del seen["seconds"]
                    if seen["call"] is not None:
                        del seen["call"]["idempotency_key"]  # it holds the run id
        return data
