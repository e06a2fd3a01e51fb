"""One dialogue at the terminal: lines in, an episode for each request, what came of it out.

1. A line is a request, or a word that begins with `/`, also where a question waits: that leaves the question unanswered
   and ends its request. Lines may also come through a pipe.
2. Ctrl-C while a request runs ends that request; what it had done stays, and the next line goes on from there. At the
   prompt it ends nothing. Ctrl-D, the end of the pipe or `/quit` ends the dialogue.
3. An answer to a question that takes the request back ("never mind, turn on the torch") ends the request; what follows
   it is the next one.
"""

import re
import sys
from dataclasses import dataclass, field, replace

from rich.console import Console
from rich.text import Text

from runtime.cli.common import interruptible
from runtime.cli.live import Shown, Watched
from runtime.cli.serve import report_of, show_outcome
from runtime.contract import (
    CancelToken,
    Deadline,
    Episode,
    EpisodeWriter,
    Json,
    StateDiff,
    Stop,
    TaskView,
    TraceSink,
    User,
)
from runtime.dialogue import Conversation
from runtime.guard import Policy
from runtime.harness import refuse_bad_request, run_episode
from runtime.rooms import Labels
from runtime.trace.passing import PassingEpisode, PassingSink
from runtime.visible import visible
from runtime.watch import due_by, events_of
from runtime.wiring import Opened, clock_of

HELP = "/new: begin anew; /holds: what you said that holds; /turns: what the next request is shown; /quit"
TAKEN_BACK = re.compile(
    r"^\s*(?:never ?mind\b[\s,.;:!-]*(?:and\b)?|(?:forget (?:it|that)|leave it|cancel(?: (?:it|that))?)"
    r"\s*(?:$|[,.;:!-]+|\band\b))\s*(.*)$",
    re.I,
)
"""A request that follows stands after a mark or an "and": "cancel the alarm" is an answer, "forget that limit" too."""


class Lines:
    """Lines from a terminal with a prompt, or from a pipe."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.pending = ""
        """A request that was said as an answer."""

    def next(self, prompt: str) -> str | None:
        """The next line; None at the end. Ctrl-C at the prompt gives an empty line."""
        if self.pending:
            line, self.pending = self.pending, ""
            return line
        try:
            if sys.stdin.isatty():
                self._console.print(Text(prompt, style="bold"), end="")
                return input()
            line = sys.stdin.readline()
            return line.rstrip("\n") if line else None
        except EOFError:
            return None
        except KeyboardInterrupt:
            self._console.print(Text("\nCtrl-D or /quit ends the dialogue", style="dim"))
            return ""


class ChatUser(User):
    """Answers from the same lines; what takes the request back is no answer."""

    def __init__(self, lines: Lines, console: Console) -> None:
        self._lines, self._console = lines, console

    def answer(self, question: str, deadline: Deadline) -> str | None:
        """The next line, or None where there is none, it takes the request back or it is a word of the dialogue."""
        self._console.print(Text(visible(question) or "What is missing?", style="cyan"))
        reply = self._lines.next("> ")
        if reply is None or not reply.strip():
            return None
        if reply.lstrip().startswith("/"):
            self._lines.pending = reply.strip()
            return None
        if taken_back := TAKEN_BACK.match(reply):
            self._lines.pending = taken_back[1].strip()
            return None
        return reply.strip()


class LastEpisode(PassingSink):
    """A trace sink that remembers the last episode, also of a run that was broken off."""

    def __init__(self, sink: TraceSink) -> None:
        super().__init__(sink)
        self.episode_kept: Episode | None = None

    def passing(self, writer: EpisodeWriter) -> EpisodeWriter:
        """Its end is remembered."""
        return _Remembering(writer, self)


class _Remembering(PassingEpisode):
    def __init__(self, writer: EpisodeWriter, sink: LastEpisode) -> None:
        super().__init__(writer)
        self._kept = sink

    def close(self, stop: Stop, detail: str, episode: Episode) -> None:
        super().close(stop, detail, episode)
        self._kept.episode_kept = episode


@dataclass
class Spent:
    """What a dialogue has cost."""

    requests: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0

    def add(self, report: Json) -> None:
        """Count one request."""
        self.requests += 1
        self.prompt_tokens += report["prompt_tokens"]
        self.output_tokens += report["output_tokens"]
        self.seconds += report["seconds"]

    def line(self) -> str:
        """In words."""
        tokens = f"{self.prompt_tokens:,} tokens read, {self.output_tokens:,} written"
        return f"{self.requests} request{'s' * (self.requests != 1)}, {tokens}, {self.seconds:.0f} s"


@dataclass
class Talk:
    """A dialogue in progress."""

    opened: Opened
    """The rooms."""
    conversation: Conversation
    """What was said and done."""
    policy: Policy
    """What was agreed to."""
    console: Console
    """Where it is shown."""
    spent: Spent = field(default_factory=Spent)
    """The cost so far."""

    def turn(self, request: str) -> Json:
        """Carry out one request; its report."""
        task = self.conversation.view(request, self.opened.settings.budget)
        refuse_bad_request(task)
        self.policy.new_request()
        before = self.opened.snapshot()
        episode = self._run(task, request)
        diff = self.opened.diff(before)
        self.conversation.add(episode)
        show_outcome(self.console, episode, diff)
        report = {**report_of(episode, diff), "dialogue": self.conversation.name, "due": self._due(diff)}
        self.spent.add(report)
        self.console.print(Text(f"so far: {self.spent.line()}", style="dim"))
        return report

    def _run(self, task: TaskView, request: str) -> Episode:
        rooms, cancel = self.opened.rooms, CancelToken()
        kept = LastEpisode(rooms.trace)
        live = replace(
            rooms,
            planner=Watched(rooms.planner, self.console),
            trace=Shown(kept, self.console),
            assembler=self.conversation.assembler(rooms.assembler, request),
        )
        try:
            with interruptible(cancel):
                return run_episode(task, live, Deadline(None, cancel), Labels(task_id=self.conversation.label))
        except KeyboardInterrupt:
            if kept.episode_kept is None:
                raise
            return kept.episode_kept

    def _due(self, diff: StateDiff) -> list[Json]:
        """Intentions that became due by the time or by what was just done: shown, never carried out."""
        if self.opened.memory is None:
            return []
        at = clock_of(self.opened.phone).isoformat(timespec="minutes")
        due = due_by(self.opened.memory, ["", *events_of(diff)], at, Deadline.never())
        for item in due:
            self.console.print(Text(visible(f"due: {item['content']} ({item['because']})"), style="cyan"))
        return due

    def command(self, word: str) -> bool:
        """Carry out a word that begins with `/`; False when it ends the dialogue."""
        if word == "/new":
            self.conversation.forget_turns()
            self.console.print(Text("begun anew", style="dim"))
        elif word == "/holds":
            held = [f"{one.words} (request {one.place + 1})" for one in self.conversation.constraints]
            self.console.print(Text(visible("\n".join(held) or "nothing that you said holds on"), style="dim"))
        elif word == "/turns":
            shown = [f"{turn.role}: {turn.text}" for turn in self.conversation.turns()]
            self.console.print(Text(visible("\n".join(shown) or "nothing was said yet"), style="dim"))
        elif word != "/quit":
            known = "" if word == "/help" else f"there is no {visible(word)}. "
            self.console.print(Text(known + HELP, style="dim"))
        return word != "/quit"
