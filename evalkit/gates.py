"""Gates beside a checker: memory and Skills count only when the planner itself reached for them.

1. *Memory*: the union of ids that the planner's own searches returned holds the gold records. Ids that a harness put
   into the context by itself are reported apart and never open the gate.
2. *Skill*: each gold Skill was loaded through its loader tool.
"""

from collections.abc import Iterator

from runtime.contract import (
    SEARCH_MEMORY,
    SKILL_PREFIX,
    CheckResult,
    Episode,
    Json,
    MemoryGate,
    Observation,
    SkillGate,
)

MEMORY_CHECK = "the memories needed were searched for"
"""Name of the memory gate among a verdict's checks."""


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
        if seen.call is not None and seen.call.name == SEARCH_MEMORY
        for item in _items(seen)
    )


def injected_ids(episode: Episode) -> frozenset[str]:
    """Ids of the records that the harness put into the context by itself."""
    return frozenset(episode.digests.memory.split())


def loaded_skills(episode: Episode) -> frozenset[str]:
    """Slugs of the Skills that were loaded."""
    names = (seen.call.name for seen in _worked(episode) if seen.call is not None)
    return frozenset(
        name.removeprefix(SKILL_PREFIX).replace("_", "-") for name in names if name.startswith(SKILL_PREFIX)
    )


def _worked(episode: Episode) -> Iterator[Observation]:
    return (seen for step in episode.steps for seen in step.observations if seen.ok)


def _items(seen: Observation) -> list[Json]:
    items = seen.data.get("items", []) if isinstance(seen.data, dict) else []
    return [item for item in items if isinstance(item, dict) and "memory_id" in item]
