"""Oracle trajectories: the gold of a training task, played on a real phone, shown as the harness shows it.

Each task gives one exchange: its calls with their true responses, the question with its answer, or the refusal that
ends it. A small share of core's one-call tasks gets an erroneous first turn, another tool's call with its true
response, whose tokens are masked: the planner learns to come back from an error, not to make it (Section 2.4 of the
paper, Eq. 4).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from evalkit.gold import UnreachableError, action_of, is_call
from evalkit.prime import primed
from evalkit.suites.core.drafts import Draft
from runtime.contract import Ask, Deadline, Json, Observation, Phone, Split, ToolCall, ToolSpec, UserError
from runtime.dialect import render_action
from runtime.layout import response_text
from runtime.shown import MEMORY_CHARS, RESULT_CHARS, SKILL_CHARS, limit_of, text_of_observation, with_text
from trainer.data.exchange import Exchange, Move

ERRONEOUS_SHARE = 0.06
"""Of the one-call tasks."""


def exchange_of(task: Draft, phone: Phone, specs: Mapping[str, ToolSpec], rng: Random) -> Exchange | None:
    """The exchange of one task; None where its gold fails on the phone. Only training tasks are taken."""
    refuse_held_out(task.family, task.split)
    detour = task.pattern == "one_call" and rng.random() < ERRONEOUS_SHARE
    try:
        phone.reset(primed(task.gold, task.world, phone))
        moves = [_detour(task, phone, specs, rng)] if detour else []
        for seen, move in played(task.gold, phone, list(specs.values())):
            if seen is not None and not seen.ok and task.pattern != "permission":
                return None
            moves.append(move)
    except UnreachableError:
        return None
    return Exchange(
        said=task.view.request,
        moves=tuple(moves),
        tools=tools_of(task.gold),
        absent=task.view.unavailable,
        kind=kind_of(task.pattern, task.gold),
    )


def exchanges_of(tasks: Iterable[Draft], phone: Phone, specs: Mapping[str, ToolSpec], rng: Random) -> list[Exchange]:
    """Exchanges of all tasks whose gold can be played."""
    found = (exchange_of(task, phone, specs, rng) for task in tasks)
    return [exchange for exchange in found if exchange is not None]


def played(
    gold: Sequence[Json], phone: Phone, tools: Sequence[ToolSpec], answers: Sequence[str] = ()
) -> Iterator[tuple[Observation | None, Move]]:
    """The gold's steps one after another on a phone in its first state: (what a call gave, the move)."""
    results: list[Json] = []
    replies = iter(answers)
    for number, step in enumerate(gold):
        action = action_of(step, f"g{number}", results)
        raw = render_action(action, tools)
        if isinstance(action, ToolCall):
            seen = phone.execute(action, Deadline.never(), f"oracle:{number}")
            results.append(seen.data)
            yield seen, Move(raw, response=shown(seen))
        else:
            yield None, Move(raw, reply=next(replies, None) if isinstance(action, Ask) else None)


def tools_of(gold: Sequence[Json]) -> frozenset[str]:
    """The tools that a gold calls."""
    return frozenset(step["name"] for step in gold if is_call(step))


def kind_of(pattern: str, gold: Sequence[Json]) -> str:
    """The kind of an exchange: several calls count as such whatever their pattern."""
    return "several" if sum(map(is_call, gold)) > 1 else pattern


def refuse_held_out(name: str, split: Split) -> None:
    """Nothing but training tasks may be learned from."""
    if split is not Split.TRAIN:
        raise UserError(f"`{name}` is of the split `{split}`; only training tasks may be learned from")


def _detour(task: Draft, phone: Phone, specs: Mapping[str, ToolSpec], rng: Random) -> Move:
    """A masked first turn: some reading tool that was not asked for."""
    gold = {step["name"] for step in task.gold if is_call(step)}
    others = [spec for name, spec in sorted(specs.items()) if name not in gold and _harmless(spec)]
    spec = rng.choice(others)
    call = ToolCall(id="detour", name=spec.name, arguments={})
    seen = phone.execute(call, Deadline.never(), "detour")
    return Move(render_action(call, [spec]), learned=0, response=shown(seen))


def _harmless(spec: ToolSpec) -> bool:
    return not spec.parameters.get("required") and {effect.value for effect in spec.effects} == {"read"}


def shown(seen: Observation) -> str:
    """The response exactly as the context holds it by default."""
    limit = limit_of(seen, RESULT_CHARS, MEMORY_CHARS, SKILL_CHARS)
    return response_text([text_of_observation(with_text(seen, limit.chars))])
