"""What loaded Skills require and ensure, checked by the machine while an episode runs.

    before a call: `requires` over the last results        after it: `ensures` over its own result

What does not hold is reported as an observation beside the call's result: `{"check", "skill", "rule", "found"}`.
Nothing is stopped by it: the guard decides what may run, the planner what it makes of the report. What holds is not
said.
"""

from collections.abc import Sequence

from runtime.contract import Deadline, Failure, Json, Observation, ToolCall, ToolSpec
from skills.conditions import Condition, parse_condition
from skills.loaders import loader_name
from skills.skill import Skill

NOT_READ = "not read in this run"
"""Found where the call whose result is needed was not made."""


class SkillChecks:
    """The contract's `CallHook` over the conditions of some Skills."""

    def __init__(self, skills: Sequence[Skill], always: bool = False) -> None:
        """A Skill's conditions count once it is loaded, or from the start with `always`."""
        self._skills = {loader_name(skill.name): skill for skill in skills}
        self._always = always
        self._episode, self._loaded = "", set[str]()
        self._past: list[tuple[ToolCall, Observation]] = []
        self._unmet: list[Observation] = []

    def before(self, call: ToolCall, spec: ToolSpec, episode: str, deadline: Deadline) -> Failure | None:
        """Read what the call requires; it is reported with its result."""
        if episode != self._episode:
            self._episode, self._loaded, self._past = episode, set(), []
        self._unmet = [
            report(skill, "requires", rule, found)
            for skill in self._active()
            for rule in skill.requires
            if (found := self._required(parse_condition(rule, needs_source=True), call)) is not None
        ]
        return None

    def after(self, call: ToolCall, seen: Observation, episode: str, deadline: Deadline) -> Sequence[Observation]:
        """What the call required and did not find, and what its result does not say."""
        reports, self._unmet = self._unmet, []
        if seen.ok:
            reports += [
                report(skill, "ensures", rule, found)
                for skill in self._active()
                for rule in skill.ensures
                if (found := _ensured(parse_condition(rule, needs_source=False), call, seen)) is not None
            ]
            if call.name in self._skills:
                self._loaded.add(call.name)
        self._past.append((call, seen))
        return reports

    def _active(self) -> list[Skill]:
        return [skill for name, skill in self._skills.items() if self._always or name in self._loaded]

    def _required(self, condition: Condition, call: ToolCall) -> str | None:
        """What was found instead of what is required; None where it holds, or is about other calls."""
        source = condition.source
        if source is None or not condition.target.fits(call.name, call.arguments):
            return None
        last = next((pair for pair in reversed(self._past) if source.fits(pair[0].name, pair[0].arguments)), None)
        if last is None:
            return None if condition.optional else NOT_READ
        if last[1].failure is not None:
            return f"`{source.name}` failed: {last[1].failure.code}"
        holds, found = condition.holds(last[1].data, call.arguments)
        return None if holds else said(found)


def _ensured(condition: Condition, call: ToolCall, seen: Observation) -> str | None:
    if not condition.target.fits(call.name, call.arguments):
        return None
    holds, found = condition.holds(seen.data, seen.call.arguments if seen.call is not None else call.arguments)
    return None if holds else said(found)


def said(found: object) -> str:
    """What was found, short."""
    return "nothing" if found is None else str(found)[:80]


def report(skill: Skill, kind: str, rule: str, found: str) -> Observation:
    """One condition that does not hold, as an observation that answers no call."""
    data: Json = {"check": kind, "skill": skill.name, "rule": rule, "found": found}
    return Observation(call_id="", data=data)
