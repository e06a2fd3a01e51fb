"""The compiled guidance: one versioned file that holds all that the Scenario Adapter knows.

    skills compile:  tool schemas + SKILL.md and guidance.toml of each Skill + guidance.toml -> guidance.json

It carries a digest of every tool's schema. A tool whose schema is another one now counts as not there: what was
written for the old one may mislead. `stale` says so in one line.
"""

import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from runtime.contract import SKILL_PREFIX, Record, ToolSpec, UserError, digest_of
from skills.rule import Route, Rule

SHIPPED = Path(__file__).parent / "guidance.json"
COMPILE = "run `pocket skills compile`"
NAMED = 3
"""Tools that a message names at most."""


class Limits(Record):
    """How much may be injected, in tokens of the embedded planner's vocabulary."""

    total: int = Field(ge=1)
    """The whole section."""
    general: int = Field(ge=0)
    """Rules that always hold."""
    domain: int = Field(ge=0)
    """Rules of the Skills whose tools are there."""
    routing: int = Field(ge=0)
    """Notes on tools that are easily mixed up."""
    turns: int = Field(ge=0)
    """Notes for a dialogue with earlier turns."""
    rule: int = Field(ge=1)
    """One line."""
    instructions: int = Field(ge=1)
    """The instructions of one Skill, where it is loaded."""
    nearest: int = Field(ge=1)
    """Only the first so many of the exposed tools bring guidance; the others may be named in it."""


class Entry(Record):
    """A tool in the index."""

    skill: str
    """The one Skill that it belongs to."""
    digest: str
    """Of its schema."""


class Artifact(Record):
    """Compiled guidance."""

    format: Literal[1] = 1
    """Of this file."""
    schemas: str
    """Digest over all tools."""
    sources: str
    """Digest over the Skills and the rules."""
    shipped: str = ""
    """Digest of the package's own guidance when this was compiled; empty in that one."""
    limits: Limits
    """How much may be injected."""
    protocol: str
    """All that is said where the tools that load Skills are exposed."""
    tools: dict[str, Entry]
    """Every tool, by name."""
    skills: dict[str, tuple[str, ...]]
    """The tools of every Skill's index, by slug."""
    rules: tuple[Rule, ...]
    """General rules, domain guidance, multi-turn instructions."""
    routes: tuple[Route, ...]
    """Notes on candidates."""

    @property
    def digest(self) -> str:
        """Content digest."""
        return digest_of(self)


def schema_digest(spec: ToolSpec) -> str:
    """Digest of what a planner and a guard know of a tool; example phrasings are for recall alone."""
    return digest_of(spec.model_dump(mode="json", exclude={"examples"}))


def read_artifact(path: Path = SHIPPED) -> Artifact:
    """The guidance in a file; what can't be read is a `UserError`."""
    try:
        return Artifact.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UserError(f"the guidance `{path}` can't be read: {error.strerror}. {COMPILE.capitalize()}.") from None
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the file"
        message = f"the guidance `{path}` can't be read: `{field}`: {first['msg'].lower()}; {COMPILE}."
        raise UserError(message) from None


@lru_cache(maxsize=1)
def shipped() -> Artifact:
    """The package's own."""
    return read_artifact()


def write_artifact(artifact: Artifact, path: Path) -> None:
    """Write it aside and rename, so that no run reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.new")
    text = json.dumps(artifact.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False, indent=1)
    aside.write_text(text + "\n", encoding="utf-8")
    aside.replace(path)


def changed(artifact: Artifact, specs: Iterable[ToolSpec]) -> dict[str, str]:
    """Tools for which there is no guidance: `is new`, or `changed` since it was compiled; loaders have none."""
    found: dict[str, str] = {}
    for spec in specs:
        known = artifact.tools.get(spec.name)
        if spec.name.startswith(SKILL_PREFIX):
            continue
        if known is None:
            found[spec.name] = "is new"
        elif known.digest != schema_digest(spec):
            found[spec.name] = "changed"
    return found


def stale(artifact: Artifact, specs: Iterable[ToolSpec]) -> str:
    """One line where the tools are not those that the guidance was compiled for; empty where they are."""
    found = changed(artifact, specs)
    if not found:
        return ""
    named = ", ".join(f"`{name}` {why}" for name, why in list(found.items())[:NAMED])
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return f"the guidance was compiled for other tools ({named}{more}), which get none now; {COMPILE}"
