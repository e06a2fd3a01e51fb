"""Programs of calls of which a later one needs the result of an earlier one.

A family is one ordered pair of tools and stands in one split alone. Its gold points into results (`$1.data...`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evalkit.suites.core.drafts import UNSEEN, Draft, composition, seeded, spoken, world_for
from evalkit.suites.core.single import DONE, FOUND, reads_only
from evalkit.suites.core.values import Draw, load_values
from runtime.contract import Json, Split, TaskView, ToolSpec


@dataclass(frozen=True, slots=True)
class Family:
    """One dependent family."""

    name: str
    """Unique."""
    split: Split
    """The one split that it stands in."""
    calls: tuple[Json, ...]
    """Gold calls with slots and references."""
    templates: tuple[str, ...]
    """Requests with slots."""
    plant: tuple[Json, ...] = ()
    """Rows that must be there."""

    @property
    def tools(self) -> tuple[str, ...]:
        """Ordered tools."""
        return tuple(call["name"] for call in self.calls)

    @property
    def composition(self) -> str:
        """Ordered tools under the condition that one depends on another."""
        return composition("dependent_call", self.tools)


def families() -> tuple[Family, ...]:
    """All families, in order of module and definition."""
    from evalkit.suites.core.families import ALL

    return ALL


def dependent(split: Split, specs: Mapping[str, ToolSpec], count: int, first: int = 0) -> Iterator[Draft]:
    """`count` tasks of each family of a split, numbers `first` on, templates one after another."""
    for family in families():
        if family.split is not split or any(tool not in specs or tool in UNSEEN for tool in family.tools):
            continue
        order = list(family.templates)
        seeded("order", family.name).shuffle(order)
        for number in range(first, first + count):
            yield _draft(family, order[number % len(order)], specs, number)


def _draft(family: Family, template: str, specs: Mapping[str, ToolSpec], number: int) -> Draft:
    rng = seeded("dependent", family.name, number)
    draw = Draw(load_values(), family.split, rng)
    request = spoken(draw.fill(template))
    calls = tuple(_filled(call, draw) for call in family.calls)
    last = calls[-1]
    reads = reads_only(specs[last["name"]], last["arguments"])
    return Draft(
        family=family.name,
        pattern="dependent_call",
        domain=specs[last["name"]].domain,
        split=family.split,
        view=TaskView(request=request),
        world=world_for(family.split, draw, family.plant, rng),
        gold=(*calls, {"finish": rng.choice(FOUND if reads else DONE)}),
        tools=family.tools,
        template=template,
    )


def _filled(call: Json, draw: Draw) -> Json:
    arguments: dict[str, Any] = {
        name: draw.fill(value) if isinstance(value, str) else value for name, value in call["arguments"].items()
    }
    return {"name": call["name"], "arguments": arguments}
