"""Other words for words: `manage_alarm` becomes `dovi_kesu`, and `manage` is `dovi` in every name and description.

What tools have in common stays visible; what they mean in English does not. The example phrasings stay, because recall
reads them and a planner never does: scrambling is about the planner.
"""

import hashlib
import re
from functools import cache, lru_cache

from runtime.contract import SKILL_PREFIX, ToolSpec

WORD = re.compile(r"[A-Za-z]+")
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"


@cache
def other_word(word: str) -> str:
    """Four to eight letters that stand for a word, whatever its case."""
    digest = hashlib.sha256(word.casefold().encode()).digest()
    pairs = range(2 + digest[0] % 3)
    return "".join(CONSONANTS[digest[2 * n + 1] % 14] + VOWELS[digest[2 * n + 2] % 5] for n in pairs)


class Words:
    """The scrambling; it has no state, so that every process scrambles alike."""

    def text(self, text: str) -> str:
        """A text with each word replaced."""
        return WORD.sub(lambda found: other_word(found[0]), text)

    def name(self, name: str) -> str:
        """A tool's name, with a mark behind it so that no two names meet; a Skill's loader is named by its Skill."""
        if name.startswith(SKILL_PREFIX):
            return name
        letters = hashlib.sha256(name.encode()).digest()
        return f"{self.text(name)}_{CONSONANTS[letters[0] % 14]}{VOWELS[letters[1] % 5]}{letters[2]}"

    def spec(self, tool: ToolSpec) -> ToolSpec:
        """The tool under other words; its arguments keep their names."""
        return _spec(_Same(tool))


class _Same:
    """A specification compared by identity: they are frozen, and hashing one is slow."""

    __slots__ = ("tool",)

    def __init__(self, tool: ToolSpec) -> None:
        self.tool = tool

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.tool is self.tool

    def __hash__(self) -> int:
        return id(self.tool)


@lru_cache(maxsize=4096)
def _spec(same: _Same) -> ToolSpec:
    words = Words()
    return same.tool.model_copy(
        update={"name": words.name(same.tool.name), "description": words.text(same.tool.description)}
    )
