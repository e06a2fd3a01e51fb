"""`input`: touches, keys, text."""

import asyncio

from device.handset.shell.keys import code_of, press
from device.handset.shell.registry import Call, command

_SOURCE = "frameworks/base/services/core/java/com/android/server/input/InputShellCommand.java"
_SOURCES = ("touchscreen", "keyboard", "mouse", "touchpad", "dpad", "trackball", "stylus", "gamepad", "joystick")
_REFUSED = (
    "java.lang.SecurityException: Injecting input events requires the caller (or the source of the instrumentation, if "
    "any) to have the INJECT_EVENTS permission."
)


@command("input", source=_SOURCE, android="12-15; the exception for INJECT_EVENTS 14-15")
async def input_(call: Call) -> int:
    """text, keyevent, tap, swipe, draganddrop, press, roll, motionevent."""
    args = [arg for arg in call.args if arg not in _SOURCES]
    if args[:1] == ["-d"]:
        args = args[2:]
    verb, rest = (args[0], args[1:]) if args else ("", [])
    action = _VERBS.get(verb)
    if action is None:
        call.err(f"Error: Unknown command: {verb}" if verb else "Error: Invalid arguments for command: input")
        return 255
    if call.phone.faults.use("no_inject"):
        call.err(f"\nException occurred while executing '{verb}':\n{_REFUSED}")
        return 255
    try:
        return await action(call, rest)
    except ValueError as error:
        call.err(f"\nException occurred while executing '{verb}':\njava.lang.NumberFormatException: {error}")
        return 255


async def _text(call: Call, args: list[str]) -> int:
    """`%s` is a space; what no key of the virtual keyboard types is an exception, as `KeyCharacterMap` has none."""
    text = " ".join(args).replace("%s", " ")
    if any(not " " <= char <= "~" for char in text):
        call.err(
            "\nException occurred while executing 'text':\n"
            "java.lang.NullPointerException: Attempt to get length of null array"
        )
        return 255
    call.phone.ui.type(text)
    return 0


async def _keyevent(call: Call, args: list[str]) -> int:
    held = bool({"--longpress", "--doubletap"} & set(args))
    for name in (arg for arg in args if not arg.startswith("--")):
        code = code_of(name)
        if code is None:
            call.err(f"Error: Unknown keycode: {name}")
            return 255
        press(call.phone, code, held)
    return 0


async def _tap(call: Call, args: list[str]) -> int:
    x, y = _numbers(args, 2)
    call.phone.ui.tap(x, y)
    return 0


async def _swipe(call: Call, args: list[str]) -> int:
    x1, y1, x2, y2, *rest = _numbers(args, 4)
    milliseconds = rest[0] if rest else 300
    await asyncio.sleep(min(milliseconds, 2000) / 1000)
    call.phone.ui.swipe(x1, y1, x2, y2, milliseconds)
    return 0


async def _press(call: Call, args: list[str]) -> int:
    return 0


def _numbers(args: list[str], least: int) -> list[int]:
    if len(args) < least:
        raise ValueError("empty String")
    return [int(float(arg)) for arg in args]


_VERBS = {"text": _text, "keyevent": _keyevent, "tap": _tap, "swipe": _swipe, "draganddrop": _swipe, "press": _press,
          "roll": _press, "motionevent": _press}  # fmt: skip
