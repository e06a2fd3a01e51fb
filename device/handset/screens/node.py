"""One node of an accessibility tree, as a screen builds it."""

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Bounds = tuple[int, int, int, int]
Touch = Callable[[int, int], None]


@dataclass(slots=True)
class Node:
    """What `AccessibilityNodeInfo` says, and what touching it does."""

    cls: str
    """Class of the view."""
    text: str = ""
    """What it shows."""
    desc: str = ""
    """Content description."""
    rid: str = ""
    """Resource id with its package; "" for none."""
    bounds: Bounds = (0, 0, 0, 0)
    """Left, top, right, bottom in pixels of the screen."""
    package: str = ""
    """Whose window it is in; filled in from the window."""
    checkable: bool = False
    """Has two states."""
    checked: bool = False
    """Is in the second one."""
    enabled: bool = True
    """Can be used."""
    focusable: bool = False
    """Can have the focus."""
    focused: bool = False
    """Has it."""
    scrollable: bool = False
    """Has more than it shows."""
    password: bool = False
    """Its text is hidden."""
    selected: bool = False
    """Is the chosen one."""
    hint: str = ""
    """Shown while there is no text."""
    field: str = ""
    """Name of the text that it edits; "" for none."""
    tap: Touch | None = None
    """What a tap does; a node with one is clickable."""
    hold: Touch | None = None
    """What a long press does."""
    enter: "Callable[[], object] | None" = None
    """What the enter key does in a field."""
    scroll: Callable[[int, int], bool] | None = None
    """Moves the content by so many pixels; whether it moved."""
    children: "list[Node]" = dataclasses.field(default_factory=list)
    """In order of drawing."""
    kind: str = ""
    """How the picture draws it: `switch`, `button`, `card`, `icon`, `bar`, ..."""

    @property
    def clickable(self) -> bool:
        """Whether a tap on it does something."""
        return self.tap is not None

    @property
    def long_clickable(self) -> bool:
        """Whether a long press on it does something."""
        return self.hold is not None

    def walk(self) -> "Iterator[Node]":
        """This node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def holds(self, x: int, y: int) -> bool:
        """Whether a point lies in it."""
        left, top, right, bottom = self.bounds
        return left <= x < right and top <= y < bottom

    @property
    def centre(self) -> tuple[int, int]:
        """Its middle."""
        left, top, right, bottom = self.bounds
        return (left + right) // 2, (top + bottom) // 2


@dataclass(slots=True)
class Window:
    """One window of the screen; the first of a list lies on top."""

    package: str
    """Whose it is."""
    activity: str
    """Class of its activity; "" for a system window."""
    root: Node
    """Its tree."""
    kind: str = "application"
    """`application`, `system` or `input_method`."""
    secure: bool = False
    """Whether pictures of it are black."""


def hit(node: Node, x: int, y: int, wants: Callable[[Node], bool]) -> Node | None:
    """The deepest, last drawn node at a point that satisfies `wants`."""
    if not node.holds(x, y):
        return None
    for child in reversed(node.children):
        found = hit(child, x, y, wants)
        if found is not None:
            return found
    return node if wants(node) else None
