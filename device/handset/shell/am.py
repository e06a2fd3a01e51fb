"""`am`: activities, broadcasts, processes; and `monkey`, which launches an app.

After `frameworks/base/services/core/java/com/android/server/am/ActivityManagerShellCommand.java` and, for the
arguments of an intent, `frameworks/base/core/java/android/content/Intent.java` (`parseCommandArgs`).
"""

import base64
from collections.abc import Callable
from typing import Any

from device.handset.shell.registry import Call, command
from device.handset.state.intents import Intent, start

_SOURCE = "frameworks/base/services/core/java/com/android/server/am/ActivityManagerShellCommand.java"


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


_TYPES: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("--es", "-e", "--eu", "--ecn"), str),
    **dict.fromkeys(("--ei", "--el"), int),
    **dict.fromkeys(("--ef", "--ed"), float),
    **dict.fromkeys(("--eia", "--eial", "--ela", "--elal"), _numbers),
    **dict.fromkeys(("--esa", "--esal"), lambda text: text.split(",")),
    "--ez": lambda text: text in ("true", "t", "1"),
}
_VALUED = {"-a": "action", "-d": "data", "-t": "mime", "-n": "component", "-p": "package"}
_SKIPPED = (
    "--user",
    "--display",
    "--windowingMode",
    "--activityType",
    "-i",
    "--receiver-permission",
    "--stack",
    "--task",
)
IME = "com.github.uiautomator"
_OK = -1


class BadArguments(Exception):  # noqa: N818 - printed as Java's
    """An intent that can't be read."""


def read_intent(args: list[str]) -> tuple[Intent, set[str]]:
    """The intent, and the options that belong to the command."""
    intent, flags, rest = Intent(), set(), list(args)
    while rest:
        name = rest.pop(0)
        if name in _VALUED:
            setattr(intent, _VALUED[name], _need(rest, name))
        elif name == "-c":
            intent.categories.append(_need(rest, name))
        elif name in _TYPES:
            key = _need(rest, name)
            intent.extras[key] = _converted(name, _need(rest, name))
        elif name == "--esn":
            intent.extras[_need(rest, name)] = ""
        elif name == "-f":
            intent.flags = int(_need(rest, name), 0)
        elif name in _SKIPPED:
            _need(rest, name)
        elif name.startswith("-"):
            flags.add(name)
        else:
            _bare(intent, name)
    if not intent.action and intent.component:
        intent.action = (
            "android.intent.action.MAIN" if "android.intent.category.LAUNCHER" in intent.categories else intent.action
        )
    return intent, flags


def _converted(name: str, text: str) -> Any:
    try:
        return _TYPES[name](text)
    except ValueError:
        raise BadArguments(f'java.lang.NumberFormatException: For input string: "{text}"') from None


def _bare(intent: Intent, name: str) -> None:
    """The last argument without an option: a URI, a component or a package."""
    if ":" in name:
        intent.data, intent.action = name, intent.action or "android.intent.action.VIEW"
    elif "/" in name:
        intent.component = name
    else:
        intent.package, intent.action = name, intent.action or "android.intent.action.MAIN"


def _need(rest: list[str], name: str) -> str:
    if not rest:
        raise BadArguments(f'java.lang.IllegalArgumentException: Argument expected after "{name}"')
    return rest.pop(0)


@command("am", source=_SOURCE, android="10-15")
def am(call: Call) -> int:
    """start, startservice, broadcast, force-stop, kill, switch-user and what else a script asks."""
    return activity_command(call, call.args)


def activity_command(call: Call, args: list[str]) -> int:
    """Also behind `cmd activity`."""
    verb, rest = (args[0], args[1:]) if args else ("", [])
    action = _VERBS.get(verb)
    if action is None:
        call.err(f"Unknown command: {verb}")
        return 255
    try:
        return action(call, rest)
    except BadArguments as error:
        call.err(f"\nException occurred while executing '{verb}':\n{error}")
        return 255


def _start(call: Call, args: list[str]) -> int:
    intent, flags = read_intent(args)
    call.line(f"Starting: {intent}")
    if "-S" in flags and intent.component:
        _stop(call, intent.component.partition("/")[0])
    error = start(call.phone, intent)
    if error:
        call.err(error)
        return 1
    if "-W" in flags:
        window = call.phone.ui.page_window()
        short = window.activity.removeprefix(window.package)
        call.line(
            "Status: ok\n"
            "LaunchState: COLD\n"
            f"Activity: {window.package}/{short}\n"
            "TotalTime: 214\n"
            "WaitTime: 220\n"
            "Complete"
        )
    return 0


def _stop(call: Call, name: str) -> None:
    package = call.phone.packages.find(name)
    if package is not None:
        call.phone.ui.close_app(package.label)


def _force_stop(call: Call, args: list[str]) -> int:
    names = [arg for arg in args if not arg.startswith("-") and not arg.isdigit() and arg not in ("all", "current")]
    for name in names:
        _stop(call, name)
    return 0


def _broadcast(call: Call, args: list[str]) -> int:
    intent, _ = read_intent(args)
    if intent.action == "android.intent.action.AIRPLANE_MODE":
        call.err(
            "Security exception: Permission Denial: not allowed to send broadcast "
            "android.intent.action.AIRPLANE_MODE from "
            "pid=4242, uid=2000\n"
            "\n"
            "java.lang.SecurityException: Permission Denial: not allowed to send broadcast "
            "android.intent.action.AIRPLANE_MODE from pid=4242, uid=2000"
        )
        return 255
    call.line(f"Broadcasting: {intent}")
    code, data = _received(call, intent)
    shown = f'result={code}, data="{data}"' if data is not None else f"result={code}"
    call.line(f"Broadcast completed: {shown}")
    return 0


def _received(call: Call, intent: Intent) -> tuple[int, str | None]:
    """uiautomator2's keyboard answers its own broadcasts while it is the one in use."""
    ui = call.phone.ui
    chosen = call.phone.settings.get("secure", "default_input_method") or ""
    if not intent.action.startswith("ADB_KEYBOARD_") or not chosen.startswith(IME):
        return 0, None
    if intent.action == "ADB_KEYBOARD_INPUT_TEXT":
        ui.type(base64.b64decode(intent.text("text")).decode())
    elif intent.action == "ADB_KEYBOARD_SET_TEXT":
        ui.set_text(base64.b64decode(intent.text("text")).decode())
    elif intent.action == "ADB_KEYBOARD_CLEAR_TEXT":
        ui.set_text("")
    elif intent.action in ("ADB_KEYBOARD_SMART_ENTER", "ADB_KEYBOARD_EDITOR_CODE"):
        ui.enter()
    elif intent.action == "ADB_KEYBOARD_HIDE":
        ui.keyboard_hidden = True
    return _OK, "success"


def _switch_user(call: Call, args: list[str]) -> int:
    from device.handset.state.users import switch

    if not args or not switch(call.phone.sandbox, int(args[0])):
        call.err(f"Error: unknown user {args[0] if args else ''}")
        return 1
    return 0


def _current_user(call: Call, args: list[str]) -> int:
    from device.handset.state.users import users

    call.line(str(next((user.number for user in users(call.phone.sandbox) if user.active), 0)))
    return 0


def _nothing(call: Call, args: list[str]) -> int:
    return 0


_VERBS = {
    "start": _start, "start-activity": _start, "force-stop": _force_stop, "stop-app": _force_stop, "kill": _force_stop,
    "kill-all": _nothing, "broadcast": _broadcast, "startservice": _nothing, "start-service": _nothing,
    "start-foreground-service": _nothing, "stopservice": _nothing, "switch-user": _switch_user,
    "get-current-user": _current_user, "wait-for-broadcast-idle": _nothing,
}  # fmt: skip


@command("monkey", source="development/cmds/monkey/src/com/android/commands/monkey/Monkey.java", android="9-15")
def monkey(call: Call) -> int:
    """`-p PACKAGE -c android.intent.category.LAUNCHER 1`."""
    name = call.args[call.args.index("-p") + 1] if "-p" in call.args[:-1] else ""
    package = call.phone.packages.find(name)
    call.err(f"  bash arg: -p\n  bash arg: {name}")
    if package is None or not package.label:
        call.line("** No activities found to run, monkey aborted.")
        return 252
    call.phone.ui.launch(package.label)
    call.line("Events injected: 1\n## Network stats: elapsed time=21ms (0ms mobile, 0ms wifi, 21ms not connected)")
    return 0
