"""What is made harder, as one record: it is part of a run's identity, and of the header that re-scoring reads.

1. *Distractors*: so many more tools are exposed than a task's budget names.
2. *Scramble*: names and descriptions of tools are made of other words, the same word always by the same one.
3. *Faults*: a share of calls times out or finds the phone offline, before anything happened.
4. *Wrong data*: a share of results holds one wrong value.
5. *Events*: something happens on the phone in mid-task that nobody asked for.

Every draw is seeded by task, attempt and number of the call: the same run gives the same trouble everywhere.
"""

from collections.abc import Sequence

from pydantic import Field

from evalkit.stress.words import Words
from runtime.contract import Json, Record, TaskSpec, TaskView, ToolSpec


class Stress(Record):
    """Stress axes of a run; by default none."""

    distractors: int = Field(default=0, ge=0)
    """Tools exposed beyond the budget of a task."""
    scramble: bool = False
    """Whether tools are shown under other words."""
    faults: float = Field(default=0.0, ge=0.0, le=1.0)
    """Share of calls that fail."""
    wrong_data: float = Field(default=0.0, ge=0.0, le=1.0)
    """Share of results with a wrong value."""
    events: bool = False
    """Whether something happens in mid-task."""

    @property
    def axes(self) -> list[str]:
        """The axes in force, in words."""
        return [f"{name} {value}" for name, value in self.model_dump().items() if value]

    def shown(self, tools: Sequence[ToolSpec]) -> tuple[ToolSpec, ...]:
        """The tools as a planner is shown them."""
        return tuple(map(Words().spec, tools)) if self.scramble else tuple(tools)

    def view(self, view: TaskView, offered: Sequence[ToolSpec]) -> TaskView:
        """The view of a task under these axes; `offered` are all tools by their own names."""
        tools = view.tools
        if tools is not None and self.distractors:
            names = {tool.name for tool in tools}
            others = [tool for tool in offered if tool.name not in names | view.unavailable]
            tools = (*tools, *others[: self.distractors])
        budget = view.budget.model_copy(update={"tools": view.budget.tools + self.distractors})
        unavailable = view.unavailable
        if self.scramble:
            tools = tools and self.shown(tools)
            unavailable = frozenset(map(Words().name, unavailable))
        return view.model_copy(update={"tools": tools, "unavailable": unavailable, "budget": budget})

    def gold(self, task: TaskSpec) -> TaskSpec:
        """The task with its gold in the names that are shown, for agents that play it."""
        if not self.scramble:
            return task
        steps: list[Json] = [
            {**step, "name": Words().name(step["name"])} if "name" in step else step for step in task.gold
        ]
        return task.model_copy(update={"gold": tuple(steps)})
