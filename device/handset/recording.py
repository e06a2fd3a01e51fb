"""A recording of a real phone as a folder: dumps, pictures, and what was done on each screen.

`steps.jsonl` has a line for each screen: `{"tree": "0001.xml", "picture": "0001.png", "activity": ".Main", "input":
{"kind": "tap", "x": 540, "y": 300}}`. `tree` is a dump of `uiautomator dump`, of uiautomator2 or of Appium (the class
is the tag's name); `picture` and `activity` may be missing; `input` is what led to the next line: `tap` or `hold` (x,
y), `swipe` (x, y, x2, y2), `text` (text), `key` (`back`, `home`, `recents`, `enter`), or null on the last one and where
it was not seen.
"""

import re
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

from pydantic import ValidationError

from device.handset.screens.node import Bounds, Node, Window
from runtime.contract import UserError
from runtime.contract.base import Record

LARGEST_TREE = 8_000_000
DEEPEST = 200
"""Levels of a tree; real screens have a few dozen."""
_SYSTEM_UI = "com.android.systemui"
_FLAGS = ("checkable", "checked", "enabled", "focusable", "focused", "scrollable", "password", "selected")


class Done(Record):
    """What was done on one screen."""

    kind: Literal["tap", "hold", "swipe", "text", "key"]
    """Which action."""
    x: int = 0
    """Pixels from the left."""
    y: int = 0
    """Pixels from the top."""
    x2: int = 0
    """Where a swipe ended."""
    y2: int = 0
    """Where a swipe ended."""
    text: str = ""
    """What was typed."""
    key: str = ""
    """Which key."""


class Screenful(Record):
    """One screen of a recording."""

    tree: str
    """File with the dump."""
    picture: str = ""
    """File with the picture; "" for none."""
    activity: str = ""
    """Class of the activity; "" where it was not recorded."""
    input: Done | None = None
    """What led to the next screen."""


class Recording:
    """The screens of one folder, in order."""

    def __init__(self, folder: Path) -> None:
        """Read the list of screens; raises `UserError` for what is no recording."""
        self.folder = folder
        try:
            lines = (folder / "steps.jsonl").read_text(encoding="utf-8").split("\n")  # a text may hold other ends
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "no UTF-8"
            raise UserError(
                f"`{folder}` holds no recording: its `steps.jsonl` can't be read ({reason}). Name the folder that "
                "`pocket record` made."
            ) from None
        self.steps: list[Screenful] = []
        for number, line in enumerate(filter(str.strip, lines), 1):
            try:
                self.steps.append(Screenful.model_validate_json(line))
            except ValidationError as error:
                first = error.errors()[0]
                where = f" at `{'.'.join(map(str, first['loc']))}`" if first["loc"] else ""
                raise UserError(f"line {number} of `{folder}/steps.jsonl`: {first['msg']}{where}.") from None
        if not self.steps:
            raise UserError(f"`{folder}/steps.jsonl` has no line. Record at least one screen.")
        for step in self.steps:
            self.windows(step)
            _check_picture(self.picture(step))

    def picture(self, step: Screenful) -> Path | None:
        """The file with a screen's picture."""
        path = self.folder / Path(step.picture).name
        return path if step.picture and path.is_file() else None

    def windows(self, step: Screenful) -> tuple[list[Window], int]:
        """The windows of a screen, the top one first, and its rotation; raises `UserError`."""
        path = self.folder / Path(step.tree).name
        try:
            if path.stat().st_size > LARGEST_TREE:
                raise UserError(f"`{path}` has more than {LARGEST_TREE} bytes. Leave this screen out.")
            data = path.read_bytes()
            if b"<!DOCTYPE" in data:
                raise UserError(f"`{path}` declares a document type, which no dump has. Leave this screen out.")
            root = ElementTree.fromstring(data)
            trees = [_node(element) for element in _tops(root)]
        except (OSError, ValueError, LookupError, ElementTree.ParseError) as error:
            raise UserError(f"`{path}` can't be read as a dump: {error}.") from None
        found = [_window(tree, step.activity) for tree in trees] or [_window(Node("android.widget.FrameLayout"), "")]
        rotation = root.get("rotation", "0")
        return list(reversed(found)), int(rotation) if rotation in ("1", "2", "3") else 0


def _window(tree: Node, activity: str) -> Window:
    system = tree.package == _SYSTEM_UI
    return Window(tree.package, "" if system else activity, tree, "system" if system else "application")


def _tops(root: ElementTree.Element) -> list[ElementTree.Element]:
    """The outermost node of each window; `uiautomator dump --windows` has a `<hierarchy>` for each of them."""
    frames = [root] if root.tag == "hierarchy" else list(root.iter("hierarchy"))
    return [element for frame in frames for element in frame]


def _check_picture(path: Path | None) -> None:
    """Raise `UserError` for a picture that can't be shown."""
    if path is None:
        return
    from PIL import Image

    try:
        with Image.open(path) as image:
            image.verify()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        said = " ".join(str(error).split())
        raise UserError(f"`{path}` can't be read as a picture: {said}. Remove it, or record again.") from None


_BOX = re.compile(r"\[(-?[0-9]{1,9}),(-?[0-9]{1,9})\]\[(-?[0-9]{1,9}),(-?[0-9]{1,9})\]")


def _bounds(text: str) -> Bounds:
    match = _BOX.fullmatch(text)
    return (int(match[1]), int(match[2]), int(match[3]), int(match[4])) if match else (0, 0, 0, 0)


def _node(element: ElementTree.Element, depth: int = 1) -> Node:
    """A recorded node; what was clickable stays so, though nothing but the recorded step happens."""
    if depth > DEEPEST:
        raise ValueError(f"its nodes lie more than {DEEPEST} levels deep")
    values = element.attrib
    node = Node(
        values.get("class") or (element.tag if element.tag != "node" else "android.view.View"),
        text=values.get("text", ""),
        desc=values.get("content-desc", ""),
        rid=values.get("resource-id", ""),
        package=values.get("package", ""),
        hint=values.get("hint", ""),
        bounds=_bounds(values.get("bounds", "")),
    )
    for name in _FLAGS:
        setattr(node, name, values.get(name, "true" if name == "enabled" else "false") == "true")
    node.tap = _nothing if values.get("clickable") == "true" else None
    node.hold = _nothing if values.get("long-clickable") == "true" else None
    node.field = "recorded" if node.cls.endswith("EditText") else ""
    node.children = [_node(child, depth + 1) for child in element]
    return node


def _nothing(x: int, y: int) -> None:
    return None
