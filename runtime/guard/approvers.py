"""Who answers a confirmation: a person at the terminal, or a fixed rule for evaluation."""

from rich.console import Console
from rich.text import Text

from runtime.contract import Approver, Confirm, Deadline
from runtime.terminal import ask_line
from runtime.visible import visible


class AllowAll(Approver):
    """Says yes: for tests, evaluation and `--yes`, on phones where nothing real is at stake."""

    def approve(self, question: Confirm, deadline: Deadline) -> bool:
        """Always true."""
        return True


class DenyAll(Approver):
    """Says no: where nobody can be asked."""

    def approve(self, question: Confirm, deadline: Deadline) -> bool:
        """Always false."""
        return False


class InteractiveApprover(Approver):
    """Asks the person at the terminal; only `y` or `yes` is a yes. No terminal, no answer or Ctrl-C is a no."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def approve(self, question: Confirm, deadline: Deadline) -> bool:
        """Show the facts, read one line."""
        self.console.print(Text(visible(question.facts), style="yellow"))
        reply = ask_line(self.console, "May it? [y/N] ", deadline)
        return (reply or "").strip().lower() in {"y", "yes"}
