"""Guidance whose mentions of tools are references, so that it can be fitted to the tools that are there.

    {manage_wifi}                  must be there, else the text is left out
    {manage_wifi|manage_hotspot}   a family: those that are there, `, ` between; none of them, and the text is left out
    [ then {run_speed_test}]       a part that is left out alone when one of its references can't be met

So a text that was fitted never names a tool that is not there, and a rule that is only about other tools is gone.
"""

import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Literal, TypeAlias

from pydantic import Field

from runtime.contract import Record

Count: TypeAlias = Callable[[str], int]
"""Tokens of a text in the planner's vocabulary."""
Kind = Literal["general", "domain", "turns"]
PIECE = re.compile(r"\[|\]|\{[^{}\[\]]*\}|[^\[\]{}]+")
NAME = re.compile(r"[a-z][a-z0-9_]*")
BETWEEN = ", "
"""Between the members of a family."""

Part: TypeAlias = str | tuple[str, ...]
"""Plain text, or the tools of one reference."""


class Template(Record):
    """A text in parts."""

    parts: tuple[tuple[bool, tuple[Part, ...]], ...]
    """Stretches in order: whether it may be left out, and what it is made of."""

    @property
    def names(self) -> tuple[str, ...]:
        """All tools that are referred to, in order."""
        found = [name for _, parts in self.parts for part in parts if not isinstance(part, str) for name in part]
        return tuple(dict.fromkeys(found))

    @property
    def plain(self) -> str:
        """All plain text."""
        return " ".join(part for _, parts in self.parts for part in parts if isinstance(part, str))

    def fitted(self, here: AbstractSet[str]) -> str | None:
        """The text for the tools that are `here`; None when a reference that it needs can't be met."""
        said: list[str] = []
        for optional, parts in self.parts:
            filled = [part if isinstance(part, str) else BETWEEN.join(one for one in part if one in here)
                      for part in parts]  # fmt: skip
            if all(filled):
                said += filled
            elif not optional:
                return None
        return " ".join("".join(said).split())


@lru_cache(maxsize=4096)
def template(text: str) -> Template:
    """A text taken apart; `ValueError` says what is wrong with it."""
    found = PIECE.findall(text)
    if "".join(found) != text:
        raise ValueError("braces and brackets must be closed, and braces hold tool names with `|` between")
    parts: list[tuple[bool, tuple[Part, ...]]] = []
    run: list[Part] = []
    inside = False
    for piece in found:
        if piece in "[]":
            if (piece == "[") is inside:
                raise ValueError("square brackets must be closed, and can't hold others")
            parts.append((inside, tuple(run)))
            run, inside = [], not inside
        else:
            run.append(_reference(piece) if piece.startswith("{") else piece)
    if inside:
        raise ValueError("a square bracket is not closed")
    return Template(parts=tuple(part for part in (*parts, (False, tuple(run))) if part[1]))


def _reference(piece: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in piece[1:-1].split("|"))
    wrong = [name for name in names if not NAME.fullmatch(name)]
    if wrong:
        raise ValueError(f"`{wrong[0][:40]}` in braces is no tool name")
    return names


class Rule(Record):
    """One instruction."""

    kind: Kind = "domain"
    """`general`: always there. `domain`: with its tools. `turns`: only where the dialogue has earlier turns."""
    text: str
    """With references in braces."""
    when: tuple[str, ...] = ()
    """Tools of which one must be there, beside those that the text needs."""
    priority: int = Field(default=5, ge=1, le=9)
    """1 is said first; among equals the tools that the request is most about."""
    skill: str = ""
    """The Skill it comes from; empty: it holds for all."""
    tokens: int = 0
    """With its mark and line end, where all of its tools are there."""

    @property
    def about(self) -> tuple[str, ...]:
        """The tools that it is about."""
        return tuple(dict.fromkeys((*template(self.text).names, *self.when)))

    def fitted(self, here: AbstractSet[str]) -> str | None:
        """Its line for the tools that are `here`, or None."""
        if self.when and here.isdisjoint(self.when):
            return None
        text = template(self.text).fitted(here)
        return None if text is None else line(text)


class Choice(Record):
    """What one of several tools that are easily mixed up is for."""

    tool: str
    """The tool."""
    text: str
    """What it is for, in a few words."""
    tokens: int = 0
    """Of its part of the note."""

    @property
    def said(self) -> str:
        """Its part of the note."""
        return f"{self.text}: {self.tool}"


class Route(Record):
    """Which of several candidates is for what; said where two of them are there."""

    choices: tuple[Choice, ...] = Field(min_length=2)
    """The candidates, best first."""
    skill: str = ""
    """The Skill it comes from; empty: none."""

    def among(self, here: AbstractSet[str]) -> tuple[Choice, ...]:
        """The candidates that are `here`; fewer than two need no note."""
        found = tuple(choice for choice in self.choices if choice.tool in here)
        return found if len(found) > 1 else ()


def line(text: str) -> str:
    """A text as one line of the section."""
    return f"- {text}"


def route_line(choices: tuple[Choice, ...]) -> str:
    """The note on some candidates."""
    return line("; ".join(choice.said for choice in choices))
