"""Builds the tree of a page: a bar, rows that scroll, a button over them, or a dialog.

A screen is a function of a `Page`. It is called anew for each look at the screen and reads the rows as they are; what
it passes as an action changes them. Rows that do not fit are not in the tree until the list is scrolled, as on a phone.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from device.handset.screens.node import Node
from device.handset.screens.rows import BUTTON, FRAME, MARGIN, ROW, TEXT_VIEW, Action, Rows, touch

if TYPE_CHECKING:
    from device.handset.screens.ui import Route, Ui
    from device.sandbox.sandbox import Sandbox

STATUS_BAR, NAVIGATION_BAR, BAR = 96, 126, 147
IMAGE_BUTTON = "android.widget.ImageButton"
__all__ = ["NAVIGATION_BAR", "ROW", "STATUS_BAR", "Action", "Page", "touch"]


class Page(Rows):
    """A page under construction."""

    def __init__(self, ui: "Ui", route: "Route", package: str) -> None:
        super().__init__(ui, route, package)
        self.secure = False
        """Whether pictures of it are black."""
        self.activity: str | None = None
        """Set where a page has an activity of its own."""
        self._bar: list[Node] = []
        self._over: list[Node] = []

    @property
    def phone(self) -> "Sandbox":
        """The state."""
        return self.ui.phone.sandbox

    def go(self, name: str, /, **args: str) -> Action:
        """An action: open another page."""
        return lambda: self.ui.open(name, **args)

    def bar(self, title: str, up: bool = True, actions: Sequence[tuple[str, Action]] = ()) -> None:
        """The bar at the top: Navigate up, title, actions by their description."""
        top, bottom = STATUS_BAR, STATUS_BAR + BAR
        left = 0
        if up:
            self._bar.append(
                Node(
                    IMAGE_BUTTON,
                    desc="Navigate up",
                    bounds=(0, top, BAR, bottom),
                    tap=touch(self.ui.back),
                    focusable=True,
                )
            )
            left = BAR
        edge = self.width - len(actions) * BAR
        self._bar.append(Node(TEXT_VIEW, text=title, bounds=(left + MARGIN, top + 30, edge, bottom - 30), kind="title"))
        for number, (label, action) in enumerate(actions):
            x = edge + number * BAR
            self._bar.append(
                Node(
                    BUTTON, desc=label, bounds=(x, top, x + BAR, bottom), tap=touch(action), focusable=True, kind="icon"
                )
            )

    def fab(self, label: str, action: Action, rid: str = "fab") -> None:
        """The round button over the lower right corner."""
        right, bottom = self.width - MARGIN, self.height - NAVIGATION_BAR - MARGIN
        bounds = (right - 168, bottom - 168, right, bottom)
        self._over.append(
            Node(
                IMAGE_BUTTON,
                desc=label,
                rid=self.rid(rid),
                bounds=bounds,
                tap=touch(action),
                focusable=True,
                kind="fab",
            )
        )

    def dialog(self) -> None:
        """Show this page as a dialog in the middle of the screen."""
        self.in_dialog = True

    def finish(self) -> Node:
        """The tree of the page's window."""
        floor = self.height - NAVIGATION_BAR
        top = STATUS_BAR + (BAR if self._bar else 0)
        if self.in_dialog:
            return self._as_dialog(floor)
        root = Node(FRAME, bounds=(0, 0, self.width, self.height), kind="page")
        content = Node(FRAME, rid="android:id/content", bounds=(0, STATUS_BAR, self.width, floor))
        root.children.append(content)
        if self._bar:
            content.children.append(
                Node(
                    "android.view.ViewGroup",
                    rid=self.rid("toolbar"),
                    bounds=(0, STATUS_BAR, self.width, top),
                    children=self._bar,
                    kind="bar",
                )
            )
        if self.rows:
            content.children.append(self._list(top, floor))
        content.children += self._over
        return root

    def _list(self, top: int, floor: int) -> Node:
        total = sum(height for height, _ in self.rows)
        room = floor - top
        most = max(0, total - room)
        offset = self.route.scroll = max(0, min(self.route.scroll, most))
        y = top - offset
        shown = []
        for height, build in self.rows:
            if y + height > top and y < floor:
                node = build(y)
                _clip(node, top, floor)
                shown.append(node)
            y += height

        def scroll(dx: int, dy: int) -> bool:
            before = self.route.scroll
            self.route.scroll = max(0, min(most, before + dy))
            return self.route.scroll != before

        return Node(
            "androidx.recyclerview.widget.RecyclerView",
            rid="android:id/list",
            bounds=(0, top, self.width, floor),
            scrollable=most > 0,
            scroll=scroll if most > 0 else None,
            children=shown,
        )

    def _as_dialog(self, floor: int) -> Node:
        height = sum(height for height, _ in self.rows)
        top = max(STATUS_BAR, (STATUS_BAR + floor - height) // 2)
        card = Node(FRAME, bounds=(self._left, top, self._right, top + height), rid="android:id/content", kind="card")
        for row_height, build in self.rows:
            card.children.append(build(top))
            top += row_height
        return Node(FRAME, bounds=card.bounds, children=[card], kind="dialog")


def _clip(node: Node, top: int, floor: int) -> None:
    """Keep a row within its list; children that are wholly outside are not in the tree."""
    left, upper, right, lower = node.bounds
    node.bounds = (left, max(upper, top), right, min(lower, floor))
    kept = []
    for child in node.children:
        if child.bounds[3] > top and child.bounds[1] < floor:
            _clip(child, top, floor)
            kept.append(child)
    node.children = kept
