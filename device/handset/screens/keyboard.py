"""The keyboard's window: it covers the lower part of the screen, and a touch on it never reaches what lies below."""

from functools import partial
from typing import TYPE_CHECKING

from device.handset.screens.layout import NAVIGATION_BAR, Action, touch
from device.handset.screens.node import Node, Window
from device.handset.state.settings import LATIN_IME

if TYPE_CHECKING:
    from device.handset.handset import Handset
    from device.handset.screens.ui import Ui

HEIGHT = 760
_LETTERS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


def draws(phone: "Handset") -> bool:
    """Whether the input method in use shows keys; uiautomator2's own shows none."""
    return phone.settings.get("secure", "default_input_method") == LATIN_IME


def window(ui: "Ui") -> Window:
    """Three rows of letters; delete, space and enter."""
    width, height = ui.size
    tall = min(HEIGHT, height // 2)
    top, floor = height - NAVIGATION_BAR - tall, height - NAVIGATION_BAR
    root = Node("android.widget.FrameLayout", bounds=(0, top, width, floor), kind="keyboard")
    line = tall // 4
    for number, letters in enumerate(_LETTERS):
        y, step = top + number * line, width // 10
        for place, letter in enumerate(letters):
            bounds = (place * step, y, (place + 1) * step, y + line)
            root.children.append(_key(letter, bounds, partial(ui.type, letter)))
    y = top + 3 * line
    keys = (("Delete", lambda: ui.set_text(ui.text()[:-1])), ("Space", lambda: ui.type(" ")), ("Enter", ui.enter))
    for place, (label, act) in enumerate(keys):
        root.children.append(_key(label, (place * width // 3, y, (place + 1) * width // 3, floor), act))
    return Window("com.google.android.inputmethod.latin", "", root, "input_method")


def _key(label: str, bounds: tuple[int, int, int, int], act: Action) -> Node:
    return Node("android.widget.FrameLayout", desc=label, bounds=bounds, tap=touch(act), kind="key")
