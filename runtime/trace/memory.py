"""A sink that keeps nothing: for benches, and for rollouts that are stored by whoever asked for them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from runtime.contract import Decision, Episode, Erased, Erasure, Json, Segment, Step, Stop, TaskView
from runtime.trace.write import new_id


class Untraced:
    """The contract's `TraceSink` without a file; `run_episode` still returns the whole episode."""

    @contextmanager
    def episode(self, view: TaskView, header: Json) -> Iterator["Unwritten"]:
        """An episode with an id and nothing behind it."""
        yield Unwritten()

    def erase(self, erasure: Erasure, texts: Sequence[str] = ()) -> Erased:
        """There is nothing to erase."""
        return Erased(store="traces")


class Unwritten:
    """One episode that is written nowhere."""

    def __init__(self) -> None:
        self.id = new_id()

    def segment(self, segment: Segment) -> None:
        """Nothing is kept."""

    def intend(self, index: int, decision: Decision) -> None:
        """Nothing is kept."""

    def step(self, step: Step) -> None:
        """Nothing is kept."""

    def close(self, stop: Stop, detail: str, episode: Episode) -> None:
        """Nothing is kept."""
