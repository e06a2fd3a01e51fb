"""Takes what is personal out of a recording before it is written: in trees, in inputs and, painted over, in pictures.

1. E-mail addresses, phone numbers and codes are found by their form (forms.py); names and other texts are given, or
   read from the phone's contacts. Fields of passwords are emptied whatever they hold.
2. Equal things get equal placeholders (`[name 1]`), so that a recording still says who is who.
3. In a picture the box of every node whose words changed is painted over; all of it where a node says no box.

What is in a picture and not in its tree (a photo, a map) is not found: leave such pictures out.
"""

import io
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

from device.android.record.forms import (
    CODE,
    CODE_FIRST,
    DATE,
    EMAIL,
    NUMBER,
    PASSWORD,
    PLACEHOLDER,
    bare,
    names_pattern,
    plain,
    texts_pattern,
)

Box = tuple[int, int, int, int]
STRUCTURE = frozenset(("index", "class", "package", "resource-id", "bounds", "rotation", "width", "height"))
"""Attributes that say how a screen is built; all others may say something of a person."""
EVERYWHERE: Box = (0, 0, 1 << 15, 1 << 15)
_BOX = re.compile(r"\[(-?[0-9]{1,9}),(-?[0-9]{1,9})\]\[(-?[0-9]{1,9}),(-?[0-9]{1,9})\]")
_APART = re.compile(r"[\s._-]+")
PAINT = (40, 40, 40)
Put = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is taken out."""

    kind: str
    """email, number, code, name, text or password."""
    said: str
    """As it stood there."""
    placeholder: str
    """What stands there then."""
    where: str = ""
    """File and attribute."""


@dataclass
class Redaction:
    """The rules, and what they found so far."""

    names: tuple[str, ...] = ()
    """Names of people; each of their words counts too."""
    texts: tuple[str, ...] = ()
    """Other texts."""
    forms: bool = True
    """Whether e-mail addresses, numbers and codes are looked for."""
    known: dict[tuple[str, str], str] = field(default_factory=dict)
    """Placeholders by kind and text."""
    taken: dict[str, int] = field(default_factory=dict)
    """Numbers of each kind that earlier redactions have used up."""

    def text(self, text: str, where: str = "", found: list[Finding] | None = None) -> str:
        """The text without what is personal."""
        notes = found if found is not None else []

        def put(kind: str, said: str) -> str:
            mark = self._placeholder(kind, said)
            notes.append(Finding(kind, said, mark, where))
            return mark

        text = _replaced(texts_pattern(self.texts), text, "text", put)
        if self.forms:
            text = _without_forms(text, put)
        return _replaced(names_pattern(self.names), text, "name", put)

    def value(self, value: Any, where: str, found: list[Finding], kept: frozenset[str], key: str = "") -> Any:
        """JSON with its texts redacted, but for those under a key of `kept`; numbers stay."""
        if isinstance(value, str):
            return value if key in kept else self.text(value, f"{where} {key}".strip(), found)
        if isinstance(value, list):
            return [self.value(one, where, found, kept, key) for one in value]
        if isinstance(value, dict):
            return {name: self.value(one, where, found, kept, name) for name, one in value.items()}
        return value

    def _placeholder(self, kind: str, said: str) -> str:
        folded = bare(plain(said)).casefold()
        parts = {"number": "".join(filter(str.isdecimal, folded)), "name": _APART.sub("", folded)}
        key = (kind, parts.get(kind) or " ".join(folded.split()))
        if key not in self.known:
            number = self.taken.get(kind, 0) + sum(one == kind for one, _ in self.known) + 1
            self.known[key] = f"[{kind} {number}]"
        return self.known[key]

    def tree(self, xml: str, where: str = "") -> tuple[str, list[Finding], list[Box]]:
        """A dump without what is personal, what was found, and the boxes that showed it."""
        root = ElementTree.fromstring(xml)
        found: list[Finding] = []
        boxes: list[Box] = []
        for node in root.iter():
            before = len(found)
            if node.get("text") and _secret(node):
                found.append(Finding("password", "(hidden)", "", f"{where} text"))
                node.set("text", "")
            for name, value in list(node.items()):
                if value and name not in STRUCTURE:
                    node.set(name, self.text(value, f"{where} {name}".strip(), found))
            if len(found) > before and (box := _box(node.get("bounds", ""))):
                boxes.append(box)
        return ElementTree.tostring(root, encoding="unicode"), found, boxes


def _replaced(pattern: re.Pattern[str] | None, text: str, kind: str, put: Put) -> str:
    """What a pattern finds in the bare text is replaced in the text itself, which is as long."""
    if pattern is None:
        return text
    composed = plain(text)
    kept, at = [], 0
    for match in pattern.finditer(bare(composed)):
        if match[0] and not PLACEHOLDER.fullmatch(match[0]):
            kept += [composed[at : match.start()], put(kind, composed[match.start() : match.end()])]
            at = match.end()
    return "".join([*kept, composed[at:]]) if kept else text


def _without_forms(text: str, put: Put) -> str:
    if "@" in text:
        text = EMAIL.sub(lambda match: put("email", match[0]), text)
    text = CODE.sub(lambda match: match[1] + put("code", match[2]), text)
    text = CODE_FIRST.sub(lambda match: match[0] if DATE.fullmatch(match[0]) else put("code", match[0]), text)
    return NUMBER.sub(lambda match: match[0] if DATE.fullmatch(match[0]) else put("number", match[0]), text)


def _secret(node: ElementTree.Element) -> bool:
    """Whether a password stands in the node, also one that is shown: then the phone no longer calls it one."""
    if node.get("password") == "true":
        return True
    about = " ".join(node.get(name, "") for name in ("resource-id", "hint", "content-desc"))
    typed = (node.get("class") or node.tag).endswith("EditText") and node.get("text") != node.get("hint")
    return typed and bool(PASSWORD.search(about))


def _box(text: str) -> Box | None:
    """Where a node is; everywhere if it does not say, nowhere if it is empty."""
    match = _BOX.fullmatch(text)
    if match is None:
        return EVERYWHERE
    left, top, right, bottom = (int(number) for number in match.groups())
    return (left, top, right, bottom) if left < right and top < bottom else None


def painted(png: bytes, boxes: Iterable[Box]) -> bytes:
    """The picture with boxes painted over, and nothing but its pixels."""
    from PIL import Image, ImageDraw

    image = Image.open(io.BytesIO(png)).convert("RGB")
    draw = ImageDraw.Draw(image)
    for left, top, right, bottom in boxes:
        draw.rectangle((left, top, right - 1, bottom - 1), fill=PAINT)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
