"""Where scripts are played: all rooms of a run, opened once, with a planner that is handed one script after another.

Nothing is shortened for a script: the context, the guard, the executor and its read-back are those of `pocket run`; a
case says itself which tools are shown. Nobody is at the phone, and confirmations are given.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from evalkit.cases.refusing import RefusingPhone
from evalkit.scene import Scene
from evalkit.stress import Stress
from runtime.config import IN_MEMORY, load_settings
from runtime.contract import (
    ContextView,
    Deadline,
    Decision,
    Episode,
    Json,
    Observation,
    StateDiff,
    Stop,
    TaskSpec,
    ToolCall,
    ToolProvider,
    ToolSpec,
    UserError,
)
from runtime.harness import run_episode
from runtime.planner.plain import ModelFree
from runtime.planner.scripted import ScriptedPlanner
from runtime.recall import Recall
from runtime.trace import Untraced
from runtime.wiring import open_database, open_embedder, open_rooms

RESULT_CHARS = 8000
"""Characters of a result: a script reads ids out of results, also where they are long."""


SECONDS = 3600.0
"""Of an episode: a script decides nothing by the clock, however busy the machine is."""


class Reader(ModelFree):
    """A planner that plays the script it was handed last."""

    identity = "scripted"

    def __init__(self) -> None:
        self._script = ScriptedPlanner(())

    def hand(self, script: Sequence[Json]) -> None:
        """Begin another script."""
        self._script = ScriptedPlanner(script)

    def decide(self, context: ContextView, deadline: Deadline) -> Decision:
        """The script's next entry."""
        return self._script.decide(context, deadline)


class Unhurried(Recall):
    """Tool recall that learns a tool when it is first asked about: every case fixes what it shows, a handful."""

    def warm(self, tools: Sequence[ToolSpec]) -> None:
        """Nothing is learned ahead."""


@dataclass(frozen=True)
class Played:
    """What came of one script."""

    episode: Episode
    """As the harness closed it."""
    diff: StateDiff
    """What phone and memory show."""
    before: tuple[Observation, ...] = ()
    """What came of the calls of earlier turns."""


class Stage:
    """One phone with memory and Skills beside it."""

    def __init__(self, scene: Scene, phone: RefusingPhone, reader: Reader) -> None:
        self._scene, self.phone, self._reader = scene, phone, reader
        self.specs: dict[str, ToolSpec] = {spec.name: spec for spec in scene.offered()}
        """All tools by name."""

    def play(self, task: TaskSpec, script: Sequence[Json], before: Sequence[ToolCall] = ()) -> Played:
        """Bring the phone into the task's world, make the calls of earlier turns, and let the script play."""
        staged = self._scene.stage(task)
        earlier = tuple(_made(call, (staged.phone, *staged.opened.beside)) for call in before)
        staged = replace(staged, start=staged.opened.snapshot())
        self._reader.hand(script)
        budget = staged.view.budget.model_copy(update={"seconds": SECONDS})
        try:
            episode = run_episode(staged.view.model_copy(update={"budget": budget}), staged.rooms)
        except UserError as error:  # a script that points to a result that is not there
            episode = Episode(id="", task_id=task.id, view=staged.view, stop=Stop.BUDGET, stop_detail=str(error))
        return Played(episode, staged.diff(), earlier)


def _made(call: ToolCall, providers: Sequence[ToolProvider]) -> Observation:
    """What came of a call of an earlier turn, at the first provider that offers it."""
    mine = next(one for one in providers if any(spec.name == call.name for spec in one.tools()))
    return mine.execute(call, Deadline.never(), f"earlier:{call.id}")


@contextmanager
def open_stage() -> Iterator[Stage]:
    """A stage over a sandbox of its own; the user's memory is never opened."""
    settings = load_settings(
        {
            "planner": {"use": "keyword"},
            "context": {"result_chars": RESULT_CHARS},
            "memory": {"use": True, "inject": False, "capture": False, "file": IN_MEMORY},
            "skills": {"use": True, "shelves": ["library", "more"], "guidance": False},
        }
    )
    reader, phone = Reader(), RefusingPhone()
    recall = Unhurried(open_embedder(), open_database)
    with open_rooms(settings, phone=phone, planner=reader, trace=Untraced(), recall=recall) as opened:
        yield Stage(Scene(opened, Stress(), settings), phone, reader)
