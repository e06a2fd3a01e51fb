"""UiSelector: which nodes a selector of uiautomator2's client means.

After `androidx.test.uiautomator.UiSelector` and `QueryController`: fields must all fit, `index` is the place among its
siblings, `instance` the place among the matches in the order of the tree; `child` looks below a match, `sibling` below
its parent. Bits of the mask say which fields count.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from device.handset.screens.node import Node, Window

Place = tuple[Node, int, Node | None]
"""A node, its index, its parent."""
_INSTANCE = 0x01000000
_BITS = {
    "text": 0x01, "textContains": 0x02, "textMatches": 0x04, "textStartsWith": 0x08, "className": 0x10,
    "classNameMatches": 0x20, "description": 0x40, "descriptionContains": 0x80, "descriptionMatches": 0x0100,
    "descriptionStartsWith": 0x0200, "checkable": 0x0400, "checked": 0x0800, "clickable": 0x1000,
    "longClickable": 0x2000, "scrollable": 0x4000, "enabled": 0x8000, "focusable": 0x010000,
    "focused": 0x020000, "selected": 0x040000,
    "packageName": 0x080000, "packageNameMatches": 0x100000, "resourceId": 0x200000, "resourceIdMatches": 0x400000,
    "index": 0x800000,
}  # fmt: skip
_TEXTS = {"text": "text", "className": "cls", "description": "desc", "packageName": "package", "resourceId": "rid"}
_FLAGS = {"longClickable": "long_clickable"}


def places(roots: Sequence[Node]) -> Iterator[Place]:
    """Every node of the trees, parents first."""
    for root in roots:
        yield from _below(root, 0, None)


def _below(node: Node, index: int, parent: Node | None) -> Iterator[Place]:
    yield node, index, parent
    for number, child in enumerate(node.children):
        yield from _below(child, number, node)


def _fits(place: Place, selector: dict[str, Any], mask: int) -> bool:
    node, index, _ = place
    return all(_field_fits(node, index, name, selector.get(name)) for name, bit in _BITS.items() if mask & bit)


def _field_fits(node: Node, index: int, name: str, wanted: Any) -> bool:
    if name == "index":
        return bool(index == wanted)
    for prefix, attribute in _TEXTS.items():
        kind = name.removeprefix(prefix)
        if name.startswith(prefix) and kind in ("", "Contains", "Matches", "StartsWith"):
            return _text_fits(str(getattr(node, attribute)), kind, str(wanted))
    return bool(getattr(node, _FLAGS.get(name, name)) == wanted)


def _text_fits(text: str, kind: str, wanted: str) -> bool:
    if kind == "Contains":
        return wanted.casefold() in text.casefold()
    if kind == "StartsWith":
        return text.casefold().startswith(wanted.casefold())
    if kind == "Matches":
        return re.fullmatch(wanted, text, re.DOTALL) is not None
    return text == wanted


def matches(windows: Sequence[Window], selector: dict[str, Any]) -> list[Node]:
    """The nodes that a selector means, in the order of the tree; an instance is one of them."""
    return [place[0] for place in _select(list(places([window.root for window in windows])), selector)]


def _select(pool: list[Place], selector: dict[str, Any]) -> list[Place]:
    mask = int(selector.get("mask", 0))
    found = [place for place in pool if _fits(place, selector, mask)]
    if mask & _INSTANCE:
        number = int(selector.get("instance", 0))
        found = found[number : number + 1]
    relations = selector.get("childOrSibling") or []
    inner = selector.get("childOrSiblingSelector") or []
    for relation, following in zip(relations, inner, strict=False):
        found = _related(found, pool, relation, following)
    return found


def _related(found: list[Place], pool: list[Place], relation: str, selector: dict[str, Any]) -> list[Place]:
    for node, _, parent in found:
        root = node if relation == "child" else parent
        if root is None:
            continue
        below = [place for place in _below(root, 0, None) if place[0] is not root and place[0] is not node]
        picked = _select(below, selector)
        if picked:
            return picked
    return []


def info(node: Node) -> dict[str, Any]:
    """What `objInfo` says of a node."""
    left, top, right, bottom = node.bounds
    box = {"bottom": bottom, "left": left, "right": right, "top": top}
    return {
        "bounds": box, "visibleBounds": box, "childCount": len(node.children), "className": node.cls,
        "contentDescription": node.desc or None, "packageName": node.package, "resourceName": node.rid or None,
        "text": node.text, "checkable": node.checkable, "checked": node.checked, "clickable": node.clickable,
        "enabled": node.enabled, "focusable": node.focusable, "focused": node.focused,
        "longClickable": node.long_clickable, "scrollable": node.scrollable, "selected": node.selected,
    }  # fmt: skip
