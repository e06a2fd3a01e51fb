"""The methods of uiautomator2's server: its client calls `objInfo`, here it is `obj_info`.

After `AutomatorService.java` of openatx/android-uiautomator-server, the server inside `u2.jar` of uiautomator2 3.x.
Those that look for nodes stand in `finding.py`, those that touch in `touching.py`.
"""

import asyncio
import base64
import io
from typing import Any

from device.handset.agent.finding import NotFound
from device.handset.agent.touching import Touching
from device.handset.screens.dump import every_window
from device.handset.screens.node import Node
from device.handset.shell.keys import clipboard, code_of, copy, press
from device.sandbox.rows.display_sound import Display

_KEYS = {
    "recent": "APP_SWITCH", "delete": "DEL", "del": "DEL", "center": "DPAD_CENTER", "up": "DPAD_UP",
    "down": "DPAD_DOWN", "left": "DPAD_LEFT", "right": "DPAD_RIGHT",
}  # fmt: skip
_ROTATIONS = {"natural": 0, "n": 0, "left": 1, "l": 1, "upsidedown": 2, "u": 2, "right": 3, "r": 3}


class Methods(Touching):
    """One instance for each start of the server."""

    def _into(self, selector: Any) -> Node:
        node = self._need(selector)
        if not node.field:
            raise NotFound(f"UiSelector{selector} is no text field")
        self.ui.focus(node.field)
        return node

    def set_text(self, selector: Any, text: str) -> bool:
        """Replace the text of a field."""
        self._into(selector)
        return self.ui.set_text(text)

    def clear_text_field(self, selector: Any) -> bool:
        """Empty a field."""
        self._into(selector)
        return self.ui.set_text("")

    def get_text(self, selector: Any) -> str:
        """The text of a node."""
        return self._need(selector).text

    def clear_input_text(self) -> bool:
        """Empty the field with the cursor."""
        return self.ui.set_text("")

    def get_clipboard(self) -> str:
        """What was copied last."""
        return clipboard(self.phone)

    def set_clipboard(self, label: str | None, text: str) -> bool:
        """Copy a text."""
        copy(self.phone, text)
        return True

    def paste_clipboard(self) -> bool:
        """Type what was copied."""
        return self.ui.type(clipboard(self.phone))

    def press_key(self, name: str) -> bool:
        """A key by its name."""
        code = code_of(_KEYS.get(name.lower(), name))
        if code is None:
            return False
        press(self.phone, code)
        return True

    def press_key_code(self, code: int, meta: int = 0) -> bool:
        """A key by its code."""
        press(self.phone, code)
        return True

    def wake_up(self) -> None:
        """Light the screen."""
        self.ui.wake()

    def sleep(self) -> None:
        """Make it dark."""
        self.ui.sleep()

    def is_screen_on(self) -> bool:
        """Whether it is lit."""
        return self.ui.awake

    def set_orientation(self, name: str) -> bool:
        """Turn the screen."""
        self.ui.rotate(_ROTATIONS[name])
        return True

    def freeze_rotation(self, frozen: bool = True) -> None:
        """Keep it from turning."""
        self.phone.sandbox.change(Display, auto_rotate=not frozen)

    def open_notification(self) -> bool:
        """Pull the shade."""
        self.ui.shade = "notifications"
        return True

    def open_quick_settings(self) -> bool:
        """Pull it twice."""
        self.ui.shade = "quick"
        return True

    def get_last_toast(self) -> str | None:
        """The last short message."""
        return self.ui.toast or None

    def clear_last_toast(self) -> bool:
        """Forget it."""
        self.ui.toast = ""
        return True

    def get_last_traversed_text(self) -> str | None:
        """Of a WebView: nothing is traversed here."""
        return None

    def clear_last_traversed_text(self) -> None:
        """Nothing to forget."""
        return

    def set_configurator(self, values: Any = None) -> Any:
        """Waits are short here, whatever is configured."""
        return values

    get_configurator = set_configurator

    def wait_for_idle(self, timeout: int = 0) -> bool:
        """The screen is idle."""
        return True

    def device_info(self) -> dict[str, Any]:
        """What the phone is and shows."""
        profile = self.phone.profile
        width, height = self.ui.size
        return {
            "currentPackageName": self.ui.active().package, "displayHeight": height, "displayWidth": width,
            "displayRotation": self.ui.rotation, "displaySizeDpX": width * 160 // profile.density,
            "displaySizeDpY": height * 160 // profile.density, "productName": profile.device,
            "screenOn": self.ui.awake, "sdkInt": profile.sdk, "naturalOrientation": self.ui.rotation % 2 == 0,
        }  # fmt: skip

    async def dump_window_hierarchy(self, compressed: bool = False, depth: int = 50, active: bool = False) -> str:
        """Every window, or the active one, as XML."""
        faults = self.phone.faults
        busy = faults.use("busy")
        if busy is not None:
            await asyncio.sleep(busy.seconds)
        windows = [self.ui.active()] if active else self.ui.windows()
        self.phone.agent.halved(windows)
        text = self.phone.agent.spoiled(every_window(windows, self.ui.rotation, depth or 50))
        if faults.use("rotate"):
            self.ui.rotate(self.ui.rotation + 1)
        return text

    def take_screenshot(self, scale: float = 1, quality: int = 80) -> str | None:
        """A JPEG in base64; None where it fails."""
        if self.phone.faults.use("no_screenshot"):
            return None
        picture = self.phone.picture()
        if scale and scale != 1:
            picture = picture.resize((int(picture.width * scale), int(picture.height * scale)))
        held = io.BytesIO()
        picture.save(held, "JPEG", quality=quality or 80)
        return base64.b64encode(held.getvalue()).decode()
