"""Is the guidance whole and honest? Measured over random subsets of the tools, as a phone may expose them.

    unexposed_mentions   names of tools that were not exposed, found in the guidance by reading its words
    revealed             subsets with Skill tools where more than the generic protocol was said
    unmapped             offered tools without a Skill, or with another schema than the one that was compiled
    over_limit           guidances of more tokens than the limit, counted whole
    problems             gaps, ambiguities and whatever else compiling anew finds

The words are read here on their own, against the names of all tools: nothing of how a rule is fitted is trusted.
"""

import re
from collections.abc import Sequence
from random import Random

from pydantic import Field

from runtime.contract import SKILL_PREFIX, Record, ToolSpec
from skills.adapter import Adapter
from skills.artifact import Artifact, changed
from skills.rule import Count, line

SUBSETS = 2000
SIZES = (1, 2, 3, 5, 8, 12, 15, 15, 15, 20, 30, 60, 120)
"""How many tools are exposed; 15 is what recall gives."""
WITH_LOADERS = 5
"""Every so-many-th subset has a tool that loads Skills."""


class Checked(Record):
    """The figures."""

    tools: int
    """Offered tools, those that load Skills left out."""
    skills: int
    """Skills in the index."""
    rules: int
    """Rules and notes."""
    subsets: int
    """Random subsets that were tried."""
    unexposed_mentions: int
    """Mentions of a tool that was not exposed."""
    revealed: int
    """Subsets with Skill tools where more than the protocol was said."""
    unmapped: int
    """Offered tools without a Skill, or with another schema than the one that was compiled."""
    over_limit: int
    """Guidances that were too long."""
    empty: int
    """Subsets without Skill tools for which nothing was said."""
    unsaid: tuple[str, ...]
    """Rules that no subset brought out, where there are any: the first few."""
    tokens_mean: float
    """Tokens of a guidance."""
    tokens_max: int
    """Tokens of the longest."""
    problems: tuple[str, ...] = Field(default=())
    """What compiling the present Skills anew finds."""
    recompile: bool = False
    """The artifact is not what compiling the present Skills and tools gives."""

    @property
    def whole(self) -> bool:
        """Nothing is wrong."""
        faults = (self.unexposed_mentions, self.revealed, self.unmapped, self.over_limit, len(self.problems))
        return not any(faults) and not self.recompile


def check(
    artifact: Artifact, specs: Sequence[ToolSpec], loaders: Sequence[ToolSpec], count: Count, *,
    subsets: int = SUBSETS, seed: int = 0,
) -> Checked:  # fmt: skip
    """Try `subsets` random subsets of `specs`."""
    adapter, rng = Adapter(artifact), Random(seed)
    tools = [spec for spec in specs if not spec.name.startswith(SKILL_PREFIX)]
    names = frozenset(spec.name for spec in (*tools, *loaders)) | artifact.tools.keys()
    said: set[str] = set()
    mentions = revealed = over = empty = 0
    sizes: list[int] = []
    for number in range(subsets):
        exposed = rng.sample(tools, min(len(tools), rng.choice(SIZES)))
        alone = not (loaders and number % WITH_LOADERS == 0)
        if not alone:
            exposed.insert(rng.randrange(len(exposed) + 1), rng.choice(list(loaders)))
        text = adapter.guidance(exposed, rng.choice((0, 0, 1, 4)))
        mentions += len(named(text, names) - {spec.name for spec in exposed})
        revealed += not alone and text != line(artifact.protocol)
        empty += alone and not text
        sizes.append(count(text))
        over += sizes[-1] > artifact.limits.total
        said.update(text.splitlines())
    return Checked(
        tools=len(tools),
        skills=len(artifact.skills),
        rules=len(artifact.rules) + len(artifact.routes),
        subsets=subsets,
        unexposed_mentions=mentions,
        revealed=revealed,
        unmapped=len(changed(artifact, tools)),
        over_limit=over,
        empty=empty,
        unsaid=unsaid(artifact, said),
        tokens_mean=round(sum(sizes) / max(1, len(sizes)), 1),
        tokens_max=max(sizes, default=0),
    )


def named(text: str, names: frozenset[str]) -> set[str]:
    """Names of tools that stand in a text as words."""
    return set(re.findall(r"[A-Za-z0-9_]+", text)) & names


def unsaid(artifact: Artifact, said: set[str], most: int = 5) -> tuple[str, ...]:
    """Rules whose whole line was never said, the first few; fitted ones are known by their beginning."""
    starts = [re.split(r"[\[{]", rule.text)[0].strip() for rule in artifact.rules]
    missing = [rule.text for rule, start in zip(artifact.rules, starts, strict=True)
               if start and not any(one.startswith(line(start)) for one in said)]  # fmt: skip
    return tuple(missing[:most])
