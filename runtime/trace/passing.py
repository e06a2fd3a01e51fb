"""A sink and its episodes that pass all on to those behind them: what listens to a run overrides what it hears."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from runtime.contract import (
    Decision,
    Episode,
    EpisodeWriter,
    Erased,
    Erasure,
    Json,
    Segment,
    Step,
    Stop,
    TaskView,
    TraceSink,
)


class PassingEpisode(EpisodeWriter):
    """An episode that is written by the one behind it."""

    def __init__(self, writer: EpisodeWriter) -> None:
        self._writer = writer

    @property
    def id(self) -> str:
        """As behind it."""
        return self._writer.id

    def segment(self, segment: Segment) -> None:
        """Begin a segment."""
        self._writer.segment(segment)

    def intend(self, index: int, decision: Decision) -> None:
        """Say what a step is about to do."""
        self._writer.intend(index, decision)

    def step(self, step: Step) -> None:
        """Append a step."""
        self._writer.step(step)

    def close(self, stop: Stop, detail: str, episode: Episode) -> None:
        """Write the end."""
        self._writer.close(stop, detail, episode)


class PassingSink(TraceSink):
    """A sink that opens the episodes of the one behind it."""

    def __init__(self, sink: TraceSink) -> None:
        self._sink = sink

    @contextmanager
    def episode(self, view: TaskView, header: Json) -> Iterator[EpisodeWriter]:
        """Open an episode behind."""
        with self._sink.episode(view, header) as writer:
            yield self.passing(writer)

    def passing(self, writer: EpisodeWriter) -> EpisodeWriter:
        """What stands before an episode of the sink behind."""
        return PassingEpisode(writer)

    def erase(self, erasure: Erasure, texts: Sequence[str] = ()) -> Erased:
        """As behind it."""
        return self._sink.erase(erasure, texts)
