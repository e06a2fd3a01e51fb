"""Tool schemas, Skills and rules into one artifact, offline; whatever is not clear is an error, never a guess.

1. Every tool belongs to one Skill: the one that opens it, or among several the one that `[owners]` names. A tool
   without one is a gap, several without a choice are ambiguous.
2. Every name in a Skill or a rule is a tool that exists; a Skill uses others that exist, and never itself in a circle.
3. Every line is measured with the embedded planner's tokenizer where all of its tools are there, and kept with its
   size: at request time no tokenizer is needed. A line or a Skill that is too long is an error.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from runtime.contract import SKILL_PREFIX, ToolSpec, UserError, digest_of
from skills.artifact import Artifact, Entry, Limits, schema_digest
from skills.conditions import parse_condition
from skills.guide import GeneralGuide, Guide, read_guide
from skills.rule import Choice, Count, Route, Rule, line, template
from skills.skill import FILE_NAME, Skill, read_skill


@dataclass(frozen=True)
class Source:
    """One Skill with its rules, and where they were read."""

    path: Path
    """Its SKILL.md."""
    skill: Skill
    """The Skill."""
    guide: Guide
    """Its rules."""


def places_in(folder: Path) -> tuple[Path, ...]:
    """The Skill folders of a folder, by name."""
    return tuple(sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")))


def read_sources(places: Iterable[Path]) -> tuple[Source, ...]:
    """The Skills of some Skill folders, by name; a name that two of them have is a `UserError`."""
    found: dict[str, Source] = {}
    for place in places:
        source = Source(place / FILE_NAME, read_skill(place / FILE_NAME), read_guide(place))
        if source.skill.name in found:
            first = found[source.skill.name].path
            raise UserError(f"`{source.path}`: field `name` is `{source.skill.name}`, as in `{first}`. Rename one.")
        found[source.skill.name] = source
    return tuple(found[name] for name in sorted(found))


def compile_guidance(
    specs: Sequence[ToolSpec], sources: Sequence[Source], general: GeneralGuide, count: Count, shipped: str = ""
) -> tuple[Artifact, list[str]]:
    """The artifact, and every problem as a sentence; with problems it must not be used."""
    specs = sorted((spec for spec in specs if not spec.name.startswith(SKILL_PREFIX)), key=lambda spec: spec.name)
    names = frozenset(spec.name for spec in specs)
    owners, problems = owned(names, sources, general.owners)
    rules = [written.rule("") for written in general.rule]
    rules += [written.rule(one.skill.name) for one in sources for written in one.guide.rule]
    routes = [*general.routes(""), *(route for one in sources for route in one.guide.routes(one.skill.name))]
    problems += [*_unknown(names, sources, rules, routes), *_uses(sources)]
    measured = [rule.model_copy(update={"tokens": tokens_of(rule, count)}) for rule in rules]
    problems += _too_long(measured, sources, general.limits, count)
    digests = {spec.name: schema_digest(spec) for spec in specs}
    artifact = Artifact(
        schemas=digest_of(digests),
        sources=digest_of([[_plain(one) for one in sources], general.model_dump(mode="json")]),
        shipped=shipped,
        limits=general.limits,
        protocol=general.protocol,
        tools={name: Entry(skill=owners[name], digest=digests[name]) for name in sorted(owners)},
        skills={one.skill.name: tuple(n for n in sorted(owners) if owners[n] == one.skill.name) for one in sources},
        rules=tuple(measured),
        routes=tuple(_measured(route, count) for route in routes),
    )
    return artifact, problems


def owned(names: frozenset[str], sources: Sequence[Source], chosen: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    """The one Skill of every tool, and what is missing or ambiguous."""
    claims: dict[str, list[str]] = {name: [] for name in names}
    for one in sources:
        for name in one.skill.tools:
            claims.setdefault(name, []).append(one.skill.name)
    slugs = {one.skill.name for one in sources}
    owners: dict[str, str] = {}
    problems: list[str] = []
    for name in sorted(names):
        claimed, choice = claims[name], _choice(name, chosen)
        if choice is not None and choice not in (claimed or slugs):
            problems.append(f"`owners.{name}` is `{choice}`, a Skill that does not open it; it is opened by "
                            f"{_listed(claimed) or 'none'}.")  # fmt: skip
        elif choice is not None or len(claimed) == 1:
            owners[name] = choice or claimed[0]
        elif not claimed:
            problems.append(
                f"the tool `{name}` belongs to no Skill. Name it in `metadata.tools` of one, or in `[owners]`."
            )
        else:
            problems.append(f"the tool `{name}` belongs to {_listed(claimed)}. Say which in `[owners]`.")
    idle = [key for key in sorted(chosen) if not any(fnmatchcase(name, key) for name in names)]
    return owners, [*problems, *(f"`owners.{key}`: there is no tool `{key}`." for key in idle)]


def _choice(name: str, chosen: dict[str, str]) -> str | None:
    """The Skill that was chosen for a tool, by its name or by a pattern such as `files_*`."""
    if name in chosen:
        return chosen[name]
    return next((slug for key, slug in chosen.items() if "*" in key and fnmatchcase(name, key)), None)


def _listed(slugs: Sequence[str]) -> str:
    return ", ".join(f"`{slug}`" for slug in slugs)


def _unknown(
    names: frozenset[str], sources: Sequence[Source], rules: Sequence[Rule], routes: Sequence[Route]
) -> Iterator[str]:
    """Names that are no tool, and tools that are named without a reference."""
    for one in sources:
        for field, named in _named(one.skill):
            if named not in names:
                yield f"`{one.path}`: field `{field}` names `{named}`, which is no tool."
    for rule in rules:
        where = f"a rule of `{rule.skill}`" if rule.skill else "a rule for all"
        for name in rule.about:
            if name not in names:
                yield f"{where} names `{name}`, which is no tool: {rule.text[:80]}"
        for word in re.findall(r"\w+", template(rule.text).plain):
            if word in names:
                yield f"{where} names `{word}` without braces, so it could not be left out: {rule.text[:80]}"
    for route in routes:
        for choice in route.choices:
            if choice.tool not in names:
                yield f"a route of `{route.skill or 'all'}` names `{choice.tool}`, which is no tool."
            for word in re.findall(r"\w+", choice.text):
                if word in names:
                    yield f"a route of `{route.skill or 'all'}` names `{word}` in the text of `{choice.tool}`."


def _named(skill: Skill) -> Iterator[tuple[str, str]]:
    """Fields of a Skill with the tools that they name."""
    for name in skill.tools:
        yield "metadata.tools", name
    for field in ("requires", "ensures"):
        for text in getattr(skill, field):
            condition = parse_condition(text, needs_source=field == "requires")
            yield f"metadata.{field}", condition.target.name
            if condition.source is not None:
                yield f"metadata.{field}", condition.source.name


def _uses(sources: Sequence[Source]) -> Iterator[str]:
    """Skills that are used and are none, and circles."""
    uses = {one.skill.name: one.skill.uses for one in sources}
    for one in sources:
        for slug in one.skill.uses:
            if slug not in uses:
                yield f"`{one.path}`: field `metadata.uses` names `{slug}`, which is no Skill."
        if circle := _circle(one.skill.name, uses):
            yield f"`{one.path}`: field `metadata.uses` makes a cycle: {' -> '.join(circle)}."


def _circle(start: str, uses: dict[str, tuple[str, ...]]) -> list[str]:
    """A way from a Skill back to itself, said by the first of its Skills alone; empty where there is none."""
    ways = [[start]]
    seen: set[str] = set()
    while ways:
        way = ways.pop()
        for slug in uses.get(way[-1], ()):
            if slug == start:
                return [*way, start] if start == min(way) else []
            if slug not in seen:
                seen.add(slug)
                ways.append([*way, slug])
    return []


def tokens_of(rule: Rule, count: Count) -> int:
    """Tokens of a rule's line and its end, where all of its tools are there."""
    text = template(rule.text).fitted(frozenset(rule.about))
    return count(line(text or rule.text) + "\n")


def _measured(route: Route, count: Count) -> Route:
    choices = tuple(Choice(tool=one.tool, text=one.text, tokens=count(f" {one.said};")) for one in route.choices)
    return route.model_copy(update={"choices": choices})


def _too_long(rules: Sequence[Rule], sources: Sequence[Source], limits: Limits, count: Count) -> Iterator[str]:
    for rule in rules:
        if rule.tokens > limits.rule:
            where = f"of `{rule.skill}`" if rule.skill else "for all"
            yield f"a rule {where} has {rule.tokens} tokens; the limit is {limits.rule}: {rule.text[:80]}"
    for one in sources:
        if (size := count(one.skill.instructions)) > limits.instructions:
            yield f"`{one.path}`: the instructions have {size} tokens; the limit is {limits.instructions}."


def _plain(source: Source) -> list[object]:
    return [source.skill.model_dump(mode="json"), source.guide.model_dump(mode="json")]
