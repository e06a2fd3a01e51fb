"""`uiautomator dump`, `screencap`, and `app_process` that starts uiautomator2's server."""

import asyncio
import io

from device.handset.screens.dump import active_window
from device.handset.shell.registry import Call, command
from device.handset.state.files import FileError

_DUMP = "frameworks/base/cmds/uiautomator/cmds/uiautomator/src/com/android/commands/uiautomator/DumpCommand.java"
_DEFAULT = "/sdcard/window_dump.xml"
_FOLD_WARNING = (
    "[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first display found, "
    "however this default is not guaranteed to be consistent across captures. A display id should be specified.\n"
    "A display ID can be specified with the [-d display-id] option.\n"
    'See "dumpsys SurfaceFlinger --display-id" for valid display IDs.\n'
)


@command("uiautomator", source=_DUMP, android="9-15")
async def uiautomator(call: Call) -> int:
    """`dump [--compressed] [FILE]`; `/dev/tty` writes to the terminal."""
    if call.arg(0) != "dump":
        call.err("Usage: uiautomator <subcommand> [options]")
        return 1
    faults = call.phone.faults
    if faults.use("killed"):
        call.out("Killed\n")
        return 137
    if call.phone.agent.running or faults.active("slot_held"):
        call.err("Killed")  # the UiAutomation slot belongs to another process; the dump ends without a file
        return 137
    busy = faults.use("busy")
    if busy is not None:
        await call.io.flush()
        await asyncio.sleep(busy.seconds)
        call.err("ERROR: could not get idle state.")
        return 1
    files = [arg for arg in call.args[1:] if not arg.startswith("--")]
    path = files[0] if files else _DEFAULT
    agent = call.phone.agent
    (window,) = agent.halved([call.phone.ui.active()])
    text = agent.spoiled(active_window(window, call.phone.ui.rotation))
    if path in ("/dev/tty", "/proc/self/fd/1"):
        call.out(text)
    else:
        try:
            call.phone.files.write(path, text.encode())
        except FileError as error:
            call.err(f"ERROR: {error}")
            return 1
    call.line(f"UI hierchary dumped to: {path}")  # spelt so in AOSP up to Android 15
    return 0


@command("screencap", source="frameworks/base/cmds/screencap/screencap.cpp", android="13-15")
def screencap(call: Call) -> int:
    """`[-p] [-d DISPLAY] [FILE]`: a PNG, to a file or to standard output."""
    if call.phone.faults.use("no_screenshot"):
        call.err("Failed to take screenshot. Status: -38")
        return 1
    args = list(call.args)
    chosen = "-d" in args
    if chosen:
        del args[args.index("-d") : args.index("-d") + 2]
    files = [arg for arg in args if not arg.startswith("-")]
    if call.phone.faults.use("fold") and not chosen:
        call.out(_FOLD_WARNING)
    data = png(call)
    if files:
        call.phone.files.write(call.phone.files.resolve(files[0], call.shell.directory), data)
    else:
        call.out(data)
    return 0


def png(call: Call) -> bytes:
    """The screen as a PNG."""
    held = io.BytesIO()
    call.phone.picture().save(held, "PNG", compress_level=1)
    return held.getvalue()


@command("screenrecord", source="frameworks/av/cmds/screenrecord/screenrecord.cpp", android="9-15")
async def screenrecord(call: Call) -> int:
    """No encoder here: what a phone without one says."""
    call.err("ERROR: unable to create video/avc codec instance")
    return 1


@command("app_process", source="frameworks/base/cmds/app_process/app_main.cpp", android="9-15")
async def app_process(call: Call) -> int:
    """Runs uiautomator2's server until its line ends; any other class is not there."""
    jar = call.shell.variables.get("CLASSPATH", "")
    main = next((arg for arg in call.args if arg.startswith("com.wetest.")), "")
    if not main or call.phone.files.stat(jar) is None:
        wanted = main or (call.args[-1] if call.args else "")
        call.err(f'Error: ClassNotFoundException: Didn\'t find class "{wanted}" on path: DexPathList')
        return 1
    port = int(call.args[call.args.index("-p") + 1]) if "-p" in call.args else 9008
    call.line("[server] INFO: [UiAutomator2Server] Starting Server")
    if call.phone.faults.active("slot_held") or call.phone.agent.running:
        call.err(
            "java.lang.IllegalStateException: UiAutomationService android.accessibilityservice."
            "IAccessibilityServiceClient$Stub$Proxy@5deffd5already registered!"
        )
        return 1
    await call.io.flush()
    if call.phone.faults.use("orphan"):
        await asyncio.shield(call.phone.spawn(call.phone.agent.run(port)))
    else:
        await call.phone.agent.run(port)
    return 0
