"""The methods of uiautomator2's server, by the names that its client calls.

After `AutomatorService.java` of openatx/android-uiautomator-server, the server inside `u2.jar` of uiautomator2 3.x.
"""

import asyncio
import base64
import io
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from device.handset.agent.selector import info, matches
from device.handset.screens.dump import every_window
from device.handset.screens.node import Node, Window
from device.handset.shell.keys import clipboard, code_of, copy, press
from device.sandbox.rows.display_sound import Display

if TYPE_CHECKING:
    from device.handset.handset import Handset

_KEYS = {"recent": "APP_SWITCH", "delete": "DEL", "del": "DEL", "center": "DPAD_CENTER", "up": "DPAD_UP", "down": "DPAD_DOWN",
         "left": "DPAD_LEFT", "right": "DPAD_RIGHT"}  # fmt: skip
_ROTATIONS = {"natural": 0, "n": 0, "left": 1, "l": 1, "upsidedown": 2, "u": 2, "right": 3, "r": 3}
_STEP_MS = 5
_POLL = 0.03
Method = Callable[..., Any]


class NotFound(Exception):  # noqa: N818 - Java's UiObjectNotFoundException
    """No node fits."""


class Methods:
    """One instance for each start of the server."""

    def __init__(self, phone: "Handset") -> None:
        self.phone = phone
        self.ui = phone.ui
        self._down: tuple[int, int, float] | None = None
        self._named: dict[str, Callable[[], Node | None]] = {}

    def windows(self) -> list[Window]:
        """As a search sees them: the one with the focus first."""
        return sorted(self.ui.windows(), key=lambda window: window.kind != "application")

    # finding

    def _all(self, selector: Any) -> list[Node]:
        if isinstance(selector, str):
            finder = self._named.get(selector)
            node = finder() if finder is not None else None
            return [] if node is None else [node]
        return matches(self.windows(), selector)

    def _need(self, selector: Any) -> Node:
        found = self._all(selector)
        if not found:
            raise NotFound(f"UiSelector{selector}")
        return found[0]

    def exist(self, selector: Any) -> bool:
        return bool(self._all(selector))

    def count(self, selector: Any) -> int:
        return len(self._all(selector))

    def objInfo(self, selector: Any) -> dict[str, Any]:
        return info(self._need(selector))

    def objInfoOfAllInstances(self, selector: Any) -> list[dict[str, Any]]:
        return [info(node) for node in self._all(selector)]

    async def waitForExists(self, selector: Any, timeout: int = 10_000) -> bool:
        return await self._until(lambda: self.exist(selector), timeout)

    async def waitUntilGone(self, selector: Any, timeout: int = 10_000) -> bool:
        return await self._until(lambda: not self.exist(selector), timeout)

    async def _until(self, holds: Callable[[], bool], milliseconds: int) -> bool:
        end = time.monotonic() + milliseconds / 1000
        while not holds():
            if time.monotonic() >= end:
                return False
            await asyncio.sleep(_POLL)
        return True

    def _child(self, collection: Any, pattern: Any, fits: Callable[[Node], bool]) -> str:
        def find() -> Node | None:
            for holder in self._all(collection):
                for node in matches([Window("", "", holder)], pattern):
                    if node is not holder and any(fits(inner) for inner in node.walk()):
                        return node
            return None

        if find() is None:
            raise NotFound(f"UiSelector{pattern} in UiSelector{collection}")
        name = f"object_{len(self._named) + 1}"
        self._named[name] = find
        return name

    def childByText(self, collection: Any, pattern: Any, text: str, scroll: bool = False) -> str:
        return self._child(collection, pattern, lambda node: node.text == text)

    def childByDescription(self, collection: Any, pattern: Any, text: str, scroll: bool = False) -> str:
        return self._child(collection, pattern, lambda node: node.desc == text)

    def childByInstance(self, collection: Any, pattern: Any, instance: int) -> str:
        def find() -> Node | None:
            holders = self._all(collection)
            found = matches([Window("", "", holders[0])], pattern) if holders else []
            return found[instance] if instance < len(found) else None

        if find() is None:
            raise NotFound(f"instance {instance} of UiSelector{pattern}")
        name = f"object_{len(self._named) + 1}"
        self._named[name] = find
        return name

    # touching

    def click(self, x: Any, y: float = 0, milliseconds: int = 0) -> bool:
        if isinstance(x, (dict, str)):
            x, y = self._need(x).centre
        point = round(x), round(y)
        self.ui.hold(*point) if milliseconds >= 400 else self.ui.tap(*point)
        return True

    def longClick(self, selector: Any) -> bool:
        self.ui.hold(*self._need(selector).centre)
        return True

    def swipe(self, x1: Any, y1: Any, x2: float = 0, y2: float = 0, steps: int = 55) -> bool:
        return self.ui.swipe(round(x1), round(y1), round(x2), round(y2), max(steps * _STEP_MS, 50))

    def drag(self, x1: float, y1: float, x2: float, y2: float, steps: int = 100) -> bool:
        return self.swipe(x1, y1, x2, y2, steps)

    def dragTo(self, selector: Any, *rest: Any) -> bool:
        x, y = self._need(rest[0]).centre if isinstance(rest[0], (dict, str)) else (rest[0], rest[1])
        return self.swipe(*self._need(selector).centre, x, y, 100)

    def swipePoints(self, points: list[float], steps: int = 100) -> bool:
        return self.swipe(points[0], points[1], points[-2], points[-1], steps)

    def injectInputEvent(self, action: int, x: float, y: float, meta: int = 0) -> bool:
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
        return self.exist(selector)

    def pinchIn(self, selector: Any, percent: int = 100, steps: int = 50) -> bool:
        return bool(self._need(selector))

    pinchOut = pinchIn

    def _scroll(self, selector: Any, vertical: bool, part: float) -> bool:
        node = self._need(selector)
        holder = node if node.scroll is not None else next((n for n in node.walk() if n.scroll is not None), None)
        if holder is None or holder.scroll is None or not vertical:
            return False
        return holder.scroll(0, int((holder.bounds[3] - holder.bounds[1]) * part))

    def scrollForward(self, selector: Any, vertical: bool = True, steps: int = 55) -> bool:
        return self._scroll(selector, vertical, 0.8)

    def scrollBackward(self, selector: Any, vertical: bool = True, steps: int = 55) -> bool:
        return self._scroll(selector, vertical, -0.8)

    def scrollToEnd(self, selector: Any, vertical: bool = True, swipes: int = 500, steps: int = 55) -> bool:
        while self._scroll(selector, vertical, 0.8):
            pass
        return True

    def scrollToBeginning(self, selector: Any, vertical: bool = True, swipes: int = 500, steps: int = 55) -> bool:
        while self._scroll(selector, vertical, -0.8):
            pass
        return True

    def scrollTo(self, selector: Any, wanted: Any, vertical: bool = True) -> bool:
        self.scrollToBeginning(selector, vertical)
        while not self.exist(wanted):
            if not self._scroll(selector, vertical, 0.8):
                return False
        return True

    flingForward, flingBackward = scrollForward, scrollBackward
    flingToEnd, flingToBeginning = scrollToEnd, scrollToBeginning

    # text

    def _into(self, selector: Any) -> Node:
        node = self._need(selector)
        if not node.field:
            raise NotFound(f"UiSelector{selector} is no text field")
        self.ui.focus(node.field)
        return node

    def setText(self, selector: Any, text: str) -> bool:
        self._into(selector)
        return self.ui.set_text(text)

    def clearTextField(self, selector: Any) -> bool:
        self._into(selector)
        return self.ui.set_text("")

    def getText(self, selector: Any) -> str:
        return self._need(selector).text

    def clearInputText(self) -> bool:
        return self.ui.set_text("")

    def getClipboard(self) -> str:
        return clipboard(self.phone)

    def setClipboard(self, label: str | None, text: str) -> bool:
        copy(self.phone, text)
        return True

    def pasteClipboard(self) -> bool:
        return self.ui.type(clipboard(self.phone))

    # keys and device

    def pressKey(self, name: str) -> bool:
        code = code_of(_KEYS.get(name.lower(), name))
        if code is None:
            return False
        press(self.phone, code)
        return True

    def pressKeyCode(self, code: int, meta: int = 0) -> bool:
        press(self.phone, code)
        return True

    def wakeUp(self) -> None:
        self.ui.wake()

    def sleep(self) -> None:
        self.ui.sleep()

    def isScreenOn(self) -> bool:
        return self.ui.awake

    def setOrientation(self, name: str) -> bool:
        self.ui.rotate(_ROTATIONS[name])
        return True

    def freezeRotation(self, frozen: bool = True) -> None:
        self.phone.sandbox.change(Display, auto_rotate=not frozen)

    def openNotification(self) -> bool:
        self.ui.shade = "notifications"
        return True

    def openQuickSettings(self) -> bool:
        self.ui.shade = "quick"
        return True

    def getLastToast(self) -> str | None:
        return self.ui.toast or None

    def clearLastToast(self) -> bool:
        self.ui.toast = ""
        return True

    def getLastTraversedText(self) -> str | None:
        return None

    def clearLastTraversedText(self) -> None:
        return None

    def setConfigurator(self, values: Any = None) -> Any:
        return values

    getConfigurator = setConfigurator

    def waitForIdle(self, timeout: int = 0) -> bool:
        return True

    def deviceInfo(self) -> dict[str, Any]:
        profile = self.phone.profile
        width, height = self.ui.size
        return {
            "currentPackageName": self.ui.active().package, "displayHeight": height, "displayWidth": width,
            "displayRotation": self.ui.rotation, "displaySizeDpX": width * 160 // profile.density,
            "displaySizeDpY": height * 160 // profile.density, "productName": profile.device,
            "screenOn": self.ui.awake, "sdkInt": profile.sdk, "naturalOrientation": self.ui.rotation % 2 == 0,
        }  # fmt: skip

    async def dumpWindowHierarchy(self, compressed: bool = False, depth: int = 50, active: bool = False) -> str:
        faults = self.phone.faults
        busy = faults.use("busy")
        if busy is not None:
            await asyncio.sleep(busy.seconds)
        windows = [self.ui.active()] if active else self.ui.windows()
        text = self.phone.agent.spoiled(every_window(windows, self.ui.rotation, depth or 50))
        if faults.use("rotate"):
            self.ui.rotate(self.ui.rotation + 1)
        return text

    def takeScreenshot(self, scale: float = 1, quality: int = 80) -> str | None:
        if self.phone.faults.use("no_screenshot"):
            return None
        picture = self.phone.picture()
        if scale and scale != 1:
            picture = picture.resize((int(picture.width * scale), int(picture.height * scale)))
        held = io.BytesIO()
        picture.save(held, "JPEG", quality=quality or 80)
        return base64.b64encode(held.getvalue()).decode()
