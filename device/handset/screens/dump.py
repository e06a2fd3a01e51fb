"""A tree as XML, in the form of `uiautomator dump` and in that of uiautomator2's server.

After `frameworks/base/cmds/uiautomator/library/core-src/com/android/uiautomator/core/AccessibilityNodeInfoDumper.java`
(Android 9 to 15) for the one; uiautomator2's server adds `visible-to-user`, `drawing-order` and `hint`, and dumps every
window instead of the active one.
"""

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape

from device.handset.screens.node import Node, Window

HEADER = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
_NAF_EXCLUDED = ("GridView", "GridLayout", "ListView", "TableLayout", "WebView")
_INVALID = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SPECIAL = re.compile('[&<>"\x00-\x1f\ud800-\udfff\ufffe\uffff]')
_QUOTES = {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


def active_window(window: Window, rotation: int) -> str:
    """What `uiautomator dump` writes."""
    parts = [HEADER, f'<hierarchy rotation="{rotation}">']
    _node(parts, window.root, 0, False, 50)
    parts.append("</hierarchy>")
    return "".join(parts)


def every_window(windows: Iterable[Window], rotation: int, depth: int = 50) -> str:
    """What uiautomator2's server answers; the window that lies lowest comes first."""
    parts = [HEADER, f'\r\n<hierarchy rotation="{rotation}">']
    for index, window in enumerate(reversed(list(windows))):
        _node(parts, window.root, index, True, depth)
    parts.append("\r\n</hierarchy>")
    return "".join(parts)


def _text(value: str) -> str:
    if not _SPECIAL.search(value):
        return value
    return escape(_INVALID.sub(".", value), _QUOTES)  # as `stripInvalidXMLChars` does


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _naf(node: Node) -> str:
    """Not accessibility friendly: something to tap that says nothing, as `nafCheck` finds it."""
    if not node.clickable or not node.enabled or node.cls.endswith(_NAF_EXCLUDED):
        return ""
    return "" if any(inner.text or inner.desc for inner in node.walk()) else 'NAF="true" '


def _node(parts: list[str], node: Node, index: int, extended: bool, depth: int) -> None:
    left, top, right, bottom = node.bounds
    head = "\r\n<node " if extended else f"<node {_naf(node)}"
    parts.append(
        f'{head}index="{index}" text="{_text(node.text)}" '
        f'resource-id="{_text(node.rid)}" class="{node.cls}" package="{node.package}" '
        f'content-desc="{_text(node.desc)}" '
        f'checkable="{_flag(node.checkable)}" checked="{_flag(node.checked)}" clickable="{_flag(node.clickable)}" '
        f'enabled="{_flag(node.enabled)}" focusable="{_flag(node.focusable)}" focused="{_flag(node.focused)}" '
        f'scrollable="{_flag(node.scrollable)}" long-clickable="{_flag(node.long_clickable)}" '
        f'password="{_flag(node.password)}" selected="{_flag(node.selected)}" '
    )
    if extended:
        parts.append('visible-to-user="true" ')
    parts.append(f'bounds="[{left},{top}][{right},{bottom}]"')
    if extended:
        parts.append(f' drawing-order="{index}" hint="{_text(node.hint)}"')
    if not node.children or depth <= 1:
        parts.append(" />")
        return
    parts.append(">")
    for number, child in enumerate(node.children):
        _node(parts, child, number, extended, depth - 1)
    parts.append("</node>")
