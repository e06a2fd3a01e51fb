"""A turn as one record or several: a statement stands alone, so that a later one can close it and nothing else.

The originals of the pieces, joined, are the turn; so a summary can always be held against the very words. A summary by
rule keeps the words too: it drops courtesies beside other sentences, control characters and double spaces.
"""

from typing import NamedTuple

from memory.lifecycle.intentions import intention_in
from memory.lifecycle.junk import courtesy
from memory.lifecycle.subjects import statements, told_back
from memory.lifecycle.text import plain, spans, telling
from memory.records import MAX_CONTENT, Trust

LEAD = 2
"""A sentence with at most so many telling words leads on to the statement behind it ("that is no longer right")."""


class Piece(NamedTuple):
    """A stretch of a turn."""

    original: str
    """The very words."""
    content: str
    """Their summary by rule."""


def pieces(text: str, trust: Trust = Trust.USER) -> list[Piece]:
    """The stretches of a turn, in order; those without any word are joined to a neighbour."""
    made = [Piece(part, summary(part)) for group in _groups(text, trust) for part in _short(group)]
    out: list[Piece] = []
    for piece in made:
        if out and not piece.content:
            out[-1] = Piece(out[-1].original + piece.original, out[-1].content)
        elif out and not out[-1].content:
            out[-1] = Piece(out[-1].original + piece.original, piece.content)
        else:
            out.append(piece)
    return out


def summary(text: str) -> str:
    """The text on one line, without sentences that are courtesy alone where others stand beside them."""
    parts = [plain(text[start:end]) for start, end in spans(text)]
    telling_parts = [part for part in parts if part and not courtesy(part)]
    return " ".join(telling_parts or [part for part in parts if part])


def _groups(text: str, trust: Trust) -> list[str]:
    """The text in stretches: each sentence with a statement by itself, the others together."""
    groups: list[str] = []
    waiting = ""
    for start, end in spans(text):
        sentence = text[start:end]
        if not _states(sentence, trust):
            if waiting and len(waiting) + len(sentence) > MAX_CONTENT:
                groups.append(waiting)
                waiting = ""
            waiting += sentence
        elif not waiting or _leads(waiting):
            groups.append(waiting + sentence)
            waiting = ""
        else:
            groups += [waiting, sentence]
            waiting = ""
    if waiting and groups and _leads(waiting):
        groups[-1] += waiting
    elif waiting:
        groups.append(waiting)
    return groups


def _states(sentence: str, trust: Trust) -> bool:
    """Whether a sentence states something about the user, or is a wish of his."""
    if trust is Trust.EXTERNAL:
        return False
    own = trust is Trust.USER
    said = statements(sentence if own else told_back(sentence))
    return any(one.strong or one.over for one in said) or (own and intention_in(sentence.strip()) is not None)


def _leads(text: str) -> bool:
    return courtesy(text) or len(telling(text)) <= LEAD


def _short(text: str) -> list[str]:
    """The text in parts of at most `MAX_CONTENT` characters, cut at blanks where there are any."""
    parts: list[str] = []
    while len(text) > MAX_CONTENT:
        cut = text.rfind(" ", MAX_CONTENT // 2, MAX_CONTENT) + 1 or MAX_CONTENT
        parts.append(text[:cut])
        text = text[cut:]
    return [*parts, text] if text else parts
