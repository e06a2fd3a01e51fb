"""Rows of a page: items, switches, choices, sliders, fields, buttons, tabs, icons.

A row is a height and a function that makes its node for a top edge, so that a list is laid out only where it is seen.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from device.handset.screens.node import Bounds, Node

if TYPE_CHECKING:
    from device.handset.screens.ui import Route, Ui

Action = Callable[[], object]
ROW, SMALL_ROW, MARGIN = 189, 126, 42
TEXT_VIEW, BUTTON, EDIT = "android.widget.TextView", "android.widget.Button", "android.widget.EditText"
LINEAR, FRAME = "android.widget.LinearLayout", "android.widget.FrameLayout"


def touch(action: Action | None) -> Callable[[int, int], None] | None:
    """An action as what a touch does."""
    if action is None:
        return None

    def act(x: int, y: int, run: Action = action) -> None:
        run()

    return act


class Rows:
    """The rows of one page, from top to bottom."""

    def __init__(self, ui: "Ui", route: "Route", package: str) -> None:
        self.ui = ui
        self.route = route
        self.package = package
        self.width, self.height = ui.size
        self.in_dialog = False
        self.rows: list[tuple[int, Callable[[int], Node]]] = []

    def rid(self, name: str) -> str:
        """A resource id of this package; one with a `:` stands as it is."""
        return name if not name or ":" in name else f"{self.package}:id/{name}"

    def field(self, name: str, default: str = "") -> str:
        """What stands in a field of this page."""
        return self.route.fields.setdefault(name, default)

    def add(self, height: int, build: Callable[[int], Node]) -> None:
        """A row of any form: its height, and what makes it for a top edge."""
        self.rows.append((height, build))

    def _bounds(self, top: int, height: int) -> Bounds:
        return (self._left, top, self._right, top + height)

    @property
    def _left(self) -> int:
        return 84 if self.in_dialog else 0

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
                    tap=touch(partial(pick, label)),
                    kind="tab",
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
