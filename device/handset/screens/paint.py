"""The screen as a picture, drawn from the same trees as the dump: what can be read in one can be read in the other."""

import textwrap
from functools import lru_cache
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont

from device.handset.screens.node import Node
from device.sandbox.rows.display_sound import Display

if TYPE_CHECKING:
    from device.handset.screens.ui import Ui

_LIGHT = {"page": "#f6f5fa", "ink": "#1b1b1f", "faint": "#5c5d66", "line": "#d9d9e0", "accent": "#2f5fb3",
    "card": "#ffffff",           "key": "#e2e4ec"}  # fmt: skip
_DARK = {"page": "#121316", "ink": "#e6e6ea", "faint": "#a2a3ad", "line": "#33343a", "accent": "#8fb3ff",
    "card": "#1e1f24",          "key": "#2b2d33"}  # fmt: skip
_FILLED = {"page": "page", "card": "card", "keyboard": "line", "key": "key", "button": "accent", "fab": "accent",
    "app": "card",            "dialog": "card"}  # fmt: skip
_CENTRED = ("button", "fab", "key", "icon", "app", "tab")
_FRAMED = ("field", "tile", "slider", "card")


@lru_cache(maxsize=8)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def paint(ui: "Ui") -> Image.Image:
    """The picture, in the size in which the phone is held; black while it is dark or a window is secure."""
    windows = ui.windows()
    if not ui.awake or any(window.secure for window in windows):
        return Image.new("RGB", ui.size, "black")
    colours = _DARK if ui.phone.sandbox.one(Display).dark_mode else _LIGHT
    image = Image.new("RGB", ui.size, colours["page"])
    draw = ImageDraw.Draw(image)
    for window in reversed(windows):
        _node(draw, window.root, colours)
    return image


def _node(draw: ImageDraw.ImageDraw, node: Node, colours: dict[str, str]) -> None:
    left, top, right, bottom = node.bounds
    if right <= left or bottom <= top:
        return
    fill = colours[_FILLED[node.kind]] if node.kind in _FILLED else None
    if fill is not None or node.kind in _FRAMED:
        draw.rectangle((left, top, right - 1, bottom - 1), fill=fill, outline=colours["line"])
    if node.kind == "row":
        draw.line((left + 42, bottom - 1, right - 42, bottom - 1), fill=colours["line"])
    if node.checkable:
        _mark(draw, node, colours)
    if node.kind == "slider":
        reach = left + int((right - left) * float(node.text or 0) / 100)
        draw.rectangle((left, top, reach, bottom - 1), fill=colours["accent"])
    else:
        _words(draw, node, colours)
    for child in node.children:
        _node(draw, child, colours)


def _mark(draw: ImageDraw.ImageDraw, node: Node, colours: dict[str, str]) -> None:
    _, top, right, bottom = node.bounds
    size = min(60, bottom - top - 8)
    middle = (top + bottom) // 2
    box = (right - size - 20, middle - size // 2, right - 20, middle + size // 2)
    draw.ellipse(box, outline=colours["accent"], width=6, fill=colours["accent"] if node.checked else None)


def _words(draw: ImageDraw.ImageDraw, node: Node, colours: dict[str, str]) -> None:
    """Text, else hint, else the description of an icon; cut to its width."""
    shown = node.text or node.hint or (node.desc if not node.children and node.kind != "slider" else "")
    if not shown:
        return
    left, top, right, bottom = node.bounds
    size = 52 if node.kind in ("title", "heading") else 34 if node.kind in ("summary", "icon", "fab") else 42
    size = max(18, min(size, bottom - top - 8))
    faint = node.kind == "summary" or not node.text
    ink = colours["page"] if node.kind in ("button", "fab") else colours["faint" if faint else "ink"]
    letters = max(1, int((right - left - 16) / (size * 0.55)))
    lines = textwrap.wrap(shown, letters, replace_whitespace=False)[: max(1, (bottom - top) // (size + 6))]
    block = "\n".join(lines)
    if node.kind in _CENTRED:
        place = ((left + right) // 2, (top + bottom) // 2)
        draw.multiline_text(place, block, fill=ink, font=_font(size), anchor="mm", align="center", spacing=6)
    else:
        draw.multiline_text((left + 12, top + 6), block, fill=ink, font=_font(size), spacing=6)
