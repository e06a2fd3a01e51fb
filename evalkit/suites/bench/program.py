"""Programs by name: each makes drafts of one interaction pattern, as many as are asked for.

A program is a generator over a `Maker`; the suite takes drafts from it until enough were admitted, or it ends.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evalkit.suites.bench.draft import BESIDE, CAPABILITIES, Draft, Part
from evalkit.suites.bench.maker import Maker
from runtime.contract import SetupError, Split

Make = Callable[[Maker], Iterator[Draft]]


@dataclass(frozen=True, slots=True)
class Program:
    """One interaction pattern."""

    name: str
    """The pattern."""
    part: Part
    """Part of the Overall score."""
    kind: str
    """Kind within its part."""
    capabilities: frozenset[str]
    """What its tasks ask of a planner."""
    sizes: tuple[int, int, int]
    """Admitted tasks wanted for train, dev and test."""
    make: Make
    """Makes drafts."""

    def size(self, split: Split) -> int:
        """Tasks wanted for a split; `evolve` shares dev's."""
        return self.sizes[{Split.TRAIN: 0, Split.TEST: 2}.get(split, 1)]


PROGRAMS: dict[str, Program] = {}
"""In the order of definition."""


def program(
    name: str, *, part: Part = "tool_use", kind: str, capabilities: tuple[str, ...], sizes: tuple[int, int, int]
) -> Callable[[Make], Make]:
    """Make a generator function a program of the suite."""
    if unknown := sorted(set(capabilities) - set(CAPABILITIES) - set(BESIDE)):
        raise SetupError(
            f"program `{name}` has the capability `{unknown[0]}`; expected one of {', '.join(CAPABILITIES)}"
        )
    if name in PROGRAMS:
        raise SetupError(f"two programs are called `{name}`; expected a name of its own")

    def add(make: Make) -> Make:
        PROGRAMS[name] = Program(name, part, kind, frozenset(capabilities), sizes, make)
        return make

    return add


def load_programs() -> dict[str, Program]:
    """All programs, their modules imported."""
    from importlib import import_module
    from importlib.resources import files

    folder = files("evalkit.suites.bench").joinpath("programs")
    for name in sorted(item.name for item in folder.iterdir() if item.name.endswith(".py")):
        if not name.startswith("_"):
            import_module(f"evalkit.suites.bench.programs.{name.removesuffix('.py')}")
    return dict(PROGRAMS)
