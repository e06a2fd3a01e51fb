"""One line from the person at the terminal, so that Ctrl-C at the prompt ends the run and not the program."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

from rich.console import Console
from rich.text import Text

from runtime.contract import Deadline


def attended() -> bool:
    """Whether somebody can be asked: standard input is a terminal."""
    return sys.stdin.isatty()


def ask_line(console: Console, prompt: str, deadline: Deadline) -> str | None:
    """The typed line; None without a terminal, at its end, or at Ctrl-C (which also cancels `deadline`)."""
    if not attended():
        return None
    try:
        with _interruptible():
            console.print(Text(prompt, style="bold"), end="")
            return input()
    except EOFError:
        return None
    except KeyboardInterrupt:
        deadline.cancel.cancel()
        return None


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C raise inside the block: a cooperative handler would leave `input` waiting."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
