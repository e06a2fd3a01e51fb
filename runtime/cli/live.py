"""Shows an episode while it runs: a line for each call as soon as it is written, a spinner while the planner thinks."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from textwrap import indent
from typing import Any, Literal

from rich.console import Console
from rich.text import Text

from runtime.contract import (
    Action,
    ContextView,
    Deadline,
    Decision,
    Episode,
    EpisodeWriter,
    Json,
    Observation,
    ParseError,
    Planner,
    Segment,
    Step,
    Stop,
    ToolCall,
    TraceSink,
)
from runtime.shown import text_of_observation
from runtime.trace.passing import PassingEpisode, PassingSink
from runtime.visible import in_one_line, visible

RESULT_WIDTH = 160
BESIDE = frozenset(("check", "hook", "recovery"))
"""Keys of what a Skill's condition, a hook of the user or the recovery says beside a result."""
WRITTEN = 100
"""Last characters that are shown of what a planner is writing."""


class Watched(Planner):
    """A planner with a spinner."""

    def __init__(self, planner: Planner, console: Console) -> None:
        self._planner, self._console = planner, console

    @property
    def identity(self) -> str:
        """As behind it."""
        return self._planner.identity

    @property
    def context_tokens(self) -> int:
        """As behind it."""
        return self._planner.context_tokens

    @property
    def accepts(self) -> frozenset[Literal["text", "image"]]:
        """As behind it."""
        return self._planner.accepts

    def count_tokens(self, text: str) -> int:
        """As behind it."""
        return self._planner.count_tokens(text)

    def decide(self, context: ContextView, deadline: Deadline) -> Decision:
        """Decide, visibly: what a local model writes is shown as it writes it."""
        if not self._console.is_terminal:
            return self._planner.decide(context, deadline)
        with self._console.status("thinking") as status, listening(self._planner, Tail(status.update)):
            return self._planner.decide(context, deadline)

    def close(self) -> None:
        """As behind it."""
        self._planner.close()

    def __getattr__(self, name: str) -> Any:
        """What only some planners have (`grammar_digest`), as behind it."""
        return getattr(self._planner, name)


class Tail:
    """Shows the end of a text that grows."""

    def __init__(self, show: Callable[[Text], None]) -> None:
        self._show, self._text = show, ""

    def __call__(self, more: str) -> None:
        """Some more of it."""
        self._text += more
        self._show(Text(in_one_line(self._text)[-WRITTEN:], style="dim"))


@contextmanager
def listening(planner: Planner, listener: Callable[[str], None]) -> Iterator[None]:
    """Hear what a planner writes, where it can be heard."""
    speaker: Any = planner
    if not hasattr(speaker, "listener"):
        yield
        return
    speaker.listener = listener
    try:
        yield
    finally:
        speaker.listener = None


class Shown(PassingSink):
    """A trace sink that prints what passes."""

    def __init__(self, sink: TraceSink, console: Console) -> None:
        super().__init__(sink)
        self._console = console

    def passing(self, writer: EpisodeWriter) -> EpisodeWriter:
        """Cuts and steps are printed."""
        return _ShownEpisode(writer, self._console)


class _ShownEpisode(PassingEpisode):
    def __init__(self, writer: EpisodeWriter, console: Console) -> None:
        super().__init__(writer)
        self._console = console

    def segment(self, segment: Segment) -> None:
        super().segment(segment)
        for cut in segment.cuts:
            self._console.print(
                Text(f"left out: {cut.left_out} {cut.unit} of {cut.what} ({cut.limit})", style="yellow")
            )

    def step(self, step: Step) -> None:
        super().step(step)
        for line in step_lines(step):
            self._console.print(line)


def step_lines(step: Step) -> list[Text]:
    """A step as lines: each action, and under it what came back."""
    lines: list[Text] = []
    seen = {one.call_id: one for one in step.observations}
    for action in step.decision.actions:
        lines.append(Text.assemble((f"{step.index + 1:>3}  ", "dim"), (visible(action_text(action)), "bold")))
        answer = seen.get(action.id) if isinstance(action, ToolCall) else seen.get("")
        if answer is not None:
            lines.append(_result(answer, step))
    said = [one for one in step.observations if not one.call_id and one.data.keys() & BESIDE]
    return lines + [Text(f"     {visible(text_of_observation(one))}", style="yellow") for one in said]


def end_lines(episode: Episode, note: str = "") -> list[Text]:
    """How an episode ended and whether it is confirmed, each said once; `note` stands beside the word."""
    word = episode.confirmation
    said = visible(f"{episode.stop}: {episode.stop_detail}" if episode.stop_detail else str(episode.stop))
    if word is None or episode.stop is Stop.CANCELLED:
        return [Text.assemble((said, "bold red"), (note, "dim"))]
    if word.confirmed:
        return [Text(said), Text.assemble(("confirmed", "bold green"), (note, "dim"))]
    lines = [Text.assemble(("not confirmed", "bold red"), (note, "dim"))]
    lines += [Text(f"  {visible(reason)}", style="red") for reason in word.reasons]
    return [Text(said), *lines] if episode.stop is Stop.FINISHED else lines


def action_text(action: Action) -> str:
    """An action in one line."""
    if isinstance(action, ToolCall):
        return f"{action.name}({', '.join(f'{name}={value!r}' for name, value in action.arguments.items())})"
    if isinstance(action, ParseError):
        return "malformed action"
    words = action.model_dump(exclude={"kind"})
    return f"{action.kind}: {next(iter(words.values()))}"


def _result(seen: Observation, step: Step) -> Text:
    spent = step.decision.seconds + seen.seconds
    took = f"  {spent:.1f} s" if spent else ""
    if seen.failure is not None:
        words = f"{seen.failure.status} {seen.failure.code}: {seen.failure.message}"
        return Text.assemble((f"     {visible(words)}", "red"), (_part(seen), "dim"))
    text = visible(text_of_observation(seen))
    short = (
        text if len(text) <= RESULT_WIDTH else f"{text[:RESULT_WIDTH]} ... {len(text) - RESULT_WIDTH} more characters"
    )
    return Text.assemble((indent(short, " " * 5), "green"), (took + _part(seen), "dim"))


def _part(seen: Observation) -> str:
    """Where the episode of a sub-agent's part is."""
    part = seen.evidence.facts.get("trace") if seen.evidence is not None else None
    return f"  trace {part}" if part else ""


def cost_of(seen: Observation) -> str | None:
    """What a handoff took, in words; None for any other call."""
    cost = seen.evidence.facts.get("cost") if seen.evidence is not None else None
    if not isinstance(cost, dict):
        return None
    counts = ((cost["steps"], "step"), (cost["calls"], "call"), (cost["tokens"], "token"))
    return ", ".join(f"{count:,} {name}{'s' * (count != 1)}" for count, name in counts) + f", {cost['seconds']:.1f} s"


def used_tokens(steps: Sequence[Step]) -> Json:
    """Token counts of an episode."""
    return {
        "prompt_tokens": max((step.decision.usage.prompt_tokens for step in steps), default=0),
        "output_tokens": sum(step.decision.usage.output_tokens for step in steps),
    }
