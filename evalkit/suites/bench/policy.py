"""Policies of this suite's drafts: core's policy of the gold, and what goes beyond it.

1. A call that fails and is made good later (a conflict that is cleared, a name that turns out to be two) is part of the
   way, not of the end: the policy is that of the gold without it.
2. A gold that can't do a part of the request ends with words that say so, after it tried.
3. Other solutions of the same standing give further outcomes; reads may leave out arguments that only narrow them.
4. Where a state is looked up to be certain, the look-up comes after the change.
"""

from collections.abc import Sequence
from typing import Any

from evalkit.compare import ONE_OF
from evalkit.gold import is_call, play
from evalkit.policies import CANNOT, FINISHED, BadGoldError, policy_of
from evalkit.suites.bench.draft import Draft
from runtime.contract import (
    BehaviourCheck,
    CallCheck,
    Json,
    Observation,
    Outcome,
    Phone,
    Policy,
)
from runtime.contract.tasks import Check


def policy_for(draft: Draft, phone: Phone) -> Policy:
    """The policy of a draft; raises `BadGoldError` where its gold does not work."""
    outcomes: list[Outcome] = []
    for gold in (draft.gold, *draft.accepted):
        outcomes += _outcomes(draft, gold, phone)
    return Policy(outcomes=tuple(outcomes), user_answers=draft.user_answers)


def _outcomes(draft: Draft, gold: Sequence[Json], phone: Phone) -> list[Outcome]:
    phone.reset(draft.world)
    seen = play(gold, phone)
    failed = [place for place, one in enumerate(seen) if not one.ok]
    way = _without(gold, failed, seen) if "finish" in gold[-1] else list(gold)
    policy = policy_of(way, draft.world, phone, draft.mentions)
    found = [outcome.model_copy(update={"checks": _fitted(draft, outcome.checks, seen)}) for outcome in policy.outcomes]
    if draft.partly:
        tried = tuple(_names(gold)[place] for place in failed)
        found = [one for outcome in found for one in _partly(outcome, tried, draft.mentions)]
    return [outcome.model_copy(update={"checks": (*draft.checks, *outcome.checks)}) for outcome in found]


def _names(gold: Sequence[Json]) -> list[str]:
    return [step["name"] for step in gold if is_call(step)]


def _without(gold: Sequence[Json], failed: Sequence[int], seen: Sequence[Observation]) -> list[Json]:
    """The gold without calls that fail; what it asks on the way falls out too. No reference may point past one."""
    calls = [step for step in gold if is_call(step)]
    if failed and any(str(value).startswith("$") for step in calls for value in step["arguments"].values()):
        why = seen[failed[0]].failure
        raise BadGoldError(f"call {failed[0] + 1} fails: {why.message if why else ''}")
    return [*(step for place, step in enumerate(calls) if place not in failed), gold[-1]]


def _fitted(draft: Draft, checks: Sequence[Check], seen: Sequence[Observation]) -> tuple[Check, ...]:
    """The checks with the reads loosened, or put after the writes."""
    return tuple(_read_check(draft, check, seen) if isinstance(check, CallCheck) else check for check in checks)


def _read_check(draft: Draft, check: CallCheck, seen: Sequence[Observation]) -> CallCheck:
    calls = tuple({**call, "arguments": _loosened(call["arguments"], draft.loose)} for call in check.calls)
    if not draft.ordered:
        return check.model_copy(update={"calls": calls})
    written = seen[0].call
    assert written is not None
    return CallCheck(calls=({"name": written.name, "arguments": written.arguments}, *calls), ordered=True)


def _loosened(arguments: Json, loose: frozenset[str]) -> Json:
    return {name: _or_none(value) if name in loose else value for name, value in arguments.items()}


def _or_none(value: Any) -> Json:
    options = value[ONE_OF] if isinstance(value, dict) and ONE_OF in value else [value]
    return {ONE_OF: [None, *(option for option in options if option is not None)]}


def _partly(outcome: Outcome, tried: tuple[str, ...], mentions: Sequence[tuple[str, ...]]) -> list[Outcome]:
    """The rest is done, and the end says what is not: by declining, or by words."""
    rest = tuple(check for check in outcome.checks if check != FINISHED)
    said = BehaviourCheck(
        ends=frozenset(("finished", "asked")), tried=tried, mentions=tuple(mentions) or (CANNOT,), unchanged=False
    )
    declined = BehaviourCheck(ends=frozenset(("refused",)), tried=tried, unchanged=False)
    return [
        Outcome(checks=(*rest, said), note="the rest is done, and the answer says what is not"),
        Outcome(checks=(*rest, declined), note="the rest is done, and the planner declines the other part"),
    ]
