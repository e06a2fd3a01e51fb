"""`ime`: input methods.

After `frameworks/base/services/core/java/com/android/server/inputmethod/InputMethodManagerService.java`
(`handleShellCommand*`, Android 10 to 15).
"""

from device.handset.shell.registry import Call, command
from device.handset.state.settings import LATIN_IME

_SOURCE = "frameworks/base/services/core/java/com/android/server/inputmethod/InputMethodManagerService.java"
_KEYBOARD = "com.github.uiautomator/.AdbKeyboard"


def _installed(call: Call) -> list[str]:
    return [LATIN_IME] + ([_KEYBOARD] if "com.github.uiautomator" in call.phone.packages.helpers else [])


def _enabled(call: Call) -> list[str]:
    text = call.phone.settings.get("secure", "enabled_input_methods") or ""
    return [name for name in text.split(":") if name]


@command("ime", source=_SOURCE, android="10-15")
def ime(call: Call) -> int:
    """list, enable, disable, set, reset."""
    verb = call.arg(0)
    names = [arg for arg in call.args[1:] if not arg.startswith("-")]
    if verb == "list":
        return _list(call)
    if verb == "reset":
        _store(call, [LATIN_IME])
        call.phone.settings.put("secure", "default_input_method", LATIN_IME)
        call.line(f"Reset current and enabled IMEs for user #0\n  New IME: {LATIN_IME}")
        return 0
    if verb not in ("enable", "disable", "set") or not names:
        call.err(f"Unknown command: {verb}")
        return 255
    return {"enable": _enable, "disable": _disable, "set": _set}[verb](call, names[0])


def _store(call: Call, names: list[str]) -> None:
    call.phone.settings.put("secure", "enabled_input_methods", ":".join(names))


def _list(call: Call) -> int:
    """`-s` short, `-a` also those that are off."""
    for name in _installed(call) if "-a" in call.args else [n for n in _installed(call) if n in _enabled(call)]:
        call.line(name if "-s" in call.args else f"{name}:\n  mId={name} mSettingsActivityName=null mIsVrOnly=false")
    return 0


def _enable(call: Call, name: str) -> int:
    if name not in _installed(call):
        call.err(f"Unknown input method {name} cannot be enabled for user #0")
        return 255
    known = _enabled(call)
    call.line(f"Input method {name}: {'already enabled' if name in known else 'now enabled'} for user #0")
    _store(call, known + ([] if name in known else [name]))
    return 0


def _disable(call: Call, name: str) -> int:
    known = _enabled(call)
    call.line(f"Input method {name}: {'now disabled' if name in known else 'already disabled'} for user #0")
    _store(call, [other for other in known if other != name])
    if call.phone.settings.get("secure", "default_input_method") == name:
        call.phone.settings.put("secure", "default_input_method", LATIN_IME)
    return 0


def _set(call: Call, name: str) -> int:
    if name not in _enabled(call):
        call.err(f"Unknown input method {name} cannot be selected for user #0")
        return 255
    call.phone.settings.put("secure", "default_input_method", name)
    call.line(f"Input method {name} selected for user #0")
    return 0
