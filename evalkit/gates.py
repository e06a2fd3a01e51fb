"""Gates beside a checker: memory and Skills count only when the planner itself reached for them.

1. *Memory*: the union of ids that the planner's own searches returned holds the gold records. Ids that a harness put
   into the context by itself are reported apart and never open the gate.
2. *Skill*: each gold Skill was loaded through its loader tool.
"""

import json
import re
from collections.abc import Iterator

from runtime.contract import CheckResult, Episode, Json, MemoryGate, Observation, SkillGate

SEARCH = "search_user_memory"
"""The tool whose results open the memory gate."""
LOADER = "skill__"
"""Prefix of the loader tools; the slug follows, `_` for `-`."""
MEMORY_CHECK = "the memories needed were searched for"
"""Name of the memory gate among a verdict's checks."""
SECTION = re.compile(r"<memory>\n(.*?)\n</memory>", re.DOTALL)
"""Where a harness puts evidence into a context (runtime/layout.py); `<` is escaped inside, so the first one is it."""


def memory_gate(check: MemoryGate, episode: Episode) -> Iterator[CheckResult]:
    """Whether the planner's searches found the gold records."""
    found = searched_ids(episode)
    yield CheckResult(
        name=MEMORY_CHECK,
        passed=check.ids <= found,
        evidence={"missing": sorted(check.ids - found), "searched": sorted(found)},
    )


def skill_gate(check: SkillGate, episode: Episode) -> Iterator[CheckResult]:
    """Whether the gold Skills were loaded."""
    loaded = loaded_skills(episode)
    yield CheckResult(
        name=f"loaded {', '.join(sorted(check.skills))}",
        passed=check.skills <= loaded,
        evidence={"loaded": sorted(loaded)},
    )


def searched_ids(episode: Episode) -> frozenset[str]:
    """Ids of all records that the planner's searches returned."""
    return frozenset(
        str(item["memory_id"])
        for seen in _worked(episode)
        if seen.call is not None and seen.call.name == SEARCH
        for item in _items(seen)
    )


def injected_ids(episode: Episode) -> frozenset[str]:
    """Ids of the records that the harness put into the context by itself."""
    sections = (SECTION.search(segment.prefix) for segment in episode.segments)
    lines = [line for found in sections if found for line in found[1].splitlines()]
    items = [json.loads(line) for line in lines if line.startswith("{")]
    return frozenset(str(item.get("memory_id", item.get("id"))) for item in items if {"memory_id", "id"} & set(item))


def loaded_skills(episode: Episode) -> frozenset[str]:
    """Slugs of the Skills that were loaded."""
    names = (seen.call.name for seen in _worked(episode) if seen.call is not None)
    return frozenset(name.removeprefix(LOADER).replace("_", "-") for name in names if name.startswith(LOADER))


def _worked(episode: Episode) -> Iterator[Observation]:
    return (seen for step in episode.steps for seen in step.observations if seen.ok)


def _items(seen: Observation) -> list[Json]:
    items = seen.data.get("items", []) if isinstance(seen.data, dict) else []
    return [item for item in items if isinstance(item, dict) and "memory_id" in item]
