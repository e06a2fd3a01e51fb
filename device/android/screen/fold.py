"""A tree of dozens of nodes -> the few elements that a reader needs, each with one label.

1. *Tappable* is what takes a tap, a long press, a tick or text; each of them stays, also one without any label. What
   scrolls stays too.
2. A text that lies in a tappable belongs to it and is said once, as its label. A container that covers half of the
   screen, a WebView and what scrolls keep their texts apart.
3. Other texts are lines of their own; neighbours share one.
4. A role comes from the node's class or from a mute child that carries it: Compose draws a button as a clickable
   `View` around an empty `Button`.
5. Ids count the elements of one observation from 1, in the order of the tree.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from device.android.screen.dump import NOWHERE, Box, Node, Tree
from device.android.screen.words import joined, shortened, spelled

_LARGE = 0.5
"""Share of the screen from which a container keeps its texts apart."""
_ROLES = {
    "Switch": "switch", "SwitchCompat": "switch", "MaterialSwitch": "switch", "ToggleButton": "switch",
    "CheckBox": "check", "CheckedTextView": "check", "RadioButton": "radio", "SeekBar": "slider", "Spinner": "choice",
}  # fmt: skip
"""Classes with a role of their own; other tappable ones are buttons."""
_KEPT_APART = frozenset(("WebView", "RecyclerView", "ListView", "ScrollView", "ViewPager"))


@dataclass(frozen=True, slots=True)
class FoldedElement:
    """One element of one observation."""

    id: int
    """From 1."""
    role: str
    """button, field, switch, check, radio, slider, choice, list or text."""
    label: str
    """What it says; empty where nothing on the screen names it."""
    value: str
    """Text in a field."""
    actions: tuple[str, ...]
    """Of tap, long_press, type, scroll."""
    states: tuple[str, ...]
    """What differs from the usual: on, off, selected, focused, disabled, off screen."""
    box: Box
    """Where."""
    kind: str
    """Class."""
    rid: str
    """Resource id."""
    package: str
    """App."""
    secret: bool = False
    """A field of a password."""

    def line(self, prefix: str = "") -> str:
        """`12 button Find trains (disabled)`."""
        said = self.label if not self.value or self.value == self.label else f"{self.label}: {self.value}".lstrip(": ")
        states = f" ({', '.join(self.states)})" if self.states else ""
        return f"{prefix}{self.id} {self.role}{' ' + said if said else ''}{states}"


@dataclass(frozen=True, slots=True)
class Folded:
    """A whole screen, folded."""

    elements: tuple[FoldedElement, ...]
    """In the order of the tree."""
    package: str
    """The app in front."""
    rotation: int
    """Quarter turns."""
    width: int
    """Pixels."""
    height: int
    """Pixels."""
    nodes: int
    """Nodes of the dump."""
    hidden_texts: int
    """Texts outside the screen that are left out."""

    def text(self, prefix: str = "") -> str:
        """A line an element; what is left out is counted."""
        lines = [element.line(prefix) for element in self.elements]
        if self.hidden_texts:
            lines.append(f"({self.hidden_texts} texts off screen)")
        return "\n".join(lines)


def fold(tree: Tree) -> Folded:
    """The elements of a screen."""
    return _Fold(tree).done()


def tappable(node: Node) -> bool:
    """Takes a tap, a long press, a tick, a drag or text."""
    return bool(node.flags & _TAKES) or node.editable or node.kind == "SeekBar"


_TAKES = frozenset(("clickable", "long-clickable", "checkable"))


class _Fold:
    """One pass over the list of nodes."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.owner = [-1] * len(tree.nodes)
        """For each node, the tappable that its text belongs to; -1: none."""
        self.owned: dict[int, list[Node]] = {}
        """Mute nodes of each tappable."""
        self.elements: list[FoldedElement] = []
        self.hidden = 0
        self._last_text = -1
        """Node of the last element, if that is a text."""

    def done(self) -> Folded:
        """Fold everything."""
        for node in self.tree.nodes:
            self._assign(node)
        for node in self.tree.nodes:
            if tappable(node) or "scrollable" in node.flags:
                self._add_control(node)
            elif self.owner[node.index] < 0:
                self._add_text(node)
        tree = self.tree
        return Folded(
            tuple(self.elements), tree.package, tree.rotation, tree.width, tree.height, len(tree.nodes), self.hidden
        )

    def _assign(self, node: Node) -> None:
        """Whose text this is."""
        if tappable(node):
            self.owner[node.index] = node.index if self._absorbs(node) else -1
            self.owned[node.index] = []
        elif "scrollable" not in node.flags and node.parent >= 0:
            owner = self.owner[node.index] = self.owner[node.parent]
            if owner >= 0:
                self.owned[owner].append(node)

    def _absorbs(self, node: Node) -> bool:
        whole = self.tree.width * self.tree.height
        return node.kind not in _KEPT_APART and "scrollable" not in node.flags and node.box.area < _LARGE * whole

    def _add_control(self, node: Node) -> None:
        inner = self.owned.get(node.index, [])
        role, marked = _role(node, inner)
        label, value = _label_and_value(node, inner)
        shown = node.visible and self._on_screen(node.box)
        self._add(node, role, label, value, tuple(_actions(node, role)), tuple(_states(node, marked, shown)))
        self._last_text = -1

    def _on_screen(self, box: Box) -> bool:
        inside = Box(
            max(box.left, 0),
            max(box.top, 0),
            min(box.right, self.tree.width),
            min(box.bottom, self.tree.height),
        )
        return inside.area > 0

    def _add_text(self, node: Node) -> None:
        label = joined(((node.text, node.desc),))
        if not label:
            return
        if not node.visible or (node.box != NOWHERE and not self._on_screen(node.box)):
            self.hidden += 1
            return
        if self._neighbour(node):
            last = self.elements.pop()
            self._add(node, "text", joined(((last.label,), (label,))), "", (), (), _around(last.box, node.box))
        else:
            self._add(node, "text", label, "", (), ())
        self._last_text = node.index

    def _neighbour(self, node: Node) -> bool:
        """Whether the element before is a text beside this one or around it, and a line has room for both."""
        if self._last_text < 0 or len(self.elements[-1].label) > _LINE:
            return False
        last = self.tree.nodes[self._last_text]
        return node.parent in (last.index, last.parent)

    def _add(
        self,
        node: Node,
        role: str,
        label: str,
        value: str,
        actions: tuple[str, ...],
        states: tuple[str, ...],
        box: Box | None = None,
    ) -> None:
        number = len(self.elements) + 1
        self.elements.append(
            FoldedElement(
                number,
                role,
                label,
                value,
                actions,
                states,
                box or node.box,
                node.kind,
                node.rid,
                node.package,
                "password" in node.flags,
            )
        )


_LINE = 60
"""Characters of a line of text that takes no neighbour any more."""


def _around(one: Box, other: Box) -> Box:
    return Box(
        min(one.left, other.left),
        min(one.top, other.top),
        max(one.right, other.right),
        max(one.bottom, other.bottom),
    )


def _role(node: Node, inner: list[Node]) -> tuple[str, Node]:
    """The role, and the node that carries its tick."""
    if node.editable:
        return "field", node
    for one in (node, *inner):
        if one.kind in _ROLES:
            return _ROLES[one.kind], one
    if "checkable" in node.flags:
        return "check", node
    return ("button" if tappable(node) else "list"), node


def _label_and_value(node: Node, inner: list[Node]) -> tuple[str, str]:
    """A field's text is its value; everything else says its text."""
    around = [(one.text, one.desc) for one in inner]
    if not node.editable:
        return joined(((node.text, node.desc), *around)) or joined(((node.hint,),)) or _named(node), ""
    label = joined(((node.hint, node.desc), *around))
    if "showing-hint" in node.flags:
        return label or joined(((node.text,),)), ""
    if "password" in node.flags and node.text:
        return label or _named(node) or "password", "(hidden)"
    value = joined(((node.text,),))
    if value and label and value.casefold() == label.casefold():
        return value, ""
    return (label or ("" if value else _named(node))), value


def _named(node: Node) -> str:
    """The resource id in words, for what nothing on the screen names; what only scrolls needs no name."""
    return shortened(spelled(node.rid), 40) if tappable(node) else ""


def _actions(node: Node, role: str) -> Iterator[str]:
    if tappable(node):
        yield "tap"
    if "long-clickable" in node.flags:
        yield "long_press"
    if role == "field" and node.enabled:
        yield "type"
    if "scrollable" in node.flags:
        yield "scroll"


def _states(node: Node, marked: Node, shown: bool) -> Iterator[str]:
    if "checkable" in marked.flags or "checked" in marked.flags or marked.kind in _TICKED:
        yield "on" if "checked" in marked.flags else "off"
    if "selected" in node.flags:
        yield "selected"
    if "focused" in node.flags and node.editable:
        yield "focused"
    if not node.enabled:
        yield "disabled"
    if not shown:
        yield "off screen"


_TICKED = frozenset(kind for kind, role in _ROLES.items() if role in ("switch", "check", "radio"))
