"""What the rules know of English, read from `lexicon.toml` when it is first needed."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

_PART = re.compile(r"%([a-z]+)")


class Frame(NamedTuple):
    """One way to state one attribute."""

    attribute: str
    """The attribute's name; `{key}` stands for the pattern's group `key`."""
    pattern: re.Pattern[str]
    """Matches the whole of what follows the subject; the group `value` is the value, unless `says` is given."""
    strong: bool
    """One value at a time: another value replaces the old one."""
    says: str
    """The value, where the pattern holds none."""


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("memory.lifecycle").joinpath("lexicon.toml").read_text(encoding="utf-8"))


@cache
def listed(name: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(_table()["words"][name].split())


@cache
def pattern(name: str) -> re.Pattern[str]:
    """A pattern by its name."""
    return _compiled(_table()["patterns"][name])


@cache
def frames() -> tuple[Frame, ...]:
    """Ways to state an attribute; all that match count."""
    return tuple(
        Frame(frame["attribute"], _compiled(rf"(?:{text})\W*$"), not frame.get("weak"), frame.get("says", ""))
        for frame in _table()["frame"]
        for text in frame["patterns"]
    )


@cache
def about() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """(attribute, pattern) of what is stated of a speaker who is not the subject."""
    return tuple((one["attribute"], _compiled(one["pattern"])) for one in _table()["about"])


@cache
def ended() -> tuple[re.Pattern[str], ...]:
    """Ways to say that something is over."""
    return tuple(_compiled(text) for text in _table()["ended"]["patterns"])


@cache
def same() -> tuple[tuple[re.Pattern[str], str], ...]:
    """What people call differently, with the one name that it gets here."""
    return tuple((_compiled(rf"\b(?:{others})\b"), name) for name, others in _table()["same"].items())


@cache
def domains() -> dict[str, str]:
    """The kind of thing that a word names, for preferences."""
    return {word: domain for domain, known in _table()["domains"].items() for word in known.split()}


def _compiled(text: str) -> re.Pattern[str]:
    parts = _table()["parts"]
    while _PART.search(text):
        text = _PART.sub(lambda match: parts[match[1]], text)
    return re.compile(text, re.I)
