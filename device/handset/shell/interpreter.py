"""Runs scripts: expansion, redirection, pipes, and one simple command after the other.

After `external/mksh/src/eval.c` and `exec.c` (Android 9 to 15). The commands of a pipe run one after the other, each
with the whole output of the one before; what goes to the background outlives the script.
"""

import contextlib
import fnmatch
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from device.handset.shell.builtins import BUILTINS
from device.handset.shell.io import ERR, OUT, Io
from device.handset.shell.language import (
    Group,
    Pipeline,
    Redirect,
    Script,
    ShellSyntaxError,
    Simple,
    Step,
    Substitution,
    Text,
    Variable,
    Word,
    parse,
)
from device.handset.shell.registry import Call, ShellExit, commands
from device.handset.state.files import FileError

if TYPE_CHECKING:
    from device.handset.handset import Handset

NOT_FOUND, NOT_EXECUTABLE = 127, 126
_SH = "/system/bin/sh"
_BLANK = " \t\n"


DEFAULTS = {
    "PATH": "/product/bin:/apex/com.android.runtime/bin:/system/bin:/system/xbin:/vendor/bin",
    "HOME": "/",
    "USER": "shell",
    "LOGNAME": "shell",
    "SHELL": "/bin/sh",
    "ANDROID_ROOT": "/system",
    "ANDROID_DATA": "/data",
    "EXTERNAL_STORAGE": "/sdcard",
    "TMPDIR": "/data/local/tmp",
    "IFS": " \t\n",
}


@dataclass(slots=True)
class Shell:
    """The state of one running shell."""

    phone: "Handset"
    """Where it runs."""
    variables: dict[str, str] = field(default_factory=lambda: dict(DEFAULTS))
    """Environment and variables."""
    directory: str = "/"
    """Working directory."""
    status: int = 0
    """`$?`."""

    def copy(self) -> "Shell":
        """For a subshell."""
        return Shell(self.phone, dict(self.variables), self.directory, self.status)


async def run_script(phone: "Handset", text: str, io: Io) -> int:
    """Run a script to its end and send all that it wrote; the exit status."""
    status = await _run_text(Shell(phone), text, io)
    await io.flush()
    return status


async def _run_text(shell: Shell, text: str, io: Io) -> int:
    try:
        script = parse(text)
    except (ShellSyntaxError, RecursionError) as error:
        io.write(ERR, f"{_SH}: {error}\n")
        return 1
    try:
        return await run_list(shell, script, io)
    except ShellExit as leaving:
        return leaving.status


async def interactive(phone: "Handset", io: Io, terminal: bool) -> int:
    """`adb shell` without a command: lines are run as they come. A terminal sees a prompt and what it types."""
    shell = Shell(phone)
    held = ""

    async def show(text: str) -> None:
        if terminal:
            io.pieces = [(fd, data.replace(b"\n", b"\r\n")) for fd, data in io.pieces]
            io.write(OUT, text)
        await io.flush()

    await show(phone.profile.prompt)
    while data := await io.read():
        typed = data.decode(errors="surrogateescape").replace("\r", "\n")
        await show(typed.replace("\n", "\r\n"))
        held += typed
        while "\n" in held:
            text, _, held = held.partition("\n")
            if text.strip() == "exit":
                return shell.status
            shell.status = await _run_text(shell, text, io)
            await show(phone.profile.prompt)
        if "\x04" in held:
            break
    return shell.status


async def run_list(shell: Shell, script: Script, io: Io) -> int:
    """Run the steps whose operators allow it."""
    for step in script.steps:
        if (step.operator == "&&" and shell.status != 0) or (step.operator == "||" and shell.status == 0):
            continue
        if step.background:
            _in_background(shell, step)
            shell.status = 0
        else:
            shell.status = await _pipeline(shell, step.pipeline, io)
    return shell.status


def _in_background(shell: Shell, step: Step) -> None:
    async def run() -> None:
        with contextlib.suppress(ShellExit):
            await _pipeline(shell.copy(), step.pipeline, Io.holding(b""))

    shell.phone.spawn(run())


async def _pipeline(shell: Shell, line: Pipeline, io: Io) -> int:
    status, source = 0, io
    for index, command in enumerate(line.commands):
        last = index == len(line.commands) - 1
        if last and source is io:
            status = await _command(shell, command, io)
            break
        own = source if source is not io else _sharing_input(io)
        status = await _command(shell if last else shell.copy(), command, own)
        if last:
            io.pieces += own.pieces
        else:
            source = Io.holding(own.taken(OUT))
            io.pieces += own.pieces
    return int(status == 0) if line.negated else status


def _sharing_input(io: Io) -> Io:
    """Streams that read where `io` reads and keep their own output."""
    own = Io()
    own._input, own._ended, own._arrived = io._input, io._ended, io._arrived
    return own


async def _command(shell: Shell, command: Simple | Group, io: Io) -> int:
    if not command.redirects:
        return await _bare(shell, command, io)
    inner = io
    try:
        for redirect in command.redirects:
            if redirect.kind == "<":
                path = await _one(shell, redirect.target, io)
                inner = Io.holding(shell.phone.files.read(shell.phone.files.resolve(path, shell.directory)))
        if inner is io:
            inner = _sharing_input(io)
        status = await _bare(shell, command, inner)
        await _deliver(shell, command.redirects, inner, io)
    except FileError as error:
        io.write(ERR, f"{_SH}: {error}\n")
        return 1
    return status


async def _deliver(shell: Shell, redirects: list[Redirect], inner: Io, io: Io) -> None:
    """Send each output where the redirections say."""
    targets: dict[int, int | bytearray] = {OUT: OUT, ERR: ERR}
    files: list[tuple[str, bool, bytearray]] = []
    for redirect in redirects:
        if redirect.kind == "<":
            continue
        name = await _one(shell, redirect.target, io)
        if redirect.kind == ">&" and name.isdigit():
            targets[redirect.fd] = targets.get(int(name), OUT)
            continue
        held = bytearray()
        targets[redirect.fd] = held
        if redirect.kind == ">&":
            targets[ERR] = held
        files.append((shell.phone.files.resolve(name, shell.directory), redirect.kind == ">>", held))
    for fd, data in inner.pieces:
        target = targets[fd]
        if isinstance(target, bytearray):
            target += data
        else:
            io.write(target, data)
    inner.pieces = []
    for path, append, held in files:
        before = shell.phone.files.read(path) if append and shell.phone.files.stat(path) else b""
        shell.phone.files.write(path, before + bytes(held))


async def _bare(shell: Shell, command: Simple | Group, io: Io) -> int:
    if isinstance(command, Group):
        inner = shell.copy() if command.subshell else shell
        try:
            return await run_list(inner, command.script, io)
        except ShellExit as leaving:
            if not command.subshell:
                raise
            return leaving.status
    words = [text for word in command.words for text in await _expand(shell, word, io)]
    values = {name: await _one(shell, word, io) for name, word in command.assignments}
    if not words:
        shell.variables.update(values)
        return shell.status if not values else 0
    scope = shell
    if values:
        scope = shell.copy()
        scope.variables.update(values)
    return await run_words(scope, words, io)


async def run_words(shell: Shell, words: list[str], io: Io) -> int:
    """Run one command that is expanded already."""
    shell.phone.note_command(words)
    name = words[0]
    builtin = BUILTINS.get(name)
    if builtin is not None:
        result = builtin(Call(shell, io, name, words[1:]))
        return await result if isinstance(result, Awaitable) else result or 0
    known = commands().get(name.rpartition("/")[2] if name.startswith(("/system/", "/bin/", "/apex/")) else name)
    if known is None:
        there = "/" in name and shell.phone.files.stat(shell.phone.files.resolve(name, shell.directory)) is not None
        io.write(
            ERR, f"{_SH}: {name}: {'cannot execute: Permission denied' if there else 'inaccessible or not found'}\n"
        )
        return NOT_EXECUTABLE if there else NOT_FOUND
    try:
        outcome = known.function(Call(shell, io, known.name, words[1:]))
        status = await outcome if isinstance(outcome, Awaitable) else outcome
    except FileError as error:
        io.write(ERR, f"{known.name}: {error}\n")
        return 1
    return status or 0


async def _expand(shell: Shell, word: Word, io: Io) -> list[str]:
    """The fields that a word becomes: substitution, splitting, patterns."""
    fields: list[list[tuple[str, bool]]] = [[]]
    for index, part in enumerate(word):
        if isinstance(part, Text):
            value, quoted = part.value, part.quoted
            if index == 0 and not quoted and value.startswith("~") and value[1:2] in ("", "/"):
                value = shell.variables.get("HOME", "/").rstrip("/") + value[1:] or "/"
            fields[-1].append((value, quoted))
            continue
        value = await _value(shell, part, io)
        if part.quoted:
            fields[-1].append((value, True))
            continue
        pieces = value.split()
        if value[:1] in _BLANK and value[:1] and fields[-1]:
            fields.append([])
        for number, piece in enumerate(pieces):
            if number:
                fields.append([])
            fields[-1].append((piece, False))
        if pieces and value[-1:] in _BLANK:
            fields.append([])
    return [text for parts in fields if parts for text in _globbed(shell, parts)]


def _globbed(shell: Shell, parts: list[tuple[str, bool]]) -> list[str]:
    text = "".join(value for value, _ in parts)
    if not any(not quoted and any(mark in value for mark in "*?[") for value, quoted in parts):
        return [text]
    pattern = "".join("".join(f"[{c}]" if c in "*?[" else c for c in v) if q else v for v, q in parts)
    folder, _, name = shell.phone.files.resolve(pattern, shell.directory).rpartition("/")
    found = sorted(e.name for e in shell.phone.files.entries(folder or "/") if fnmatch.fnmatchcase(e.name, name))
    shown = pattern.rpartition("/")[0]
    head = shown + "/" if "/" in pattern else ""
    return [head + match for match in found if not match.startswith(".") or name.startswith(".")] or [text]


async def _one(shell: Shell, word: Word, io: Io) -> str:
    """A word as one text: no splitting and no patterns."""
    return "".join([p.value if isinstance(p, Text) else await _value(shell, p, io) for p in word])


async def _value(shell: Shell, part: Variable | Substitution, io: Io) -> str:
    if isinstance(part, Substitution):
        inner, own = shell.copy(), Io.holding(b"")
        try:
            shell.status = await run_list(inner, part.script, own)
        except ShellExit as leaving:
            shell.status = leaving.status
        text = own.taken(OUT).decode(errors="surrogateescape")
        io.pieces += own.pieces
        return text.rstrip("\n")
    if part.name == "?":
        return str(shell.status)
    value = {"$": "4242", "#": "0", "0": "sh"}.get(part.name, shell.variables.get(part.name, ""))
    if not value and part.otherwise is not None:
        return part.otherwise
    return value
