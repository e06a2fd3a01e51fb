"""What the shell does itself, after `external/mksh/src/funcs.c` and `misc.c` (Android 9 to 15)."""

import asyncio
import re
from collections.abc import Awaitable, Callable

from device.handset.shell.registry import Call, ShellExit, commands

Builtin = Callable[[Call], "int | Awaitable[int] | None"]


def _cd(call: Call) -> int:
    target = call.phone.files.resolve(call.arg(0, "/"), call.shell.directory)
    entry = call.phone.files.stat(target)
    if entry is None or not entry.folder:
        why = "No such file or directory" if entry is None else "Not a directory"
        call.err(f"/system/bin/sh: cd: {call.arg(0)}: {why}")
        return 2
    call.shell.directory = target
    return 0


def _exit(call: Call) -> int:
    raise ShellExit(int(call.arg(0)) & 0xFF if call.arg(0).isdigit() else call.shell.status)


def _export(call: Call) -> None:
    for item in call.args:
        name, mark, value = item.partition("=")
        if mark:
            call.shell.variables[name] = value


def _unset(call: Call) -> None:
    for name in call.args:
        call.shell.variables.pop(name, None)


def _echo(call: Call) -> None:
    args = call.args
    newline, escapes = True, True
    while args and re.fullmatch(r"-[neE]+", args[0]):
        newline = newline and "n" not in args[0]
        escapes = "E" not in args[0]
        args = args[1:]
    text = " ".join(args)
    call.out((_unescaped(text) if escapes else text) + ("\n" if newline else ""))


def _unescaped(text: str) -> str:
    """Backslashes as mksh's echo and printf read them."""
    known = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", "e": "\x1b"}
    return re.sub(r"\\([ntrabfv\\e])", lambda found: known[found[1]], text)


def _printf(call: Call) -> int:
    if not call.args:
        call.err("printf: missing operand")
        return 1
    form, values = _unescaped(call.args[0]), call.args[1:]
    while True:
        used = 0

        def fill(found: re.Match[str], given: list[str] = values) -> str:
            nonlocal used
            kind = found[2]
            if kind == "%":
                return "%"
            value = given[used] if used < len(given) else ""
            used += 1
            if kind in "dux":
                return f"%{found[1]}{kind}" % int(value or "0")
            return f"%{found[1]}s" % (_unescaped(value) if kind == "b" else value)

        call.out(re.sub(r"%([-0-9.]*)([sbduxc%])", fill, form))
        values = values[used:]
        if not values or not used:
            return 0


def _test(call: Call) -> int:
    args = call.args
    if call.name == "[":
        if not args or args[-1] != "]":
            call.err("/system/bin/sh: [: missing ]")
            return 2
        args = args[:-1]
    negated = bool(args) and args[0] == "!"
    truth = _truth(call, args[1:] if negated else args)
    return int(truth == negated)


def _truth(call: Call, args: list[str]) -> bool:
    if len(args) == 1:
        return bool(args[0])
    if len(args) == 2:
        if args[0] in ("-z", "-n"):
            return bool(args[1]) == (args[0] == "-n")
        entry = call.phone.files.stat(call.phone.files.resolve(args[1], call.shell.directory))
        checks = {"-e": entry is not None, "-f": bool(entry and not entry.folder), "-d": bool(entry and entry.folder)}
        checks |= {"-s": bool(entry and entry.size), "-r": entry is not None, "-w": entry is not None}
        return checks.get(args[0], False)
    if len(args) == 3:
        left, operator, right = args
        if operator in ("=", "=="):
            return left == right
        if operator == "!=":
            return left != right
        numbers = {"-eq": 0, "-ne": 1, "-lt": 2, "-le": 3, "-gt": 4, "-ge": 5}
        a, b = int(left or 0), int(right or 0)
        return (a == b, a != b, a < b, a <= b, a > b, a >= b)[numbers[operator]]
    return False


async def _sleep(call: Call) -> int:
    await call.io.flush()
    await asyncio.sleep(float(call.arg(0, "0").rstrip("s")))
    return 0


async def _eval(call: Call) -> int:
    from device.handset.shell.interpreter import run_list
    from device.handset.shell.language import parse

    return await run_list(call.shell, parse(" ".join(call.args)), call.io)


async def _command(call: Call) -> int:
    """`command -v NAME`, or NAME without functions."""
    from device.handset.shell.interpreter import run_words

    if call.arg(0) in ("-v", "-V"):
        return _which(call, call.args[1:])
    return await run_words(call.shell, call.args, call.io) if call.args else 0


def _which(call: Call, names: list[str]) -> int:
    found = 0
    for name in names:
        if name in BUILTINS:
            call.line(name)
        elif name in commands():
            call.line(f"/system/bin/{name}")
        else:
            found = 1
    return found


async def _sh(call: Call) -> int:
    """`sh -c SCRIPT`."""
    from device.handset.shell.interpreter import Shell, run_list
    from device.handset.shell.language import parse

    script = call.arg(1) if call.arg(0) == "-c" else (await call.io.read_all()).decode(errors="surrogateescape")
    shell = Shell(call.phone, dict(call.shell.variables), call.shell.directory)
    try:
        return await run_list(shell, parse(script), call.io)
    except ShellExit as leaving:
        return leaving.status


BUILTINS: dict[str, Builtin] = {
    ":": lambda call: 0,
    "true": lambda call: 0,
    "false": lambda call: 1,
    "cd": _cd,
    "exit": _exit,
    "export": _export,
    "unset": _unset,
    "set": lambda call: 0,
    "wait": lambda call: 0,
    "umask": lambda call: 0,
    "pwd": lambda call: call.line(call.shell.directory),
    "echo": _echo,
    "printf": _printf,
    "test": _test,
    "[": _test,
    "sleep": _sleep,
    "eval": _eval,
    "exec": _command,
    "command": _command,
    "which": lambda call: _which(call, call.args),
    "sh": _sh,
    "/system/bin/sh": _sh,
}
"""By name."""
