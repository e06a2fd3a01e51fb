"""Key codes of Android and what they do on this phone.

After `frameworks/base/core/java/android/view/KeyEvent.java` (Android 9 to 15).
"""

from typing import TYPE_CHECKING

from device.sandbox.rows.display_sound import Display, Volume

if TYPE_CHECKING:
    from device.handset.handset import Handset

CODES = {
    "UNKNOWN": 0, "HOME": 3, "BACK": 4, "CALL": 5, "ENDCALL": 6, "DPAD_UP": 19, "DPAD_DOWN": 20, "DPAD_LEFT": 21,
    "DPAD_RIGHT": 22, "DPAD_CENTER": 23, "VOLUME_UP": 24, "VOLUME_DOWN": 25, "POWER": 26, "CAMERA": 27, "CLEAR": 28,
    "COMMA": 55, "PERIOD": 56, "TAB": 61, "SPACE": 62, "ENTER": 66, "DEL": 67, "MENU": 82, "NOTIFICATION": 83,
    "SEARCH": 84, "MEDIA_PLAY_PAUSE": 85, "MEDIA_STOP": 86, "MEDIA_NEXT": 87, "MEDIA_PREVIOUS": 88, "ESCAPE": 111,
    "FORWARD_DEL": 112, "MOVE_HOME": 122, "MOVE_END": 123, "MEDIA_PLAY": 126, "MEDIA_PAUSE": 127, "VOLUME_MUTE": 164,
    "APP_SWITCH": 187, "ASSIST": 219, "BRIGHTNESS_DOWN": 220, "BRIGHTNESS_UP": 221, "SLEEP": 223, "WAKEUP": 224,
    "CUT": 277, "COPY": 278, "PASTE": 279, "ALL_APPS": 284,
}  # fmt: skip
CODES |= {str(digit): 7 + digit for digit in range(10)}
CODES |= {chr(ord("A") + number): 29 + number for number in range(26)}
_NAMES = {code: name for name, code in CODES.items()}
PICTURE_BYTES = 3_500_000
_STEPS = {"media": 15, "ring": 7, "notification": 7, "alarm": 7, "call": 7}


def code_of(text: str) -> int | None:
    """The code of a name, with or without `KEYCODE_`, or of a number; None for neither."""
    if text.isdigit():
        return int(text)
    return CODES.get(text.upper().removeprefix("KEYCODE_"))


def press(phone: "Handset", code: int, held: bool = False) -> None:
    """One press."""
    name = _NAMES.get(code, "")
    ui = phone.ui
    if name == "POWER":
        ui.sleep() if ui.awake else ui.wake()
    elif name == "WAKEUP":
        ui.wake()
    elif name == "SLEEP":
        ui.sleep()
    elif name in ("VOLUME_UP", "VOLUME_DOWN", "VOLUME_MUTE"):
        turn(phone, "media", {"VOLUME_UP": 1, "VOLUME_DOWN": -1, "VOLUME_MUTE": 0}[name])
    elif name.startswith("MEDIA_"):
        _media(phone, name)
    elif name.startswith("BRIGHTNESS_"):
        now = phone.sandbox.one(Display).brightness
        phone.sandbox.change(Display, brightness=max(0, min(100, now + (10 if name == "BRIGHTNESS_UP" else -10))))
    elif ui.awake:
        _on_screen(phone, name)


def _on_screen(phone: "Handset", name: str) -> None:
    ui = phone.ui
    moves = {"HOME": ui.home, "BACK": ui.back, "ESCAPE": ui.back, "APP_SWITCH": ui.recents, "ENTER": ui.enter}
    if name in moves:
        moves[name]()
    elif name == "NOTIFICATION":
        ui.shade = "notifications"
    elif name == "ALL_APPS":
        ui.home()
        ui.open("launcher")
    elif name == "CAMERA":
        _camera(phone)
    elif name in ("DEL", "FORWARD_DEL"):
        ui.set_text(ui.text()[:-1]) if name == "DEL" else None
    elif name == "PASTE":
        ui.type(clipboard(phone))
    elif name == "SPACE":
        ui.type(" ")
    elif name in ("COMMA", "PERIOD"):
        ui.type("," if name == "COMMA" else ".")
    elif len(name) == 1:
        ui.type(name.lower())


def _camera(phone: "Handset") -> None:
    """Open the camera; in it, take a picture."""
    if phone.ui.current_view != "Camera" or phone.ui.route.name.startswith("dialog/"):
        phone.ui.launch("Camera")
        return
    take_picture(phone)


def take_picture(phone: "Handset") -> None:
    """A new file of the camera."""
    name = f"IMG_{phone.sandbox.now:%Y%m%d_%H%M%S}"
    place = "/sdcard/DCIM/Camera"
    taken = sum(entry.name.startswith(name) for entry in phone.files.entries(place))
    phone.files.generate(f"{place}/{name}{f'_{taken}' if taken else ''}.jpg", PICTURE_BYTES)


def turn(phone: "Handset", stream: str, step: int) -> None:
    """A volume one step up or down; 0 mutes it."""
    table = phone.sandbox.table(Volume)
    row = table.need(stream)
    if step == 0:
        table.update(row, muted=not row.muted)
        return
    top = _STEPS[stream]
    index = max(0, min(top, round((0 if row.muted else row.percent) * top / 100) + step))
    table.update(row, percent=round(index * 100 / top), muted=False)


def set_volume(phone: "Handset", stream: str, index: int) -> None:
    """A volume at a step."""
    top = _STEPS[stream]
    phone.sandbox.table(Volume).update(stream, percent=round(max(0, min(top, index)) * 100 / top), muted=False)


def volume_index(phone: "Handset", stream: str) -> tuple[int, int]:
    """The step at which a volume stands, and the highest."""
    row, top = phone.sandbox.table(Volume).need(stream), _STEPS[stream]
    return (0 if row.muted else round(row.percent * top / 100)), top


def clipboard(phone: "Handset") -> str:
    """What was copied last."""
    from device.sandbox.rows.typing_input import Clip

    rows = phone.sandbox.table(Clip).all()
    return rows[-1].text if rows else ""


def copy(phone: "Handset", text: str) -> None:
    """Put a text on the clipboard."""
    from device.sandbox.rows.typing_input import Clip

    copied = phone.sandbox.now.isoformat(timespec="seconds")
    phone.sandbox.table(Clip).insert(Clip(phone.sandbox.new_id("clip"), text, copied))


def _media(phone: "Handset", name: str) -> None:
    from device.handset.state.media import media_key

    media_key(phone.sandbox, name)
