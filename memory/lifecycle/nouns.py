"""Noun phrases: one name for what people call differently, and which of them have one value at a time."""

import re

from memory.lifecycle.lexicon import listed, pattern, same
from memory.lifecycle.text import words

_POSSESSIVE = re.compile(r"'s\b|s'(?=\s)")
_NAME = re.compile(r"[A-Z][\w-]+(?: [A-Z][\w-]+)?")


def noun_key(phrase: str) -> str:
    """A noun phrase in normal form: "the code of my locker" and "my new locker code" are the same."""
    text = _POSSESSIVE.sub("", phrase)
    for others, name in same():
        text = others.sub(name, text)
    filler = listed("filler")
    kept = sorted({_singular(word) for word in words(text) if word not in filler})
    return " ".join(kept) or " ".join(sorted(words(text)))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] not in "sui" else word


def is_person(phrase: str) -> bool:
    """Whether a noun phrase names somebody: a relative, a friend, a name of one or two capitalised words."""
    found = words(phrase)
    if not found or found[0] in listed("chosen") or any(word.endswith("'s") for word in found):
        return False
    people = listed("people")
    return found[-1] in people or found[0] in people or _NAME.fullmatch(phrase) is not None


def stable(phrase: str, value: str) -> bool:
    """Whether "`phrase` is `value`" states something that the next such statement replaces."""
    found = {word.removesuffix("'s") for word in words(phrase)}
    if not found or pattern("vague").match(value):
        return False
    named = found | {_singular(word) for word in found} | {noun_key(phrase)}
    if named & (listed("chosen") | listed("heads")):
        return True
    return bool(pattern("point").search(value) or pattern("proper").match(value))
