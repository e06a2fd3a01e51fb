"""Tasks of the suite's own: `screens/*.toml`, a task for each line of a split; most of them through the screen alone.

What counts as success is the state that a tool's call would leave on the sandbox; the gold is what a finger does: one
`use_screen` after another from the home screen on. Only that tool is exposed. An entry without steps is the call.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from pydantic import Field, ValidationError

from device.sandbox.registry import catalogue
from evalkit.android.screen_tool import ACTIONS, NAME, SPEC
from evalkit.suites.core.drafts import Draft, empty_world, seeded
from evalkit.suites.core.single import DONE
from runtime.contract import Json, Record, SetupError, Split, TaskView

PATTERN = "screen"


class Family(Record):
    """One entry."""

    family: str
    """Unique over all files."""
    call: Json
    """The tool call that leaves the same state."""
    plant: tuple[Json, ...] = ()
    """Rows that must be there, as facts of a world."""
    steps: tuple[tuple[str, ...], ...] = ()
    """Action, element, text; none: the call is the gold."""
    dev: tuple[dict[str, str], ...]
    """Tasks of dev: `say`, and values of slots."""
    test: tuple[dict[str, str], ...]
    """Tasks of test."""

    def rows(self, split: Split) -> tuple[dict[str, str], ...]:
        """Tasks of a split; nothing is trained on these."""
        return {Split.DEV: self.dev, Split.TEST: self.test}.get(split, ())


class Book(Record):
    """One file."""

    screen: tuple[Family, ...] = Field(default=())
    """Entries through the screen."""
    call: tuple[Family, ...] = Field(default=())
    """Entries of one call."""


@dataclass(frozen=True, slots=True)
class ScreenDraft:
    """A draft whose gold is played on a tool, and the gold of the screen that leaves the same state."""

    draft: Draft
    """With the tool's call as its gold."""
    gold: tuple[Json, ...]
    """The screen's."""


@lru_cache(maxsize=1)
def families() -> tuple[Family, ...]:
    """All entries in the order of the files' names; `SetupError` for a damaged one."""
    folder = files("evalkit.suites.android").joinpath("screens")
    found: list[Family] = []
    for item in sorted((item for item in folder.iterdir() if item.name.endswith(".toml")), key=lambda item: item.name):
        try:
            book = Book.model_validate(tomllib.loads(item.read_text(encoding="utf-8")))
            found += (*book.screen, *book.call)
        except (tomllib.TOMLDecodeError, ValidationError) as error:
            raise SetupError(f"`screens/{item.name}` is damaged: {error}") from error
    _check(found)
    return tuple(found)


def _check(found: list[Family]) -> None:
    """Unique families and requests, actions that there are, a value for every slot."""
    names, said = set[str](), set[str]()
    for one in found:
        if one.family in names:
            raise SetupError(f"two screen entries are called `{one.family}`; rename one")
        names.add(one.family)
        for step in one.steps:
            if step[0] not in ACTIONS:
                raise SetupError(f"`{one.family}`: `{step[0]}` is no action of the screen; use {', '.join(ACTIONS)}")
        for row in (*one.dev, *one.test):
            if row["say"].casefold() in said:
                raise SetupError(f"`{one.family}`: `{row['say']}` is said twice; word it another way")
            said.add(row["say"].casefold())
            _filled([one.call, one.steps], row, one.family)


def _filled(template: Any, row: dict[str, str], family: str) -> Any:
    """The template with each slot replaced by the row's value."""
    if isinstance(template, str):
        for name, value in row.items():
            template = template.replace(f"{{{name}}}", value)
        if "{" in template:
            raise SetupError(f"`{family}`: `{template}` has a slot without a value; add it to every line")
        return template
    if isinstance(template, int | float):
        return template
    if isinstance(template, dict):
        return {name: _filled(value, row, family) for name, value in template.items()}
    return [_filled(one, row, family) for one in template]


def screen_drafts(split: Split) -> Iterator[ScreenDraft]:
    """All drafts of a split, in the files' order."""
    for one in families():
        for number, row in enumerate(one.rows(split)):
            rng = seeded("screen", one.family, split, number)
            call = _filled(one.call, row, one.family)
            steps = tuple(_step(step) for step in _filled(one.steps, row, one.family)) or (call,)
            plant = tuple(_filled(fact, row, one.family) for fact in one.plant)
            end: Json = {"finish": rng.choice(DONE)}
            draft = Draft(
                family=one.family,
                pattern=PATTERN if one.steps else "one_call",
                domain=catalogue().tools[call["name"]].spec.domain,
                split=split,
                view=TaskView(request=row["say"], tools=(SPEC,) if one.steps else None),
                world=empty_world(split, rng).model_copy(update={"facts": plant}),
                gold=(call, end),
                tools=(NAME if one.steps else call["name"],),
            )
            yield ScreenDraft(draft, (*steps, end))


def _step(words: list[str]) -> Json:
    names = ("action", "element", "text")
    return {"name": NAME, "arguments": dict(zip(names, words, strict=False))}
