"""Who answers when the planner asks: a person at the terminal, a script, or nobody."""

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from runtime.contract import Deadline, User
from runtime.terminal import ask_line
from runtime.visible import visible


class NoUser(User):
    """Nobody is there: a question ends the episode as `asked`."""

    def answer(self, question: str, deadline: Deadline) -> str | None:
        """None."""
        return None


class ScriptedUser(User):
    """Gives the answers of a list, then none: for evaluation and training."""

    def __init__(self, answers: Iterable[str]) -> None:
        self._answers = iter(tuple(answers))

    def answer(self, question: str, deadline: Deadline) -> str | None:
        """The next answer."""
        return next(self._answers, None)


class InteractiveUser(User):
    """The person at the terminal; an empty line, no terminal or Ctrl-C is no answer."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def answer(self, question: str, deadline: Deadline) -> str | None:
        """Show the question, read one line."""
        self.console.print(Text(visible(question) or "What is missing?", style="cyan"))
        reply = ask_line(self.console, "> ", deadline)
        return reply.strip() or None if reply else None
