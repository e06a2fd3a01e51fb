"""Oracle trajectories: the gold of a training task, played on a real phone, shown as the harness shows it.

Each task gives one exchange: its calls with their true responses, or the question or refusal that ends it. A small
share gets an erroneous first turn, another tool's call with its true response, whose tokens are masked: the planner
learns to come back from an error, not to make it (Section 2.4 of the paper, Eq. 4).
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from evalkit.gold import UnreachableError, action_of, is_call
from evalkit.prime import primed
from evalkit.suites.core.drafts import Draft
from runtime.contract import Deadline, Json, Observation, Phone, Split, ToolCall, ToolSpec, UserError
from runtime.dialect import render_action
from runtime.layout import response_text
from runtime.shown import RESULT_CHARS, text_of_observation, with_text
from trainer.data.exchange import Exchange, Move

ERRONEOUS_SHARE = 0.06
"""Of the one-call tasks."""


def exchange_of(task: Draft, phone: Phone, specs: Mapping[str, ToolSpec], rng: Random) -> Exchange | None:
    """The exchange of one task; None where its gold fails on the phone. Only training tasks are taken."""
    if task.split is not Split.TRAIN:
        raise UserError(f"`{task.family}` is of the split `{task.split}`; only training tasks may be learned from")
    detour = task.pattern == "one_call" and rng.random() < ERRONEOUS_SHARE
    try:
        phone.reset(primed(task.gold, task.world, phone))
        moves = [_detour(task, phone, specs, rng)] if detour else []
        moves += _gold_moves(task, phone, specs)
    except UnreachableError:
        return None
    kind = "several" if sum(map(is_call, task.gold)) > 1 else task.pattern
    return Exchange(
        said=task.view.request,
        moves=tuple(moves),
        tools=frozenset(step["name"] for step in task.gold if is_call(step)),
        absent=task.view.unavailable,
        kind=kind,
    )


def exchanges_of(tasks: Iterable[Draft], phone: Phone, specs: Mapping[str, ToolSpec], rng: Random) -> list[Exchange]:
    """Exchanges of all tasks whose gold can be played."""
    found = (exchange_of(task, phone, specs, rng) for task in tasks)
    return [exchange for exchange in found if exchange is not None]


def _gold_moves(task: Draft, phone: Phone, specs: Mapping[str, ToolSpec]) -> list[Move]:
    results: list[Json] = []
    moves: list[Move] = []
    for number, step in enumerate(task.gold):
        action = action_of(step, f"g{number}", results)
        raw = render_action(action, list(specs.values()))
        if isinstance(action, ToolCall):
            seen = phone.execute(action, Deadline.never(), f"oracle:{number}")
            if not seen.ok and task.pattern != "permission":
                raise UnreachableError(f"`{step['name']}` fails: {seen.failure}")
            results.append(seen.data)
            moves.append(Move(raw, response=shown(seen)))
        else:
            moves.append(Move(raw))
    return moves


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
    return response_text([text_of_observation(with_text(seen, RESULT_CHARS))])


def needed_tools(exchanges: Sequence[Exchange]) -> frozenset[str]:
    """All tools that some exchange calls."""
    return frozenset().union(*(exchange.tools for exchange in exchanges))
