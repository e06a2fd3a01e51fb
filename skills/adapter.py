"""The Scenario Adapter at request time: the exposed tools in, the section `skills` of a context out.

1. A tool that the compiled guidance does not know, or knows with another schema, counts as not there.
2. Where a tool that loads Skills is exposed, the generic protocol is all that is said: which Skill fits is the
   planner's choice, and nothing of it is revealed.
3. Else: general rules, then the rules of the nearest tools' Skills, fitted to what is there, then which of the
   candidates is for what, and in a dialogue what holds over turns. Each section keeps to its limit, the whole to its.

It reads names and schemas alone: it finds no tool, runs none, and keeps nothing between requests.
"""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from runtime.contract import SKILL_PREFIX, ToolSpec
from skills.artifact import Artifact, schema_digest, shipped
from skills.rule import Rule, line, route_line

REMEMBERED = 4096
"""Specifications whose digests are remembered."""


class Adapter:
    """The contract's `ScenarioAdapter` over compiled guidance."""

    def __init__(self, artifact: Artifact | None = None) -> None:
        """Without one, the package's own."""
        self.artifact = artifact or shipped()
        self._known: dict[int, tuple[ToolSpec, bool]] = {}
        self._rules = {kind: [rule for rule in self.artifact.rules if rule.kind == kind]
                       for kind in ("general", "domain", "turns")}  # fmt: skip

    @property
    def digest(self) -> str:
        """Of the guidance in use."""
        return self.artifact.digest

    def guidance(self, exposed: Sequence[ToolSpec], turns: int) -> str:
        """K_t for `exposed`, best first, in a dialogue of `turns` earlier turns; empty where nothing applies."""
        artifact = self.artifact
        if any(spec.name.startswith(SKILL_PREFIX) for spec in exposed):
            return line(artifact.protocol)
        known = [spec.name for spec in exposed if self._is_known(spec)]
        if not known:
            return ""
        here, budget = frozenset(known), Budget(artifact.limits.total)
        rank = {name: place for place, name in enumerate(known[: artifact.limits.nearest])}
        general = budget.lines(self._rules["general"], here, artifact.limits.general)
        later = budget.lines(self._near("turns", rank), here, artifact.limits.turns) if turns else []
        domain = budget.lines(self._near("domain", rank), here, artifact.limits.domain)
        routing = self._routing(rank, here, budget)
        return "\n".join((*general, *domain, *routing, *later))

    def _is_known(self, spec: ToolSpec) -> bool:
        """Whether the guidance was compiled for this schema; a specification is digested once."""
        seen = self._known.get(id(spec))
        if seen is None or seen[0] is not spec:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            entry = self.artifact.tools.get(spec.name)
            seen = self._known[id(spec)] = (spec, entry is not None and entry.digest == schema_digest(spec))
        return seen[1]

    def _near(self, kind: str, rank: dict[str, int]) -> list[Rule]:
        """Rules about the nearest tools, in the order in which they are said."""
        found: list[tuple[int, int, int, Rule]] = []
        for place, rule in enumerate(self._rules[kind]):
            about = rule.when or rule.about or self.artifact.skills.get(rule.skill, ())
            near = [rank[name] for name in about if name in rank]
            if near or not (rule.about or rule.skill):
                found.append((rule.priority, min(near, default=0), place, rule))
        return [rule for *_, rule in sorted(found, key=lambda one: one[:3])]

    def _routing(self, rank: dict[str, int], here: AbstractSet[str], budget: "Budget") -> list[str]:
        """Notes on candidates of which one is among the nearest."""
        room, said = self.artifact.limits.routing, []
        found = [(min((rank[one.tool] for one in among if one.tool in rank), default=-1), among)
                 for route in self.artifact.routes if (among := route.among(here))]  # fmt: skip
        for near, among in sorted(found, key=lambda one: one[0]):
            cost = MARKS + sum(choice.tokens for choice in among)
            if near >= 0 and cost <= min(room, budget.left):
                room, budget.left = room - cost, budget.left - cost
                said.append(route_line(among))
        return said


MARKS = 2
"""Tokens around the choices of a note."""


class Budget:
    """Tokens that are left of the whole section."""

    def __init__(self, total: int) -> None:
        self.left = total

    def lines(self, rules: Iterable[Rule], here: AbstractSet[str], limit: int) -> list[str]:
        """The rules that apply as lines, as long as they fit; one that does not is passed over."""
        said: list[str] = []
        for rule in rules:
            if rule.tokens > min(limit, self.left):
                continue
            text = rule.fitted(here)
            if text is not None and text not in said:
                limit, self.left = limit - rule.tokens, self.left - rule.tokens
                said.append(text)
        return said


def forms(exposed: Sequence[ToolSpec], turns: int = 0, adapter: Adapter | None = None) -> tuple[str, str]:
    """The section `skills` in both forms, without guidance and with it, for whoever trains or compares on both."""
    return "", (adapter or Adapter()).guidance(exposed, turns)
