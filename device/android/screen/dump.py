"""Bytes of a dump -> a flat tree of nodes, whatever tool wrote them.

1. All forms are read: `uiautomator`'s (`<node class="...">`), its `--windows` form (a `<hierarchy>` for each window of
   each display) and Appium's (the class is the tag's name).
2. What tools leave around the XML is cut off (`UI hierchary dumped to: ...`); what is no dump is named as what it is.
3. Characters that XML forbids are replaced, and the surrogate pairs that old Androids write are joined, because a
   single control character in a text must not cost the whole screen.
4. Nodes lie in one list, parents before children; `end` says where a subtree stops. So no screen is too deep to read.

No document type is accepted: a dump has none, and entities are how a small file becomes a large one.
"""

import re
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.parsers import expat

MAX_BYTES = 4 * 2**20
"""Longest dump; the largest that we met had 1.14 MB."""
PNG = b"\x89PNG\r\n\x1a\n"
_ROOT = re.compile(r"<(hierarchy|displays)(?=[\s>/])")
_CLOSED = re.compile(r"<(?:hierarchy|displays)(?:\s[^<>]*)?/>")
_FRAMES = frozenset(("hierarchy", "displays", "display", "window"))
"""Tags around the nodes."""
_SMALL = re.compile(r"[0-9]{1,9}")
_BOX = re.compile(r"\[(-?\d{1,9}),(-?\d{1,9})\]\[(-?\d{1,9}),(-?\d{1,9})\]")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_PAIR = re.compile(r"&#(5[56]\d{3});&#(5[67]\d{3});")
_REFERENCE = re.compile(r"&#(?:x([0-9a-fA-F]{1,8})|(\d{1,8}));")
_SAID = {
    "could not get idle state": "the screen never came to rest while it was dumped; dump again, or pause what moves",
    "null root node": "the phone had no window to dump; wake and unlock it, then dump again",
    "Killed": "the dump was killed on the phone; close other test tools there, then dump again",
}
"""Messages of `uiautomator dump` that stand where XML should be, and what they mean."""


class DumpProblem(ValueError):  # noqa: N818 - says what is wrong, in one sentence
    """The bytes are no usable dump; one sentence with the next step."""


class Box(NamedTuple):
    """A rectangle in pixels of the screen as it is turned."""

    left: int
    """First column."""
    top: int
    """First row."""
    right: int
    """One past the last column."""
    bottom: int
    """One past the last row."""

    @property
    def area(self) -> int:
        """Pixels, 0 for a box that is empty or inside out."""
        return max(0, self.right - self.left) * max(0, self.bottom - self.top)

    @property
    def centre(self) -> tuple[int, int]:
        """Where a tap goes."""
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2


NOWHERE = Box(0, 0, 0, 0)


@dataclass(slots=True)
class Node:
    """One node of the accessibility tree."""

    index: int
    """Place in the list."""
    parent: int
    """Index of the parent; -1 for a window."""
    kind: str
    """Class without its package: `Button`."""
    package: str
    """The app."""
    text: str
    """What it shows."""
    desc: str
    """Content description."""
    hint: str
    """Hint of an empty field."""
    rid: str
    """Resource id as written: `com.app:id/name`."""
    box: Box
    """Bounds."""
    flags: frozenset[str]
    """Attributes that are true: `clickable`, `checked`, ..."""
    enabled: bool = True
    """Whether it takes input."""
    visible: bool = True
    """Whether the tool says that it is displayed."""
    end: int = 0
    """Index behind its last descendant."""

    @property
    def editable(self) -> bool:
        """Takes text."""
        return self.kind in _EDITABLE or self.kind.endswith("EditText")


_EDITABLE = frozenset(("EditText", "AutoCompleteTextView", "MultiAutoCompleteTextView"))


@dataclass(slots=True)
class Tree:
    """A whole dump."""

    nodes: list[Node] = field(default_factory=list)
    """Parents before children."""
    rotation: int = 0
    """Quarter turns, 0 to 3."""
    width: int = 0
    """Pixels."""
    height: int = 0
    """Pixels."""

    @property
    def package(self) -> str:
        """The app whose window covers most of the screen."""
        windows = [node for node in self.nodes if node.parent < 0]
        return max(windows, key=lambda node: node.box.area).package if windows else ""


def read_dump(data: bytes) -> Tree:
    """The nodes of a dump; raises `DumpProblem` for what is none, for more than `MAX_BYTES` and for no node at all."""
    if len(data) > MAX_BYTES:
        raise DumpProblem(f"it has {len(data):,} bytes; a dump may have {MAX_BYTES:,}. Dump a single screen")
    if PNG in data[:4096]:
        raise DumpProblem("it is a screenshot (PNG), not a dump. Give the XML of `uiautomator dump`")
    builder = _Builder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.close
    text = clean(data)
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        reason = f"{expat.ErrorString(error.code)} at line {error.lineno}, column {error.offset + 1}"
        raise DumpProblem(f"its XML is malformed: {reason}. Dump the screen again") from None
    if not builder.tree.nodes:
        raise DumpProblem("the tree is empty: the app shows nothing to assistive tools yet. Wait, then dump again")
    return builder.finished()


def clean(data: bytes) -> str:
    """The XML of a dump alone, without what XML forbids; raises `DumpProblem` where there is none."""
    return _allowed(_document(_decoded(data)))


def _decoded(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    if data[:2] in (b"<\0", b"\0<"):
        return data.decode("utf-16-le" if data[:1] == b"<" else "utf-16-be", errors="replace")
    return data.decode("utf-8-sig", errors="replace")


def _document(text: str) -> str:
    """The XML alone."""
    start = _ROOT.search(text)
    if start is None:
        if not text.strip():
            raise DumpProblem("it is empty. Dump the screen again")
        said = next((meaning for words, meaning in _SAID.items() if words in text), None)
        raise DumpProblem(said or "it holds no `<hierarchy>`. Give the XML of `uiautomator dump` or of Appium")
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise DumpProblem("it declares a document type, which no dump has. Dump the screen again")
    last = f"</{start[1]}>"
    end = text.rfind(last)
    if end >= 0:
        return text[start.start() : end + len(last)]
    closed = _CLOSED.search(text, start.start())
    if closed is None:
        raise DumpProblem(f"it breaks off after {len(text):,} characters, before `{last}`. Dump the screen again")
    return text[start.start() : closed.end()]


def _allowed(text: str) -> str:
    """The text without what XML 1.0 forbids."""
    if "&#" in text:
        text = _REFERENCE.sub(_reference, _PAIR.sub(_joined, text))
    return _FORBIDDEN.sub("\ufffd", text)


def _joined(pair: re.Match[str]) -> str:
    high, low = int(pair[1]), int(pair[2])
    if 0xD800 <= high < 0xDC00 <= low < 0xE000:
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    return pair[0]


def _reference(match: re.Match[str]) -> str:
    code = int(match[1], 16) if match[1] else int(match[2])
    legal = code in (9, 10, 13) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000
    return match[0] if legal else "\ufffd"


class _Builder:
    """Builds the list while the parser walks."""

    def __init__(self) -> None:
        self.tree = Tree()
        self._open: list[int] = []

    def start(self, tag: str, given: dict[str, str]) -> None:
        """One more element; the tags around the nodes only say how the screen is turned, and its size."""
        if tag in _FRAMES:
            if tag == "hierarchy" and not self.tree.nodes:
                self.tree.rotation = _small(given, "rotation") % 4
                self.tree.width, self.tree.height = _small(given, "width"), _small(given, "height")
            return
        index = len(self.tree.nodes)
        parent = self._open[-1] if self._open else -1
        self.tree.nodes.append(_node(index, parent, given.get("class") or tag, given))
        self._open.append(index)

    def close(self, tag: str) -> None:
        """Its subtree is complete."""
        if tag not in _FRAMES:
            self.tree.nodes[self._open.pop()].end = len(self.tree.nodes)

    def finished(self) -> Tree:
        """The tree, with the screen's size where the dump does not say it."""
        tree = self.tree
        framing = [node for node in tree.nodes if node.parent < 0 and node.box.area] or tree.nodes
        tree.width = tree.width or max(node.box.right for node in framing)
        tree.height = tree.height or max(node.box.bottom for node in framing)
        return tree


_FLAGS = (
    "clickable",
    "long-clickable",
    "scrollable",
    "checkable",
    "checked",
    "selected",
    "focused",
    "focusable",
    "password",
    "showing-hint",
)


def _small(given: dict[str, str], name: str) -> int:
    """An attribute that is a number of pixels or turns; 0 for anything else."""
    value = given.get(name, "")
    return int(value) if _SMALL.fullmatch(value) else 0


def _node(index: int, parent: int, cls: str, given: dict[str, str]) -> Node:
    get = given.get
    box = _BOX.fullmatch(get("bounds", ""))
    return Node(
        index=index,
        parent=parent,
        kind=cls.rpartition(".")[2].rpartition("$")[2],
        package=get("package", ""),
        text=get("text", ""),
        desc=get("content-desc", ""),
        hint=get("hint") or get("tooltip-text") or "",
        rid=get("resource-id", ""),
        box=Box(int(box[1]), int(box[2]), int(box[3]), int(box[4])) if box else NOWHERE,
        flags=frozenset(name for name in _FLAGS if get(name) == "true"),
        enabled=get("enabled") != "false",
        visible=get("displayed") != "false" and get("visible-to-user") != "false",
    )
