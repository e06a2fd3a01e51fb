"""Training tasks of the suite `bench` as exchanges: the phone whole, with memory, Skills and sub-agents.

    TaskSpec (train split) -> its world on a whole phone -> gold played, answers of its script -> Exchange

Every task was admitted, so whatever its calls give belongs to it: refusals of the phone too. Of a loaded Skill what
names a tool that no training may see is left out, line and tool alike.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from random import Random

from evalkit.suites.core.drafts import UNSEEN
from evalkit.whole import MEMORY_TOOLS
from runtime.contract import SKILL_PREFIX, Json, Observation, Phone, TaskSpec, ToolSpec
from runtime.executor import LOADED, UNKNOWN
from trainer.data.exchange import Beside, Exchange, Move
from trainer.data.oracle import kind_of, played, refuse_held_out, shown, tools_of

ITEM = re.compile(r"\n(?=\d+\. )")
"""Between two items of a Skill's numbered instructions."""
LOADERS_ALONE = 0.5
"""Of the Skill tasks whose Skill opens all that they need."""


def exchanges_of(tasks: Iterable[TaskSpec], phone: Phone, specs: Mapping[str, ToolSpec], rng: Random) -> list[Exchange]:
    """One exchange a task; `phone` offers what stands beside it too (evalkit/whole.py)."""
    return [exchange_of(task, phone, specs, rng) for task in tasks]


def exchange_of(task: TaskSpec, phone: Phone, specs: Mapping[str, ToolSpec], rng: Random) -> Exchange:
    """The exchange of one admitted task."""
    refuse_held_out(task.id, task.split)
    phone.reset(task.world)
    memory = task.part == "memory" or bool(task.world.memories)
    allowed = frozenset(specs) - task.view.unavailable - UNSEEN - (frozenset() if memory else MEMORY_TOOLS)
    moves: list[Move] = []
    opened: set[str] = set()
    for seen, move in played(task.gold, phone, list(specs.values()), task.policy.user_answers):
        moves.append(move if seen is None else loaded(move, seen, allowed))
        opened |= set(moves[-1].opens)
    called = tools_of(task.gold)
    return Exchange(
        said=task.view.request,
        moves=tuple(moves),
        tools=called - opened,
        absent=task.view.unavailable,
        turns=task.view.turns,
        beside=_beside(task, memory, called - opened, rng),
        kind=task.part if task.part in ("memory", "skill") else kind_of(task.pattern, task.gold),
    )


def _beside(task: TaskSpec, memory: bool, needed: frozenset[str], rng: Random) -> Beside:
    if task.part != "skill":
        return "memory" if memory else ""
    alone = all(name.startswith(SKILL_PREFIX) for name in needed) and rng.random() < LOADERS_ALONE
    return "skill_only" if alone else "skill"


def loaded(move: Move, seen: Observation, allowed: frozenset[str]) -> Move:
    """The move with what its response opens, for the load of a Skill."""
    if LOADED not in seen.data or not seen.ok:
        return move
    opens = tuple(name for name in seen.data[LOADED] if name in allowed)
    unknown = [name for name in (*seen.data[UNKNOWN], *seen.data[LOADED]) if name not in allowed]
    data: Json = {
        **seen.data,
        LOADED: list(opens),
        UNKNOWN: [name for name in unknown if name not in UNSEEN],
        "instructions": without_unseen(seen.data["instructions"]),
    }
    return Move(move.raw, response=shown(seen.model_copy(update={"data": data})), opens=opens)


def without_unseen(instructions: str) -> str:
    """Instructions less the items that name a tool that no training may see."""
    items = ITEM.split(instructions)
    return "\n".join(item for item in items if not any(name in item for name in UNSEEN))


def drawn(tasks: Sequence[TaskSpec], count: int, skills: int, rng: Random) -> list[TaskSpec]:
    """`count` tasks at random beside those of Skills, and `skills` of those, which cost the most tokens."""
    others = [task for task in tasks if task.part != "skill"]
    skilled = [task for task in tasks if task.part == "skill"]
    return rng.sample(others, min(count, len(others))) + rng.sample(skilled, min(skills, len(skilled)))
