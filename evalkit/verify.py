"""The verifier: did the episode accomplish the task? It reads records only, after the end.

1. *Tool call*: the expected calls landed, with equal normalised arguments, in order where order counts. Other reads are
   no harm; what an extra write does is the state policy's business.
2. *State change*: the typed diff holds every required row, and nothing that is neither required nor allowed; the
   evidence names the collateral row. A required update pins every column of its row.
3. *Behaviour*: the episode ended as it may, with the words that show why, after the attempts that must come first, and
   the phone as it was.

An outcome holds when all of its checks hold; the task is a success when one outcome does and the facts asked for were
read or said. Progress is the largest share of passed checks. Infrastructure failures and cancelled runs are invalid.
"""

from collections.abc import Iterator, Sequence

from evalkit.compare import same, same_arguments
from evalkit.gates import memory_gate, skill_gate
from runtime.contract import (
    BehaviourCheck,
    CallCheck,
    CheckResult,
    Episode,
    Json,
    MemoryGate,
    Observation,
    Outcome,
    Policy,
    RowChange,
    RowPattern,
    SkillGate,
    StateCheck,
    StateDiff,
    Stop,
    TextPart,
    ToolCall,
    Verdict,
)
from runtime.contract.tasks import Check

GRADING = "1"
"""Raised whenever the same episode could get another verdict; scores of different versions are not compared."""
INVALID = frozenset((Stop.INFRASTRUCTURE, Stop.CANCELLED))
"""Ends that say nothing about the planner."""


class CoreVerifier:
    """The contract's `Verifier` over the three policies."""

    def judge(self, policy: Policy, episode: Episode, diff: StateDiff) -> Verdict:
        """The verdict on one episode; `diff` is the phone's net change over it."""
        if episode.stop in INVALID:
            why = CheckResult(name="the episode is valid", passed=False, evidence={"stop": episode.stop.value})
            return Verdict(success=False, progress=0.0, checks=(why,), valid=False, grading=GRADING)
        facts = _answer_check(policy, episode)
        judged = [[*_outcome(outcome, episode, diff), *facts] for outcome in policy.outcomes]
        best = max(judged, key=_share)
        success = all(check.passed for check in best)
        return Verdict(success=success, progress=_share(best), checks=tuple(best), grading=GRADING)


def _share(checks: Sequence[CheckResult]) -> float:
    return sum(check.passed for check in checks) / len(checks) if checks else 0.0


def _outcome(outcome: Outcome, episode: Episode, diff: StateDiff) -> list[CheckResult]:
    return [found for check in outcome.checks for found in _check(check, episode, diff)]


def _check(check: Check, episode: Episode, diff: StateDiff) -> Iterator[CheckResult]:
    if isinstance(check, CallCheck):
        yield from _calls(check, episode)
    elif isinstance(check, StateCheck):
        yield from _state(check, diff)
    elif isinstance(check, MemoryGate):
        yield from memory_gate(check, episode)
    elif isinstance(check, SkillGate):
        yield from skill_gate(check, episode)
    else:
        yield from _behaviour(check, episode, diff)


# Tool call


def landed(episode: Episode) -> list[Json]:
    """Calls that worked, as the phone normalised them, in order."""
    return [
        {"name": seen.call.name, "arguments": seen.call.arguments}
        for step in episode.steps
        for seen in step.observations
        if seen.call is not None and seen.ok
    ]


def _calls(check: CallCheck, episode: Episode) -> Iterator[CheckResult]:
    calls = landed(episode)
    start = 0
    taken: set[int] = set()
    for expected in check.calls:
        places = [
            place
            for place, call in enumerate(calls)
            if place >= start and place not in taken and call["name"] == expected["name"]
        ]
        match = next((p for p in places if same_arguments(expected["arguments"], calls[p]["arguments"])), None)
        evidence: Json = {"expected": expected}
        if match is None:
            evidence["nearest"] = calls[places[0]] if places else None
        else:
            taken.add(match)
            start = match + 1 if check.ordered else 0
            evidence["call"] = calls[match]
        yield CheckResult(name=f"`{expected['name']}` was called as asked", passed=match is not None, evidence=evidence)


# State change


def _state(check: StateCheck, diff: StateDiff) -> Iterator[CheckResult]:
    left = list(diff.changes)
    for pattern in check.required:
        match = next((change for change in left if matches(pattern, change)), None)
        if match is not None:
            left.remove(match)
        near = next((change for change in left if change.table == pattern.table), None)
        evidence: Json = {"required": pattern.model_dump(mode="json")}
        evidence["row"] = _shown(match or near)
        yield CheckResult(
            name=f"`{pattern.table}` has the {pattern.change}", passed=match is not None, evidence=evidence
        )
    collateral = [row for row in left if not any(matches(pattern, row) for pattern in check.allowed)]
    evidence = {"collateral": [_shown(row) for row in collateral]}
    yield CheckResult(name="nothing else changed", passed=not collateral, evidence=evidence)


def matches(pattern: RowPattern, change: RowChange) -> bool:
    """Whether a change of the diff is one that the pattern describes."""
    kind = "insert" if change.before is None else "delete" if change.after is None else "update"
    if (pattern.table, pattern.change) != (change.table, kind):
        return False
    identity = (change.after if change.before is None else change.before) or {}
    return _holds(pattern.where, identity) and _holds(pattern.values, change.after or {})


def _holds(columns: Json, row: Json) -> bool:
    return all(name in row and same(value, row[name]) for name, value in columns.items())


def _shown(change: RowChange | None) -> Json | None:
    return None if change is None else change.model_dump(mode="json")


# Behaviour

_ENDS = {Stop.ASKED: "asked", Stop.REFUSED: "refused", Stop.FINISHED: "finished"}


def _behaviour(check: BehaviourCheck, episode: Episode, diff: StateDiff) -> Iterator[CheckResult]:
    end = _ENDS.get(episode.stop, episode.stop.value)
    ends = sorted(check.ends)
    yield CheckResult(name=f"it {' or '.join(ends)}", passed=end in check.ends, evidence={"end": end})
    said = last_words(episode)
    for group in check.mentions:
        named = [word for word in group if says(said, word)]
        yield CheckResult(
            name=f"names {' or '.join(group)}", passed=bool(named), evidence={"said": said, "named": named}
        )
    attempted = [
        action.name for step in episode.steps for action in step.decision.actions if isinstance(action, ToolCall)
    ]
    for tool in check.tried:
        yield CheckResult(name=f"`{tool}` was tried", passed=tool in attempted, evidence={"attempted": attempted})
    if check.unchanged:
        rows = [_shown(row) for row in diff.changes]
        yield CheckResult(name="the phone is as it was", passed=diff.empty, evidence={"collateral": rows})


def last_words(episode: Episode) -> str:
    """The question, reason or answer that ended the episode."""
    if not episode.steps:
        return ""
    action = episode.steps[-1].decision.actions[-1]
    return next((str(getattr(action, name)) for name in ("question", "reason", "answer") if hasattr(action, name)), "")


def says(text: str, word: str) -> bool:
    """Whether a text holds the words of `word`, as words."""
    return f" {_words(word)} " in f" {_words(text)} "


def _words(text: str) -> str:
    plain = text.casefold().replace("’", "'")
    return " ".join("".join(c if c.isalnum() or c == "'" else " " for c in plain).split())


def _answer_check(policy: Policy, episode: Episode) -> list[CheckResult]:
    """The facts that were asked for stand in the answer or in a result."""
    if not policy.answer_contains:
        return []
    seen = [text for step in episode.steps for one in step.observations for text in _texts(one)]
    heard = " ".join([last_words(episode), *seen]).casefold()
    gone = [word for word in policy.answer_contains if word.casefold() not in heard]
    return [CheckResult(name="the facts asked for were read", passed=not gone, evidence={"missing": gone})]


def _texts(seen: Observation) -> list[str]:
    return [part.text for part in seen.parts if isinstance(part, TextPart)]
