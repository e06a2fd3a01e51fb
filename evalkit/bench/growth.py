"""Does a step cost more the longer an episode is? Step 15 over step 2, of what is neither the model nor the phone.

The same kind of call in every step of a script, in the rooms of `pocket run` with a full memory, all tools and the
embedded planner's tokens; a step's overhead is what the trace says.
"""

import tempfile
from contextlib import closing
from pathlib import Path

from evalkit.bench.frame import Order, median
from evalkit.bench.remembering import remembering
from runtime.contract import Json, Step, TaskView, WorldSpec
from runtime.harness import run_episode
from runtime.planner.scripted import ScriptedPlanner
from runtime.trace import TraceStore
from runtime.wiring import open_database, open_rooms, planner_tokens

EARLY, LATE = 1, 14
"""Indices of steps 2 and 15."""
EPISODES = 60
REQUEST = "set an alarm for every quarter of an hour from six to ten"


class Counted(ScriptedPlanner):
    """A script, counted in the embedded planner's tokens and bound to its window."""

    def __init__(self, window: int) -> None:
        super().__init__([_alarm(number) for number in range(LATE + 1)])
        self.context_tokens = window

    def count_tokens(self, text: str) -> int:
        """As the embedded planner counts."""
        return planner_tokens(text)


def _alarm(number: int) -> Json:
    time = f"{6 + number // 4}:{number % 4 * 15:02d}"
    return {"name": "manage_alarm", "arguments": {"action": "create", "time": time, "title": f"bell {number + 10}"}}


def growth(order: Order) -> Json:
    """Overhead of steps 2 and 15, and their ratio; a ratio of 1 is no growth."""
    episodes: list[tuple[Step, ...]] = []
    with remembering(order) as (settings, count), tempfile.TemporaryDirectory() as folder:
        planner = Counted(settings.planner.context_tokens)
        with (
            closing(TraceStore(Path(folder) / "traces.sqlite3", open_database)) as store,
            open_rooms(settings, trace=store, world=WorldSpec(), planner=planner) as opened,
        ):
            view = TaskView(request=REQUEST, budget=settings.budget.model_copy(update={"steps": LATE + 1}))
            for _ in range(1 + min(order.limit or EPISODES, EPISODES)):  # the first one warms up and is left out
                opened.phone.reset(WorldSpec())
                planner.rewind()
                episodes.append(run_episode(view, opened.rooms).steps)
            tools = len(opened.rooms.executor.offered())
    early, late = (
        median((steps[place].overhead_s * 1000 for steps in episodes[1:] if len(steps) > place), 4)
        for place in (EARLY, LATE)
    )
    return {
        "overhead_growth": round(late / early, 3) if early and late else None,
        "overhead_step_2_ms_p50": early,
        "overhead_step_15_ms_p50": late,
        "growth_memories": count,
        "growth_tools": tools,
        "growth_episodes": sum(len(steps) > LATE for steps in episodes[1:]),
    }
