"""Methods of uiautomator2's server that touch the screen; the list of all is in `methods.py`."""

import time
from typing import TYPE_CHECKING, Any

from device.handset.agent.finding import Finding

if TYPE_CHECKING:
    from device.handset.handset import Handset

_STEP_MS = 5
_PAGE = 0.8


class Touching(Finding):
    """Taps, swipes and scrolls."""

    def __init__(self, phone: "Handset") -> None:
        super().__init__(phone)
        self._down: tuple[int, int, float] | None = None

    def click(self, x: Any, y: float = 0, milliseconds: int = 0) -> bool:
        """A tap, or with a time a long press, at a point or on a node."""
        if isinstance(x, (dict, str)):
            x, y = self._need(x).centre
        point = round(x), round(y)
        self.ui.hold(*point) if milliseconds >= 400 else self.ui.tap(*point)
        return True

    def long_click(self, selector: Any) -> bool:
        """A long press on a node."""
        self.ui.hold(*self._need(selector).centre)
        return True

    def swipe(self, x1: Any, y1: Any, x2: float = 0, y2: float = 0, steps: int = 55) -> bool:
        """A drag; a step takes five milliseconds."""
        return self.ui.swipe(round(x1), round(y1), round(x2), round(y2), max(steps * _STEP_MS, 50))

    def drag(self, x1: float, y1: float, x2: float, y2: float, steps: int = 100) -> bool:
        """The same, slower."""
        return self.swipe(x1, y1, x2, y2, steps)

    def drag_to(self, selector: Any, *rest: Any) -> bool:
        """From a node to a node or a point."""
        x, y = self._need(rest[0]).centre if isinstance(rest[0], (dict, str)) else (rest[0], rest[1])
        return self.swipe(*self._need(selector).centre, x, y, 100)

    def swipe_points(self, points: list[float], steps: int = 100) -> bool:
        """Along points; the first and the last count."""
        return self.swipe(points[0], points[1], points[-2], points[-1], steps)

    def inject_input_event(self, action: int, x: float, y: float, meta: int = 0) -> bool:
        """0 down, 2 move, 1 up: what lies between down and up is one gesture."""
        if action == 0:
            self._down = (round(x), round(y), time.monotonic())
        elif action == 1 and self._down is not None:
            left, top, since = self._down
            self._down = None
            held = int((time.monotonic() - since) * 1000)
            self.ui.swipe(left, top, round(x), round(y), held)
        return True

    def gesture(self, selector: Any, *points: Any) -> bool:
        """Two fingers: nothing on this phone answers them."""
        return self.exist(selector)

    def pinch_in(self, selector: Any, percent: int = 100, steps: int = 50) -> bool:
        """Two fingers towards each other."""
        return bool(self._need(selector))

    pinch_out = pinch_in

    def _scroll(self, selector: Any, vertical: bool, part: float) -> bool:
        node = self._need(selector)
        holder = node if node.scroll is not None else next((n for n in node.walk() if n.scroll is not None), None)
        if holder is None or holder.scroll is None or not vertical:
            return False
        return holder.scroll(0, int((holder.bounds[3] - holder.bounds[1]) * part))

    def scroll_forward(self, selector: Any, vertical: bool = True, steps: int = 55) -> bool:
        """Most of a page on."""
        return self._scroll(selector, vertical, _PAGE)

    def scroll_backward(self, selector: Any, vertical: bool = True, steps: int = 55) -> bool:
        """Most of a page back."""
        return self._scroll(selector, vertical, -_PAGE)

    def scroll_to_end(self, selector: Any, vertical: bool = True, swipes: int = 500, steps: int = 55) -> bool:
        """To the end."""
        while self._scroll(selector, vertical, _PAGE):
            pass
        return True

    def scroll_to_beginning(self, selector: Any, vertical: bool = True, swipes: int = 500, steps: int = 55) -> bool:
        """To the beginning."""
        while self._scroll(selector, vertical, -_PAGE):
            pass
        return True

    def scroll_to(self, selector: Any, wanted: Any, vertical: bool = True) -> bool:
        """Until a node fits."""
        self.scroll_to_beginning(selector, vertical)
        while not self.exist(wanted):
            if not self._scroll(selector, vertical, _PAGE):
                return False
        return True

    fling_forward, fling_backward = scroll_forward, scroll_backward
    fling_to_end, fling_to_beginning = scroll_to_end, scroll_to_beginning
