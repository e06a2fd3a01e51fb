"""One case: what is asked in which world, what must hold in the end and on the way, a right path and wrong ones.

Each stands in a file of its own under `paper/`; a wrong variant says by which check it must fail, so that it does not
fail by an accident. What does not fit is one message with the file, the field and what is expected.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from pydantic import Field

from evalkit.cases.order import Most, Waits
from evalkit.policies import FINISHED
from evalkit.tables import data_files, each_once, read_table
from runtime.contract import (
    SKILL_PREFIX,
    Domain,
    Json,
    MemoryGate,
    Outcome,
    Policy,
    Record,
    RowPattern,
    SetupError,
    SkillGate,
    StateCheck,
    TaskSpec,
    TaskView,
    ToolSpec,
    Turn,
    WorldSpec,
)
from runtime.contract.tasks import Check

HERE, FOLDER = "evalkit.cases", "paper"
Script = tuple[Json, ...]
"""Entries of a `ScriptedPlanner`."""


class Wrong(Record):
    """A way of going about it that must not pass."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    """Unique in its case."""
    fails: str = Field(min_length=3)
    """Part of the name of a check that must fail."""
    steps: Script = Field(min_length=1)
    """What the planner does."""


class Case(Record):
    """One case."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    """Unique over all files."""
    figure: str
    """Where the paper describes it."""
    shows: str = Field(min_length=10)
    """What it is about, in a sentence."""
    request: str = Field(min_length=2)
    """What is said."""
    turns: tuple[Turn, ...] = ()
    """Earlier turns."""
    clock: str = "2026-05-12T08:30"
    """The phone's clock."""
    facts: tuple[Json, ...] = ()
    """Rows on the phone."""
    memories: tuple[Json, ...] = ()
    """What the user's memory holds."""
    state: tuple[RowPattern, ...] = Field(min_length=1)
    """Changes that the phone and the memory must show in the end."""
    allowed: tuple[RowPattern, ...] = ()
    """Changes that may be there; any other fails the case."""
    needs_memories: tuple[str, ...] = ()
    """Records that the planner's searches must find."""
    needs_skills: tuple[str, ...] = ()
    """Skills that must be loaded."""
    waits: tuple[Waits, ...] = ()
    """What waits for what."""
    most: tuple[Most, ...] = ()
    """How often something may be tried."""
    right: Script = Field(min_length=1)
    """A path that is right."""
    wrong: tuple[Wrong, ...] = Field(min_length=1)
    """Paths that are not."""

    def tools(self) -> tuple[str, ...]:
        """Every tool that some path calls, in order: what the planner is shown."""
        scripts = (self.right, *(one.steps for one in self.wrong))
        return tuple(dict.fromkeys(step["name"] for step in _steps(scripts) if "name" in step))

    def policy(self) -> Policy:
        """What must hold in the end; the order of calls is judged beside it."""
        checks: list[Check] = [StateCheck(required=self.state, allowed=self.allowed), FINISHED]
        if self.needs_memories:
            checks.append(MemoryGate(ids=frozenset(self.needs_memories)))
        if self.needs_skills:
            checks.append(SkillGate(skills=frozenset(self.needs_skills)))
        return Policy(outcomes=(Outcome(checks=tuple(checks), note=self.shows),))

    def task(self, specs: dict[str, ToolSpec]) -> TaskSpec:
        """The case as a task over tools by name; a `SetupError` for one that no provider has."""
        names = self.tools()
        if unknown := [name for name in names if name not in specs]:
            raise SetupError(f"case `{self.name}` calls `{unknown[0]}`; expected a tool of `pocket tools`")
        return TaskSpec(
            id=f"cases/{self.name}",
            view=TaskView(request=self.request, turns=self.turns, tools=tuple(specs[name] for name in names)),
            world=WorldSpec(clock=self.clock, facts=self.facts, memories=self.memories),
            policy=self.policy(),
            family=self.name,
            domain=next((specs[name].domain for name in names if not name.startswith(SKILL_PREFIX)), Domain.ASSISTANT),
            part="skill" if any(name.startswith(SKILL_PREFIX) for name in names) else "tool_use",
        )


def _steps(scripts: Sequence[Script]) -> Iterator[Json]:
    for entry in chain.from_iterable(scripts):
        yield from entry.get("calls", [entry])


@lru_cache(maxsize=1)
def load_cases() -> tuple[Case, ...]:
    """All cases, in order of their files."""
    return each_once((read_table(name, text, Case) for name, text in data_files(HERE, FOLDER)), "cases")
