"""Arguments in the words of the dialogue: a small model that begins to copy a name is helped to copy it to the end.

A name, a number or a title stands in the request, in an answer or in a result, and a value that differs from it by a
syllable ("Ming Lin" for "Mei Lin") is wrong. While a free-text argument is a stretch of the dialogue so far, a next
token that leaves the dialogue's words gives way to the likeliest one that stays, if that one is at most `bias` nats
less likely. A model that is certain of a word of its own keeps it. Members of enumerations and the texts of ask, refuse
and finish are the model's own.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from runtime.contract import ContextPiece, ToolSpec
from runtime.planner.engine import Logits

CANDIDATES = 24
"""Tokens that are looked at beside the likeliest one."""
OPEN_VALUE = re.compile(r'"(\w+)": "((?:[^"\\]|\\.)*)$')
"""A property and its text so far, at the end of what was generated."""
CALLED = re.compile(r'\{"name": "(\w+)"')
WORD = re.compile(r"\w")


def dialogue_of(pieces: Sequence[ContextPiece]) -> str:
    """What was said and shown: the user's turns with the results, and the memories."""
    shown = [piece.text for piece in pieces if piece.origin == "content"]
    return "\n".join(text for text in shown if text.startswith(("user\n", "<memory>")))


class Copier:
    """Prefers tokens that go on copying."""

    def __init__(
        self, dialogue: str, exposed: Sequence[ToolSpec], decode: Callable[[Sequence[int]], str], bias: float
    ) -> None:
        self._dialogue = dialogue.casefold()
        self._free = {spec.name: free_texts(spec) for spec in exposed}
        self._decode, self._bias = decode, bias

    def prefer(self, row: Logits, best: int, written: Sequence[int]) -> Sequence[int]:
        """Tokens to take in place of `best`, the likeliest first; empty where `best` stays. `written`: ids so far."""
        value = self._open_value(self._decode(written))
        if value is None or not self._copied(value, whole=False) or self._goes_on(value, best):
            return ()
        near = np.argpartition(-row, CANDIDATES)[:CANDIDATES]
        near = near[row[near] >= row[best] - self._bias]
        ranked = sorted((int(token) for token in near if token != best), key=lambda token: -row[token])
        return [token for token in ranked if self._goes_on(value, token)]

    def _open_value(self, text: str) -> str | None:
        """The free text that is being written; None elsewhere."""
        found = OPEN_VALUE.search(text)
        names = CALLED.findall(text)
        if found is None or not names or found[1] not in self._free.get(names[-1], frozenset()):
            return None
        return _unquoted(found[2])

    def _goes_on(self, value: str, token: int) -> bool:
        """Whether the value with a token stays a stretch of the dialogue."""
        text, closing, _ = self._decode([token]).partition('"')
        return self._copied(value + text, whole=bool(closing))

    def _copied(self, value: str, whole: bool) -> bool:
        """Whether a value stands in the dialogue from the start of a word; `whole`: to the end of one too."""
        wanted, at = value.casefold(), -1
        while (at := self._dialogue.find(wanted, at + 1)) >= 0:
            starts = not wanted or at == 0 or not _inside(self._dialogue, at)
            if starts and not (whole and _inside(self._dialogue, at + len(wanted))):
                return True
        return False


def free_texts(spec: ToolSpec) -> frozenset[str]:
    """Arguments whose text is free: neither members of an enumeration nor of another type."""
    properties: Mapping[str, Mapping[str, object]] = spec.parameters.get("properties", {})
    return frozenset(name for name, one in properties.items() if "string" in _types(one) and "enum" not in one)


def _types(schema: Mapping[str, object]) -> Sequence[object]:
    kinds = schema.get("type", ())
    return kinds if isinstance(kinds, list) else [kinds]


def _inside(text: str, at: int) -> bool:
    """Whether a word runs across this place."""
    return 0 < at < len(text) and bool(WORD.match(text[at - 1])) and bool(WORD.match(text[at]))


def _unquoted(text: str) -> str:
    """A JSON text that may end within an escape."""
    try:
        return str(json.loads(f'"{text}"'))
    except json.JSONDecodeError:
        return text
