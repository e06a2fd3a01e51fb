"""The screen of a recording: it goes on when what was recorded is done again, and nothing else happens on it.

A touch counts where it hits the same node as the recorded one; a swipe where it goes the same way; a text where it is
typed whole. A screen whose input was not seen (a gap) is left by any. What was not recorded is counted in `missed` and
changes nothing, so that a replay never pretends.
"""

from typing import TYPE_CHECKING

from PIL import Image

from device.handset.recording import Done, Recording, Screenful
from device.handset.screens.node import Node, Window, hit
from device.handset.screens.ui import Ui

if TYPE_CHECKING:
    from device.handset.handset import Handset


class ReplayUi(Ui):
    """A recording in the place of pages."""

    def __init__(self, phone: "Handset", recording: Recording) -> None:
        self.recording = recording
        self.at = 0
        self.missed = 0
        self._typed = ""
        super().__init__(phone)

    @property
    def step(self) -> Screenful:
        """The screen that is shown."""
        return self.recording.steps[self.at]

    def windows(self) -> list[Window]:
        """Those of the recorded dump."""
        found, self.rotation = self.recording.windows(self.step)
        return found

    def page_window(self) -> Window:
        """The recorded window with the focus."""
        return self.active()

    def picture(self) -> Image.Image | None:
        """The recorded picture, where there is one."""
        path = self.recording.picture(self.step)
        return None if path is None else Image.open(path).convert("RGB")

    def _go_on(self, fits: bool) -> bool:
        unseen = self.step.input is None and self.at < len(self.recording.steps) - 1
        if not fits and not unseen:
            self.missed += 1
            return False
        self.at = min(self.at + 1, len(self.recording.steps) - 1)
        self._typed, self.focused = "", ""
        return True

    def _touched(self, x: int, y: int, kind: str) -> bool:
        done = self.step.input
        node = self._node_at(x, y)
        if node is not None and node.field and not (done is not None and done.kind == kind):
            self.focused = node.field
            return True
        return self._go_on(done is not None and done.kind == kind and self._same(node, done))

    def _node_at(self, x: int, y: int) -> Node | None:
        """What a touch hits: something to tap, else the deepest node."""
        for wants in (lambda node: node.clickable or bool(node.field), lambda node: True):
            for window in self.windows():
                found = hit(window.root, x, y, wants)
                if found is not None:
                    return found
        return None

    def _same(self, node: Node | None, done: Done) -> bool:
        recorded = self._node_at(done.x, done.y)
        return node is not None and recorded is not None and node.bounds == recorded.bounds

    def tap(self, x: int, y: int) -> bool:
        """A touch."""
        return self._touched(x, y, "tap")

    def hold(self, x: int, y: int) -> bool:
        """A long touch."""
        return self._touched(x, y, "hold")

    def swipe(self, x1: int, y1: int, x2: int, y2: int, milliseconds: int = 300) -> bool:
        """A drag; the way it goes must be the recorded one."""
        if abs(x1 - x2) + abs(y1 - y2) < 20:
            return self.hold(x1, y1) if milliseconds >= 400 else self.tap(x1, y1)
        done = self.step.input
        if done is None or done.kind != "swipe":
            return self._go_on(False)
        return self._go_on(_way(x2 - x1, y2 - y1) == _way(done.x2 - done.x, done.y2 - done.y))

    def text(self) -> str:
        """What was typed on this screen."""
        return self._typed

    def set_text(self, text: str) -> bool:
        """Typing is done when the recorded text stands there."""
        self._typed = text
        done = self.step.input
        if done is not None and done.kind == "text" and done.text == text:
            self._go_on(True)
        return True

    def _key(self, name: str) -> None:
        done = self.step.input
        self._go_on(done is not None and done.kind == "key" and done.key == name)

    def back(self) -> None:
        """The back key."""
        self._key("back")

    def home(self) -> None:
        """The home key."""
        self._key("home")

    def recents(self) -> None:
        """The recents key."""
        self._key("recents")

    def enter(self) -> None:
        """The enter key."""
        self._key("enter")


def _way(dx: int, dy: int) -> str:
    if abs(dx) > abs(dy):
        return "right" if dx > 0 else "left"
    return "down" if dy > 0 else "up"
