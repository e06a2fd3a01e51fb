"""Takes what is personal out of a recording before it is written: in trees, in inputs and, painted over, in pictures.

1. E-mail addresses, phone numbers and codes are found by their form; names and other texts are given, or read from the
   phone's contacts. Fields of passwords are emptied whatever they hold.
2. Equal things get equal placeholders (`[name 1]`), so that a recording still says who is who.
3. In a picture the box of every node whose words changed is painted over.

What is in a picture and not in its tree (a photo, a map) is not found: leave such pictures out.
"""

import io
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

Box = tuple[int, int, int, int]
ATTRIBUTES = ("text", "content-desc", "hint", "tooltip-text", "pane-title", "state-description")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_NUMBER = re.compile(r"(?<![\w.:/-])\+?\(?\d(?:[ ()./-]?\d){6,14}(?![\w:/-])")
_DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_CODE = re.compile(
    r"(?i)\b((?:code|otp|pin|passcode|tan|password|verification)\W{0,3}(?:\w+\W{1,2}){0,3}?)(\d[\d -]{2,9}\d)"
)
_BOX = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")
PAINT = (40, 40, 40)


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

    def text(self, text: str, where: str = "", found: list[Finding] | None = None) -> str:
        """The text without what is personal."""
        notes = found if found is not None else []

        def put(kind: str, said: str) -> str:
            mark = self._placeholder(kind, said)
            notes.append(Finding(kind, said, mark, where))
            return mark

        for given in sorted(filter(None, self.texts), key=len, reverse=True):
            text = re.sub(re.escape(given), lambda match: put("text", match[0]), text, flags=re.IGNORECASE)
        if self.forms:
            text = _EMAIL.sub(lambda match: put("email", match[0]), text)
            text = _CODE.sub(lambda match: match[1] + put("code", match[2]), text)
            text = _NUMBER.sub(lambda match: match[0] if _DATE.fullmatch(match[0]) else put("number", match[0]), text)
        if self.names:
            text = self._named.sub(lambda match: put("name", match[0]), text)
        return text

    def value(self, value: Any, where: str, found: list[Finding], kept: frozenset[str], key: str = "") -> Any:
        """JSON with its texts redacted, but for those under a key of `kept`; numbers stay."""
        if isinstance(value, str):
            return value if key in kept else self.text(value, f"{where} {key}".strip(), found)
        if isinstance(value, list):
            return [self.value(one, where, found, kept, key) for one in value]
        if isinstance(value, dict):
            return {name: self.value(one, where, found, kept, name) for name, one in value.items()}
        return value

    @property
    def _named(self) -> re.Pattern[str]:
        whole = {name for name in self.names if name.strip()}
        parts = {part for name in whole for part in name.split() if len(part) > 2}
        ordered = sorted(whole | parts, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, ordered))})(?!\w)", re.IGNORECASE)

    def _placeholder(self, kind: str, said: str) -> str:
        key = (kind, " ".join(said.casefold().split()))
        if key not in self.known:
            number = sum(one == kind for one, _ in self.known) + 1
            self.known[key] = f"[{kind} {number}]"
        return self.known[key]

    def tree(self, xml: str, where: str = "") -> tuple[str, list[Finding], list[Box]]:
        """A dump without what is personal, what was found, and the boxes that showed it."""
        root = ElementTree.fromstring(xml)
        found: list[Finding] = []
        boxes: list[Box] = []
        for node in root.iter():
            before = len(found)
            if node.get("password") == "true" and node.get("text"):
                found.append(Finding("password", "(hidden)", "", f"{where} text"))
                node.set("text", "")
            for name in ATTRIBUTES:
                if value := node.get(name):
                    node.set(name, self.text(value, f"{where} {name}".strip(), found))
            if len(found) > before and (box := _box(node.get("bounds", ""))):
                boxes.append(box)
        return ElementTree.tostring(root, encoding="unicode"), found, boxes


def _box(text: str) -> Box | None:
    match = _BOX.fullmatch(text)
    return (int(match[1]), int(match[2]), int(match[3]), int(match[4])) if match else None


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
