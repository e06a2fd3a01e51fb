"""The rules beside a Skill, `guidance.toml`, and those that hold for all, in `skills/guidance.toml`.

    [[rule]]    text, and where needed kind, when (tools with spaces between), priority
    [[route]]   a tool = "what it is for", two or more: which of them is for what

The file that holds for all adds `protocol`, `[limits]` and `[owners]`: the Skill to which a tool belongs that several
Skills open. An unknown field is an error with file and field.
"""

import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field, ValidationError, field_validator

from runtime.contract import Record, UserError
from skills.artifact import Limits
from skills.rule import NAME, Choice, Kind, Route, Rule, template

FILE_NAME = "guidance.toml"
GENERAL = Path(__file__).parent / FILE_NAME
MAX_FILE = 64 * 1024
R = TypeVar("R", bound=Record)


class Written(Record):
    """One rule as it is written."""

    text: str = Field(min_length=1, max_length=400)
    """With references in braces."""
    kind: Kind = "domain"
    """When it is said."""
    when: str = ""
    """Tools of which one must be there."""
    priority: int = Field(default=5, ge=1, le=9)
    """1 is said first."""

    @field_validator("text")
    @classmethod
    def _readable(cls, text: str) -> str:
        template(text)
        return text

    @field_validator("when")
    @classmethod
    def _named(cls, when: str) -> str:
        for name in when.split():
            if not NAME.fullmatch(name):
                raise ValueError(f"`{name[:40]}` is no tool name; write names with spaces between")
        return when

    def rule(self, skill: str) -> Rule:
        """As a rule of a Skill."""
        return Rule(kind=self.kind, text=self.text, when=tuple(self.when.split()), priority=self.priority, skill=skill)


class Guide(Record):
    """A file beside a Skill."""

    rule: tuple[Written, ...] = ()
    """Its rules, in order."""
    route: tuple[dict[str, str], ...] = ()
    """Its notes on candidates."""

    @field_validator("route")
    @classmethod
    def _several(cls, routes: tuple[dict[str, str], ...]) -> tuple[dict[str, str], ...]:
        for route in routes:
            if len(route) < 2:
                raise ValueError("a route names two tools or more, each with what it is for")
        return routes

    def routes(self, skill: str) -> tuple[Route, ...]:
        """Its notes as records."""
        return tuple(
            Route(choices=tuple(Choice(tool=tool, text=text) for tool, text in route.items()), skill=skill)
            for route in self.route
        )


class GeneralGuide(Guide):
    """The file that holds for all."""

    protocol: str = Field(min_length=1, max_length=400)
    """Said where the tools that load Skills are exposed, and nothing else."""
    limits: Limits
    """How much may be injected."""
    owners: dict[str, str] = Field(default_factory=dict)
    """Tool (or a pattern, `files_*`) to the Skill that it belongs to, where several or none open it."""


class Overrides(Record):
    """A file of the user's that is laid over it."""

    owners: dict[str, str] = Field(default_factory=dict)
    """As above."""
    limits: dict[str, int] = Field(default_factory=dict)
    """Single limits."""
    rule: tuple[Written, ...] = ()
    """More rules that hold for all."""
    route: tuple[dict[str, str], ...] = ()
    """More notes on candidates."""


def read_guide(folder: Path) -> Guide:
    """The rules beside a Skill; without a file there are none."""
    path = folder / FILE_NAME
    return read_toml(path, Guide) if path.is_file() else Guide()


def read_general(path: Path = GENERAL, overrides: Path | None = None) -> GeneralGuide:
    """The rules that hold for all, with the user's over them."""
    general = read_toml(path, GeneralGuide)
    if overrides is None:
        return general
    own = read_toml(overrides, Overrides)
    if unknown := [name for name in own.limits if name not in Limits.model_fields]:
        known = ", ".join(f"`{name}`" for name in Limits.model_fields)
        raise UserError(f"`{overrides}`: there is no field `limits.{unknown[0]}`. Use {known}.")
    limits = {**general.limits.model_dump(), **own.limits}
    merged = general.model_dump() | {
        "owners": {**general.owners, **own.owners},
        "limits": limits,
        "rule": (*general.rule, *own.rule),
        "route": (*general.route, *own.route),
    }
    return _valid(merged, GeneralGuide, overrides)


def read_toml(path: Path, kind: type[R]) -> R:
    """A file under a schema; a `UserError` names file and field."""
    try:
        size = path.stat().st_size
        if size > MAX_FILE:
            raise UserError(f"`{path}` has {size:,} bytes; the limit is {MAX_FILE:,}. Shorten it.")
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"`{path}` is not TOML: {error}. Correct it.") from None
    except OSError as error:
        raise UserError(f"`{path}` can't be read: {error.strerror}. Name a file of guidance.") from None
    return _valid(data, kind, path)


def _valid(data: Any, kind: type[R], path: Path) -> R:
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            known = ", ".join(f"`{name}`" for name in kind.model_fields)
            raise UserError(f"`{path}`: there is no field `{field}`. Use {known}.") from None
        why = first["msg"].removeprefix("Value error, ")
        raise UserError(f"`{path}`: field `{field}`: {why[:1].lower()}{why[1:]}. Correct it.") from None
