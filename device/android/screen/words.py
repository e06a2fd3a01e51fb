"""Texts of a screen as short labels: one line, no invisible characters, nothing said twice, nothing cut in silence.

What a screen shows is somebody else's text. A label never holds a line break, so that no text can pass for a second
element, and no character that turns the reading direction.
"""

import re
from collections.abc import Iterable, Sequence

LABEL_CHARS = 120
"""Longest label; what is left out is counted in it."""
COMPARED, COMPARED_CHARS = 32, 1000
"""How many parts of one node, and how long ones, are searched for a part that they hold already."""
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffc\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
"""What nobody sees: controls, marks of direction, fillers, tags. The joiners of scripts and emoji stay."""
_ICONS = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")
_NAME_PARTS = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*|\d+")


def parts(text: str) -> list[str]:
    """The lines of a text, each cleaned; glyphs of icon fonts say nothing and are dropped."""
    if not text:
        return []
    seen = _ICONS.sub("", _UNSEEN.sub("", text))
    return [line for line in (" ".join(line.split()) for line in re.split(r"[\r\n\x85\u2028\u2029]+", seen)) if line]


def joined(nodes: Iterable[Sequence[str]]) -> str:
    """The parts of all nodes' texts, comma-separated, each said once.

    Within one node a part that an earlier one holds is dropped (Flutter lists a card's texts behind its sentence);
    between nodes only an equal one is, and never a number: two scores may be equal.
    """
    kept: list[str] = []
    said: set[str] = set()
    for texts in nodes:
        own: set[str] = set()
        first: list[str] = []
        for part in (part for text in texts for part in parts(text)):
            low = part.casefold()
            new = (low not in said or low.isdecimal()) and low not in own
            if new and not any(_within(low, one) for one in first):
                kept.append(part)
            own.add(low)
            if len(first) < COMPARED and len(low) <= COMPARED_CHARS:
                first.append(low)
        said |= own
    return shortened(", ".join(kept))


def _within(part: str, whole: str) -> bool:
    """Whether `whole` holds `part` as words of its own."""
    at = whole.find(part)
    while at >= 0:
        before, after = whole[at - 1 : at], whole[at + len(part) : at + len(part) + 1]
        if not (before.isalnum() or after.isalnum()):
            return True
        at = whole.find(part, at + 1)
    return False


def shortened(text: str, limit: int = LABEL_CHARS) -> str:
    """At most about `limit` characters; `…+34` says how many are left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit].rstrip()}…+{len(text) - limit}"


def spelled(rid: str) -> str:
    """Words of a resource id: `com.app:id/btn_sendMessage` gives `btn send message`; nothing for a generated one."""
    name = rid.rpartition("/")[2]
    return " ".join(part.lower() for part in _NAME_PARTS.findall(name)) if not name.isdecimal() else ""
