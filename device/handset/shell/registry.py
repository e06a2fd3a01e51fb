"""Commands by name, each beside the AOSP source whose output it follows.

A module of this package defines commands with `@command("getprop", source="system/core/...", android="9-15")`; all
modules are imported when the first command is looked up.
"""

import importlib
import pkgutil
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from device.handset.shell.io import ERR, OUT, Io

if TYPE_CHECKING:
    from device.handset.handset import Handset
    from device.handset.shell.interpreter import Shell


class ShellExit(Exception):  # noqa: N818 - an event
    """`exit`."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Call:
    """One run of a command."""

    __slots__ = ("args", "io", "name", "shell")

    def __init__(self, shell: "Shell", io: Io, name: str, args: Sequence[str]) -> None:
        self.shell = shell
        self.io = io
        self.name = name
        self.args = list(args)

    @property
    def phone(self) -> "Handset":
        """The phone."""
        return self.shell.phone

    def out(self, text: str | bytes) -> None:
        """Write to standard output."""
        self.io.write(OUT, text)

    def line(self, text: str = "") -> None:
        """Write a line to standard output."""
        self.io.write(OUT, text + "\n")

    def err(self, text: str) -> None:
        """Write a line to standard error."""
        self.io.write(ERR, text + "\n")

    def arg(self, index: int, default: str = "") -> str:
        """An argument, or the default."""
        return self.args[index] if index < len(self.args) else default


Function = Callable[[Call], "int | Awaitable[int | None] | None"]


@dataclass(frozen=True, slots=True)
class Command:
    """One command of the phone."""

    name: str
    """As it is called."""
    function: Function
    """What it does; None counts as status 0."""
    source: str
    """File of AOSP whose output it follows."""
    android: str
    """Versions of Android in which it is like this."""


_COMMANDS: dict[str, Command] = {}


def command(*names: str, source: str, android: str = "9-15") -> Callable[[Function], Function]:
    """Register a command under its names."""

    def register(function: Function) -> Function:
        for name in names:
            _COMMANDS[name] = Command(name, function, source, android)
        return function

    return register


@lru_cache(maxsize=1)
def commands() -> dict[str, Command]:
    """Every command."""
    package = importlib.import_module("device.handset.shell")
    for module in pkgutil.iter_modules(package.__path__, prefix="device.handset.shell."):
        importlib.import_module(module.name)
    return dict(sorted(_COMMANDS.items()))
