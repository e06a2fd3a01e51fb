"""`dumpsys SERVICE`: the screen and the body of the phone; those of apps stand in `dumpsys_apps.py`.

Each follows the `dump` of its service in `frameworks/base/services/core/java/com/android/server`: `BatteryService`,
`power/PowerManagerService`, `display/DisplayManagerService`, `wm/WindowManagerService`,
`wm/ActivityTaskManagerService`, `inputmethod/InputMethodManagerService`; `dumpsys input` follows
`frameworks/native/services/inputflinger`. Only the
lines that drivers read are printed, in the form of Android 12 to 15.
"""

from collections.abc import Callable

from device.handset.screens.node import Window
from device.handset.shell import dumpsys_apps
from device.handset.shell.registry import Call, command
from device.sandbox.rows.system_settings import Battery

Dump = Callable[[Call, list[str]], None]


@command("dumpsys", source="frameworks/native/cmds/dumpsys/dumpsys.cpp", android="9-15; services as they say")
def dumpsys(call: Call) -> int:
    """One service, or `-l` for their names."""
    args = call.args
    if args[:1] == ["-t"]:
        args = args[2:]
    if args[:1] == ["-l"] or not args:
        call.line("Currently running services:\n" + "\n".join(f"  {name}" for name in sorted(_SERVICES)))
        return 0
    dump = _SERVICES.get(args[0])
    if dump is None:
        call.err(f"Can't find service: {args[0]}")
        return 0  # dumpsys ends with 0 all the same
    dump(call, args[1:])
    return 0


def _battery(call: Call, args: list[str]) -> None:
    """BatteryService.dumpInternal; `set` and `unplug` are the shell commands beside it."""
    row = call.phone.sandbox.one(Battery)
    status = (5 if row.level >= 100 else 2) if row.charging else 3
    call.line(
        "Current Battery Service state:\n"
        f"  AC powered: {str(row.charging).lower()}\n"
        "  USB powered: false\n"
        "  Wireless powered: false\n"
        "  Dock powered: false\n"
        "  Max charging current: 0\n"
        "  Max charging voltage: 0\n"
        f"  Charge counter: {row.level * 40_000}\n"
        f"  status: {status}\n"
        "  health: 2\n"
        "  present: true\n"
        f"  level: {row.level}\n"
        "  scale: 100\n"
        "  voltage: 4012\n"
        "  temperature: 267\n"
        "  technology: Li-ion"
    )


def _power(call: Call, args: list[str]) -> None:
    """PowerManagerService.dumpInternal."""
    awake = call.phone.ui.awake
    saver = call.phone.sandbox.one(Battery).mode != "normal"
    call.line(
        "POWER MANAGER (dumpsys power)\n\nPower Manager State:\n"
        f"  mWakefulness={'Awake' if awake else 'Asleep'}\n  mWakefulnessChanging=false\n"
        f"  mIsPowered={str(call.phone.sandbox.one(Battery).charging).lower()}\n"
        f"  mBatterySaverEnabled={str(saver).lower()}\n"
        "  mHoldingWakeLockSuspendBlocker=false\n"
        f"  mHoldingDisplaySuspendBlocker={str(awake).lower()}\n"
        f"Display Power: state={'ON' if awake else 'OFF'}"
    )


def _display(call: Call, args: list[str]) -> None:
    """DisplayManagerService.dumpInternal."""
    rotation, upright = call.phone.ui.rotation, call.phone.resolution
    width, height = call.phone.ui.size
    call.line(
        "DISPLAY MANAGER (dumpsys display)\n  mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=true, "
        f"displayId=0, uniqueId='local:4619827259835644672', physicalPort=0, orientation={rotation}, "
        f"logicalFrame=Rect(0, 0 - {width}, {height}), physicalFrame=Rect(0, 0 - {width}, {height}), "
        f"deviceWidth={upright[0]}, deviceHeight={upright[1]}}}]\n"
        f"  mScreenState={'ON' if call.phone.ui.awake else 'OFF'}\n"
        f"  mCurrentOrientation={rotation}"
    )


def _short(window: Window) -> str:
    return f"{window.package}/{window.activity}" if window.activity else window.package


def _record(call: Call) -> str:
    """An activity record names the class short where it lies below the package."""
    window = call.phone.ui.page_window()
    return f"ActivityRecord{{{_hash(window)} u0 {window.package}/{window.activity.removeprefix(window.package)} t12}}"


def _hash(window: Window) -> str:
    return f"{hash((window.package, window.activity)) & 0xFFFFFFF:07x}"


def _window(call: Call, args: list[str]) -> None:
    """WindowManagerService.dumpWindowsNoHeader and DisplayContent.dump."""
    ui, profile = call.phone.ui, call.phone.profile
    width, height = ui.size
    focused = ui.active()
    call.line("WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)")
    call.line(
        "  Display: mDisplayId=0\n"
        f"    init={profile.width}x{profile.height} {profile.density}dpi cur={width}x{height} app={width}x{height}"
    )
    call.line(f"    mCurrentRotation=ROTATION_{ui.rotation * 90}")
    call.line("WINDOW MANAGER WINDOWS (dumpsys window windows)")
    for number, window in enumerate(ui.windows()):
        flags = "SECURE LAYOUT_IN_SCREEN" if window.secure else "LAYOUT_IN_SCREEN"
        call.line(
            f"  Window #{number} Window{{{_hash(window)} u0 {_short(window)}}}:\n"
            f"    mAttrs={{(0,0)(fillxfill) ty=BASE_APPLICATION fl={flags}}}\n"
            f"    isVisible=true mHasSurface=true"
        )
    call.line(f"  mCurrentFocus=Window{{{_hash(focused)} u0 {_short(focused)}}}")
    call.line(f"  mFocusedApp={_record(call)}")
    call.line(f"  mInputMethodWindow={'Window{1a2b3c4 u0 InputMethod}' if ui.keyboard_shown else 'null'}")


def _activity(call: Call, args: list[str]) -> None:
    """ActivityTaskManagerService.dump (`activities`, `top`), ActivityManagerService.dump (`processes`)."""
    record = _record(call)
    if args[:1] == ["top"]:
        window = call.phone.ui.page_window()
        call.line(
            f"TASK {window.package} id=12 userId=0\n"
            f"  ACTIVITY {window.package}/{window.activity} {_hash(window)} pid=3050"
        )
        return
    call.line(
        "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n"
        "Display #0 (activities from top to bottom):\n"
        f"  * Task{{1f00 #12 type=standard A=10060}}\n      * Hist  #0: {record}\n"
        f"  topResumedActivity={record}\n"
        f"  ResumedActivity: {record}\n"
        f"    mResumedActivity: {record}"
    )


def _input(call: Call, args: list[str]) -> None:
    """InputReader::dump."""
    call.line(
        "INPUT MANAGER (dumpsys input)\n"
        "\n"
        "Input Reader State:\n"
        f"      Viewport INTERNAL: displayId=0, orientation={call.phone.ui.rotation}\n"
        f"      SurfaceOrientation: {call.phone.ui.rotation}"
    )


def _input_method(call: Call, args: list[str]) -> None:
    """InputMethodManagerService.dumpAsStringNoCheckForService."""
    chosen = call.phone.settings.get("secure", "default_input_method")
    shown = str(call.phone.ui.keyboard_shown).lower()
    call.line(
        "Current Input Method Manager state:\n"
        f"  mCurMethodId={chosen}\n"
        f"  mCurId={chosen}\n"
        f"  mShowRequested={shown}\n"
        f"  mInputShown={shown}"
    )


_SERVICES: dict[str, Dump] = {
    "activity": _activity,
    "alarm": dumpsys_apps.alarm,
    "battery": _battery,
    "display": _display,
    "input": _input,
    "input_method": _input_method,
    "location": dumpsys_apps.location,
    "media_session": dumpsys_apps.media_session,
    "nfc": dumpsys_apps.nfc,
    "notification": dumpsys_apps.notification,
    "package": dumpsys_apps.package,
    "power": _power,
    "SurfaceFlinger": dumpsys_apps.surface_flinger,
    "telephony.registry": dumpsys_apps.telephony,
    "window": _window,
    "audio": dumpsys_apps.audio,
    "wifi": dumpsys_apps.wifi,
    "accessibility": dumpsys_apps.accessibility,
}
