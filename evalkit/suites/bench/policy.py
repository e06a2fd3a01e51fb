"""Policies of this suite's drafts: core's policy of the gold, and what goes beyond it.

1. A call that fails and is made good later (a conflict that is cleared, a name that turns out to be two) is part of the
   way, not of the end: the policy is that of the gold without it.
2. A gold that can't do a part of the request ends with words that say so, after it tried.
3. Other solutions of the same standing give further outcomes; reads may leave out arguments that only narrow them.
4. Where a state is looked up to be certain, the look-up comes after the change.
5. A search of the memory and the loading of a Skill are what their gates ask for, in any words; they are no reads of
   the policy. A memory that is written must hold its value, in any words.
"""

from collections.abc import Sequence
from typing import Any

from evalkit.compare import CONTAINS, ONE_OF
from evalkit.gold import is_call, play
from evalkit.policies import CANNOT, FINISHED, BadGoldError, policy_of
from evalkit.suites.bench.draft import Draft
from evalkit.suites.bench.lookups import without_calls
from runtime.contract import (
    SEARCH_MEMORY,
    SKILL_PREFIX,
    BehaviourCheck,
    CallCheck,
    Json,
    Observation,
    Outcome,
    Phone,
    Policy,
    RowPattern,
    StateCheck,
)
from runtime.contract.tasks import Check

MEMORIES = "memories"
"""The memory's table in a diff."""


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
    if "finish" in gold[-1] and not draft.partly:
        _refuse_failures(gold, failed, seen)
    way = _way(gold, failed, seen) if "finish" in gold[-1] else list(gold)
    policy = policy_of(way, draft.world, phone, draft.mentions)
    if not failed and "finish" not in gold[-1]:
        policy = _after_looking(policy, tuple(step["name"] for step in gold if _beside(step)))
    found = [outcome.model_copy(update={"checks": _fitted(draft, outcome.checks, seen)}) for outcome in policy.outcomes]
    if draft.partly:
        tried = tuple(_names(gold)[place] for place in failed)
        found = [one for outcome in found for one in _partly(outcome, tried, draft.mentions)]
    return [outcome.model_copy(update={"checks": (*draft.checks, *outcome.checks)}) for outcome in found]


def _after_looking(policy: Policy, looked: tuple[str, ...]) -> Policy:
    """A question counts only after memory was searched for the answer."""
    outcomes = [
        outcome.model_copy(
            update={
                "checks": tuple(
                    check.model_copy(update={"tried": looked}) if isinstance(check, BehaviourCheck) else check
                    for check in outcome.checks
                )
            }
        )
        for outcome in policy.outcomes
    ]
    return policy.model_copy(update={"outcomes": tuple(outcomes)}) if looked else policy


def _names(gold: Sequence[Json]) -> list[str]:
    return [step["name"] for step in gold if is_call(step)]


def _refuse_failures(gold: Sequence[Json], failed: Sequence[int], seen: Sequence[Observation]) -> None:
    """A call may fail only where its tool works later."""
    names = _names(gold)
    for place in failed:
        made_good = any(names[later] == names[place] and seen[later].ok for later in range(place + 1, len(names)))
        failure = seen[place].failure
        if not made_good and failure is not None:
            raise BadGoldError(f"call {place + 1} fails: {failure.message}")


def _way(gold: Sequence[Json], failed: Sequence[int], seen: Sequence[Observation]) -> list[Json]:
    """The gold without calls that fail, searches of the memory, loaders, and what it asks on the way."""
    calls = [step for step in gold if is_call(step)]
    aside = {place for place, step in enumerate(calls) if _beside(step)}
    try:
        kept = without_calls(gold, aside | set(failed))
    except KeyError:
        why = seen[failed[0]].failure if failed else None
        raise BadGoldError(
            f"a result that is needed is missing: {why.message if why else 'its call is aside'}"
        ) from None
    return [*filter(is_call, kept), kept[-1]]


def _fitted(draft: Draft, checks: Sequence[Check], seen: Sequence[Observation]) -> tuple[Check, ...]:
    """The checks with the reads loosened, or put after the writes."""
    return tuple(
        _read_check(draft, check, seen)
        if isinstance(check, CallCheck)
        else _state_check(draft, check)
        if isinstance(check, StateCheck)
        else check
        for check in checks
    )


def _beside(step: Json) -> bool:
    """Whether a step reaches for memory or a Skill, which gates look at."""
    return is_call(step) and (step["name"] == SEARCH_MEMORY or step["name"].startswith(SKILL_PREFIX))


def _state_check(draft: Draft, check: StateCheck) -> StateCheck:
    """The state with the memories freed from their wording."""
    words = list(draft.remembers)
    required = tuple(_memory(pattern, words) if pattern.table == MEMORIES else pattern for pattern in check.required)
    return check.model_copy(update={"required": required})


def _memory(pattern: RowPattern, words: list[str]) -> RowPattern:
    """One row of the memory: a new one holds its value, an old one is named by its id."""
    if pattern.change != "insert":
        where = {name: value for name, value in pattern.where.items() if name == "id"}
        return pattern.model_copy(update={"where": where, "values": {}})
    held = {"content": {CONTAINS: words.pop(0)}} if words else {}
    return pattern.model_copy(update={"values": held})


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
