"""A user's rules about calls: which may run, which are asked about, which never run.

1. A rule names effects, a tool and arguments; what it leaves out does not limit. A tool or a value may hold `*`.
2. A `deny` counts wherever it matches. Between `ask` and `allow` the closer rule counts (exact arguments, then more of
   them, then the tool's name, then effects); of two that are equally close, `ask`.
3. An `allow` covers no more than it says. What pays, deletes, grants or installs is covered only where the rule names
   the tool and that effect; with a `pin` it ends when the tool's specification is another than the one agreed to.
4. `exact` rules hold one call to the letter: the same arguments, none more.
"""

from collections.abc import Iterable
from enum import StrEnum
from fnmatch import fnmatchcase

from pydantic import Field

from runtime.contract import Confirm, Effect, Json, Record, StableSet, ToolCall, ToolSpec, canonical_json, digest_of

NEVER_BY_DEFAULT = frozenset({Effect.PAY, Effect.DELETE, Effect.GRANT, Effect.INSTALL})
"""Effects that no general agreement covers: not `--yes`, and no rule that does not name them."""


class Verdict(StrEnum):
    """What a rule says of a call."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Rule(Record):
    """One rule."""

    id: str = ""
    """Its name in the book; empty: for the request in hand alone."""
    verdict: Verdict
    """What it says."""
    effects: StableSet[Effect] = frozenset()
    """Effects that it is about; empty: whatever the effects."""
    tool: str = "*"
    """Name of a tool, or a pattern with `*`."""
    arguments: dict[str, str] = Field(default_factory=dict)
    """Values by argument, or patterns with `*`; of an `exact` rule the values as text."""
    exact: bool = False
    """The call has these arguments and no others."""
    pin: str = ""
    """Digest of the tool's specification when the rule was made."""
    made_at: str = ""
    """When, UTC, ISO 8601."""
    why: str = ""
    """In the user's words."""

    def matches(self, call: ToolCall, spec: ToolSpec) -> bool:
        """Whether the rule speaks of this call."""
        if not fnmatchcase(call.name, self.tool) or not self._about(spec.effects_of(call.arguments)):
            return False
        if self.verdict is Verdict.ALLOW and self.pin and self.pin != pin_of(spec):
            return False
        return self._same(call.arguments)

    @property
    def closeness(self) -> tuple[bool, int, bool, bool]:
        """How closely it describes a call; compared in this order."""
        return self.exact, len(self.arguments), "*" not in self.tool, bool(self.effects)

    def _about(self, effects: frozenset[Effect]) -> bool:
        if self.verdict is not Verdict.ALLOW:
            return not self.effects or bool(effects & self.effects)
        grave = effects & NEVER_BY_DEFAULT
        if grave and ("*" in self.tool or not grave <= self.effects):
            return False
        return not self.effects or bool(effects & self.effects)

    def _same(self, arguments: Json) -> bool:
        if self.exact:
            return self.arguments == as_texts(arguments)
        given = as_texts(arguments)
        return all(name in given and _like(given[name], value) for name, value in self.arguments.items())


def _like(value: str, pattern: str) -> bool:
    return fnmatchcase(" ".join(value.casefold().split()), " ".join(pattern.casefold().split()))


def decided(rules: Iterable[Rule], call: ToolCall, spec: ToolSpec) -> Rule | None:
    """The rule that counts for a call; None where none speaks of it."""
    found = [rule for rule in rules if rule.matches(call, spec)]
    denied = next((rule for rule in found if rule.verdict is Verdict.DENY), None)
    if denied is not None or not found:
        return denied
    return max(found, key=lambda rule: (rule.closeness, rule.verdict is Verdict.ASK))


def exactly(question: Confirm, verdict: Verdict = Verdict.ALLOW) -> Rule:
    """The rule that says of one call, to the letter, what was answered about it."""
    call = question.call
    return Rule(
        verdict=verdict,
        effects=frozenset(map(Effect, question.effects)),
        tool=call.name,
        arguments=as_texts(call.arguments),
        exact=True,
        pin=question.tool,
    )


def for_the_request(question: Confirm) -> Rule:
    """The rule of "until this request is done": the tool with these effects and `action`; what pays, to the letter."""
    if Effect.PAY in question.effects:
        return exactly(question)
    call = question.call
    action = {name: value for name, value in as_texts(call.arguments).items() if name == "action"}
    effects = frozenset(map(Effect, question.effects))
    return Rule(verdict=Verdict.ALLOW, effects=effects, tool=call.name, arguments=action, pin=question.tool)


def beforehand(tool: str, effects: Iterable[str]) -> str:
    """The command by which a user agrees to a tool's effects before anybody is asked."""
    return f"pocket approvals add allow --tool {tool}" + "".join(f" --effect {one}" for one in sorted(effects))


def as_texts(arguments: Json) -> dict[str, str]:
    """The values as text: texts as they are, all else as JSON."""
    return {name: value if isinstance(value, str) else canonical_json(value) for name, value in arguments.items()}


def pin_of(spec: ToolSpec) -> str:
    """Digest of a tool as it was agreed to; example phrasings don't count."""
    return digest_of(spec.model_dump(mode="json", exclude={"examples"}))
