"""What the commands share: consoles, JSON output, options that mean the same everywhere."""

import json
import math
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from typing import Annotated, Any

import typer
from rich.console import Console

from runtime.contract import CancelToken, UserError

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")]
STOPPING = "pocket: stopping; Ctrl-C again breaks off at once."
WIDE = 200
"""Columns of a table that no terminal limits."""
SetOption = Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Any key of pocket.toml.")]


def out() -> Console:
    """For results."""
    return _unwrapped(Console(highlight=False))


def err() -> Console:
    """For questions and progress."""
    return _unwrapped(Console(stderr=True, highlight=False))


def _unwrapped(console: Console) -> Console:
    """Lines are folded for a terminal alone: a file or a pipe gets them whole."""
    if not console.is_terminal:
        console.soft_wrap = True
        console.width = WIDE
    return console


def print_json(value: Any) -> None:
    """One JSON value on standard output."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2, default=str)
    sys.stdout.write("\n")


def finite(value: float | None) -> float | None:
    """An option's number: `inf` passes every range without an upper end, and is no amount."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is no finite number.")
    return value


def output_file(path: Path) -> Path:
    """Where a result may be written, links followed; a device, a pipe or a data file of ours is a `UserError`."""
    from runtime.planner.settings import cache_folder, data_folder

    target = path.resolve()
    if target.exists() and not target.is_file():
        raise UserError(f"`{path}` is no regular file. Name a file, or leave it out for standard output.")
    for folder in (data_folder().resolve(), cache_folder().resolve()):
        if target.is_relative_to(folder):
            raise UserError(f"`{path}` lies in `{folder}`, among the files that `pocket` keeps. Name another place.")
    return target


@contextmanager
def interruptible(cancel: CancelToken) -> Iterator[None]:
    """The first Ctrl-C asks for an end, and says so; the second breaks off at once."""
    if current_thread() is not main_thread():
        yield
        return

    def handle(number: int, frame: Any) -> None:
        if cancel.cancelled:
            signal.default_int_handler(number, frame)
        cancel.cancel()
        # past `sys.stderr`, whose buffer may be in the middle of a write that this signal interrupted
        os.write(2, f"{os.linesep if os.isatty(2) else ''}{STOPPING}{os.linesep}".encode())

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
