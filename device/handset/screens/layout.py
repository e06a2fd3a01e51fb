"""Builds the tree of a page: bars, rows, switches, fields and buttons, stacked and scrolled.

A screen is a function of a `Page`. It is called anew for each look at the screen and reads the rows as they are; what it
passes as `tap` changes them. Rows are laid out from top to bottom; those that do not fit are not in the tree until the
list is scrolled, as on a phone.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from device.handset.screens.node import Bounds, Node

if TYPE_CHECKING:
    from device.handset.screens.ui import Route, Ui
    from device.sandbox.sandbox import Sandbox

Action = Callable[[], object]
STATUS_BAR, NAVIGATION_BAR = 96, 126
BAR, ROW, SMALL_ROW, MARGIN = 147, 189, 126, 42
TEXT_VIEW, BUTTON, EDIT = "android.widget.TextView", "android.widget.Button", "android.widget.EditText"
LINEAR, FRAME, IMAGE_BUTTON = "android.widget.LinearLayout", "android.widget.FrameLayout", "android.widget.ImageButton"


def touch(action: Action | None) -> Callable[[int, int], None] | None:
    """An action as what a touch does."""
    if action is None:
        return None

    def act(x: int, y: int, run: Action = action) -> None:
        run()

    return act


class Page:
    """A page under construction."""

    def __init__(self, ui: "Ui", route: "Route", package: str) -> None:
        self.ui = ui
        self.route = route
        self.package = package
        self.width, self.height = ui.size
        self.secure = False
        self.activity: str | None = None
        """Set where a page has an activity of its own."""
        self._bar: list[Node] = []
        self._rows: list[tuple[int, Callable[[int], Node]]] = []
        self._over: list[Node] = []
        self._dialog = False
        self._list_id = "android:id/list"

    @property
    def phone(self) -> "Sandbox":
        """The state."""
        return self.ui.phone.sandbox

    def rid(self, name: str) -> str:
        """A resource id of this package; one with a `:` stands as it is."""
        return name if not name or ":" in name else f"{self.package}:id/{name}"

    def go(self, name: str, **args: str) -> Action:
        """An action: open another page."""
        return lambda: self.ui.open(name, **args)

    def field(self, name: str, default: str = "") -> str:
        """What stands in a field of this page."""
        return self.route.fields.setdefault(name, default)

    # bars

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
        self._dialog = True

    # rows

    def add(self, height: int, build: Callable[[int], Node]) -> None:
        """A row of any form: its height, and what makes it for a top edge."""
        self._rows.append((height, build))

    def _bounds(self, top: int, height: int) -> Bounds:
        return (self._left, top, self._right, top + height)

    @property
    def _left(self) -> int:
        return 84 if self._dialog else 0

    @property
    def _right(self) -> int:
        return self.width - self._left

    def text(self, text: str, rid: str = "", heading: bool = False) -> None:
        """A line that nothing can be done with."""

        def build(top: int) -> Node:
            left, _, right, bottom = self._bounds(top, SMALL_ROW)
            bounds = (left + MARGIN, top + 21, right - MARGIN, bottom - 21)
            return Node(TEXT_VIEW, text=text, rid=self.rid(rid), bounds=bounds, kind="heading" if heading else "")

        self.add(SMALL_ROW, build)

    def item(
        self, title: str, summary: str = "", action: Action | None = None, hold: Action | None = None, rid: str = ""
    ) -> None:
        """A row of a list: a title, a summary, and what a tap does."""

        def build(top: int) -> Node:
            bounds = self._bounds(top, ROW)
            children = self._titles(top, bounds, title, summary)
            return Node(
                LINEAR,
                rid=self.rid(rid),
                bounds=bounds,
                tap=touch(action),
                hold=touch(hold),
                children=children,
                focusable=action is not None,
                kind="row",
            )

        self.add(ROW, build)

    def _titles(self, top: int, bounds: Bounds, title: str, summary: str, right: int = 0) -> list[Node]:
        left, _, edge, bottom = bounds
        edge = (right or edge) - MARGIN
        middle = top + ROW // 2 + 14 if summary else bottom - 42
        nodes = [Node(TEXT_VIEW, text=title, rid="android:id/title", bounds=(left + MARGIN, top + 42, edge, middle))]
        if summary:
            below = (left + MARGIN, middle, edge, bottom - 28)
            nodes.append(Node(TEXT_VIEW, text=summary, rid="android:id/summary", bounds=below, kind="summary"))
        return nodes

    def switch(self, title: str, on: bool, flip: Action, summary: str = "", enabled: bool = True) -> None:
        """A row with a switch at its right end."""

        def build(top: int) -> Node:
            bounds = self._bounds(top, ROW)
            edge = bounds[2] - 200
            children = self._titles(top, bounds, title, summary, right=edge)
            box = (edge, top + 52, bounds[2] - MARGIN, top + ROW - 52)
            children.append(
                Node(
                    "android.widget.Switch",
                    rid="android:id/switch_widget",
                    bounds=box,
                    checkable=True,
                    checked=on,
                    enabled=enabled,
                    kind="switch",
                )
            )
            return Node(
                LINEAR,
                bounds=bounds,
                tap=touch(flip) if enabled else None,
                enabled=enabled,
                children=children,
                focusable=True,
                kind="row",
            )

        self.add(ROW, build)

    def choice(self, title: str, chosen: bool, pick: Action) -> None:
        """One of several: a row that is a radio button."""

        def build(top: int) -> Node:
            bounds = self._bounds(top, SMALL_ROW)
            return Node(
                "android.widget.CheckedTextView",
                text=title,
                rid="android:id/text1",
                bounds=bounds,
                checkable=True,
                checked=chosen,
                tap=touch(pick),
                focusable=True,
                kind="radio",
            )

        self.add(SMALL_ROW, build)

    def check(self, title: str, checked: bool, flip: Action) -> None:
        """A row that is a check box."""

        def build(top: int) -> Node:
            bounds = self._bounds(top, SMALL_ROW)
            return Node(
                "android.widget.CheckBox",
                text=title,
                bounds=bounds,
                checkable=True,
                checked=checked,
                tap=touch(flip),
                focusable=True,
                kind="radio",
            )

        self.add(SMALL_ROW, build)

    def slider(self, title: str, percent: int, move: Callable[[int], object]) -> None:
        """A title over a bar; a touch on the bar sets the percentage at that place."""

        def build(top: int) -> Node:
            left, _, right, bottom = self._bounds(top, ROW)
            start, end = left + MARGIN, right - MARGIN

            def slide(x: int, y: int) -> None:
                move(max(0, min(100, round((x - start) * 100 / (end - start)))))

            label = Node(TEXT_VIEW, text=title, rid="android:id/title", bounds=(start, top + 28, end, top + 90))
            bar = Node(
                "android.widget.SeekBar",
                text=f"{float(percent)}",
                desc=title,
                rid=self.rid("seekbar"),
                tap=slide,
                bounds=(start, top + 90, end, bottom - 20),
                focusable=True,
                kind="slider",
            )
            return Node(LINEAR, bounds=(left, top, right, bottom), children=[label, bar])

        self.add(ROW, build)

    def edit(
        self,
        name: str,
        hint: str,
        default: str = "",
        password: bool = False,
        rid: str = "",
        enter: Action | None = None,
    ) -> None:
        """A text field; what is typed is kept under `name` until the page is left; `enter` is what the key does."""
        value = self.field(name, default)

        def build(top: int) -> Node:
            left, _, right, bottom = self._bounds(top, ROW)
            shown = "•" * len(value) if password else value

            def focus(x: int, y: int) -> None:
                self.ui.focus(name)

            return Node(
                EDIT,
                text=shown,
                hint=hint,
                rid=self.rid(rid or name),
                field=name,
                password=password,
                tap=focus,
                hold=focus,
                enter=enter,
                bounds=(left + MARGIN, top + 20, right - MARGIN, bottom - 20),
                focusable=True,
                focused=self.ui.focused == name,
                kind="field",
            )

        self.add(ROW, build)

    def buttons(self, *labels: tuple[str, Action], rids: Sequence[str] = ()) -> None:
        """Buttons side by side."""

        def build(top: int) -> Node:
            left, _, right, bottom = self._bounds(top, ROW)
            width = (right - left - 2 * MARGIN) // len(labels)
            nodes = []
            for number, (label, action) in enumerate(labels):
                x = left + MARGIN + number * width
                rid = self.rid(rids[number]) if number < len(rids) else ""
                nodes.append(
                    Node(
                        BUTTON,
                        text=label,
                        rid=rid,
                        bounds=(x + 10, top + 25, x + width - 10, bottom - 25),
                        tap=touch(action),
                        focusable=True,
                        kind="button",
                    )
                )
            return Node(LINEAR, bounds=(left, top, right, bottom), children=nodes)

        self.add(ROW, build)

    def tabs(self, labels: Sequence[str], chosen: str, pick: Callable[[str], object]) -> None:
        """A row of tabs."""

        def build(top: int) -> Node:
            left, _, right, bottom = self._bounds(top, SMALL_ROW)
            width = (right - left) // len(labels)
            nodes = [
                Node(
                    FRAME,
                    desc=label,
                    bounds=(left + n * width, top, left + (n + 1) * width, bottom),
                    focusable=True,
                    selected=label == chosen,
                    tap=touch(lambda label=label: pick(label)),
                    kind="button",
                    children=[
                        Node(
                            TEXT_VIEW,
                            text=label,
                            bounds=(left + n * width + 10, top + 20, left + (n + 1) * width - 10, bottom - 20),
                        )
                    ],
                )
                for n, label in enumerate(labels)
            ]
            return Node("android.widget.HorizontalScrollView", bounds=(left, top, right, bottom), children=nodes)

        self.add(SMALL_ROW, build)

    def grid(self, icons: Sequence[tuple[str, Action]], columns: int = 4) -> None:
        """Icons with their names, as in a launcher."""
        for start in range(0, len(icons), columns):
            part = icons[start : start + columns]

            def build(top: int, part: Sequence[tuple[str, Action]] = part) -> Node:
                width = self.width // columns
                nodes = [
                    Node(
                        TEXT_VIEW,
                        text=label,
                        desc=label,
                        rid=self.rid("icon"),
                        tap=touch(action),
                        focusable=True,
                        bounds=(n * width + 20, top + 10, (n + 1) * width - 20, top + 270),
                        kind="app",
                    )
                    for n, (label, action) in enumerate(part)
                ]
                return Node("android.view.ViewGroup", bounds=(0, top, self.width, top + 280), children=nodes)

            self.add(280, build)

    # the whole

    def finish(self) -> Node:
        """The tree of the page's window."""
        floor = self.height - NAVIGATION_BAR
        top = STATUS_BAR + (BAR if self._bar else 0)
        if self._dialog:
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
        if self._rows:
            content.children.append(self._list(top, floor))
        content.children += self._over
        return root

    def _list(self, top: int, floor: int) -> Node:
        total = sum(height for height, _ in self._rows)
        room = floor - top
        most = max(0, total - room)
        offset = self.route.scroll = max(0, min(self.route.scroll, most))
        y = top - offset
        shown = []
        for height, build in self._rows:
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
            rid=self._list_id,
            bounds=(0, top, self.width, floor),
            scrollable=most > 0,
            scroll=scroll if most > 0 else None,
            children=shown,
        )

    def _as_dialog(self, floor: int) -> Node:
        height = sum(height for height, _ in self._rows)
        top = max(STATUS_BAR, (STATUS_BAR + floor - height) // 2)
        card = Node(FRAME, bounds=(self._left, top, self._right, top + height), rid="android:id/content", kind="card")
        for row_height, build in self._rows:
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
