"""Who answers a confirmation: a person at the terminal, `--yes` for what can be mended, a fixed rule for evaluation."""

from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from runtime.contract import Approver, Confirm, Deadline, Effect
from runtime.guard.policy import Policy, Scope
from runtime.guard.rules import NEVER_BY_DEFAULT, Verdict, beforehand
from runtime.terminal import ask_line, attended
from runtime.visible import visible


class AllowAll(Approver):
    """Says yes: for tests and evaluation, on phones where nothing real is at stake."""

    def approve(self, question: Confirm, deadline: Deadline) -> bool:
        """Always true."""
        return True


class DenyAll(Approver):
    """Says no: where nobody can be asked."""

    def approve(self, question: Confirm, deadline: Deadline) -> bool:
        """Always false."""
        return False


class AgreeBeforehand(Approver):
    """`--yes`: a yes to what can be mended. What pays, deletes, grants or installs is asked of `then` all the same."""

    def __init__(self, then: Approver) -> None:
        self.then = then

    @property
    def unasked(self) -> bool:
        """Whether the one behind could ask nobody."""
        return self.then.unasked

    def approve(self, question: Confirm, deadline: Deadline) -> bool:
        """Yes, or what the one behind says."""
        grave = NEVER_BY_DEFAULT.intersection(map(Effect, question.effects))
        return self.then.approve(question, deadline) if grave else True


@dataclass(frozen=True)
class Answer:
    """What one of the letters means."""

    verdict: Verdict
    """Yes or no."""
    scope: Scope = Scope.ONCE
    """For how long."""


ANSWERS = {
    "y": Answer(Verdict.ALLOW),
    "yes": Answer(Verdict.ALLOW),
    "t": Answer(Verdict.ALLOW, Scope.REQUEST),
    "a": Answer(Verdict.ALLOW, Scope.ALWAYS),
    "never": Answer(Verdict.DENY, Scope.ALWAYS),
}
"""Every other word is a no to this one call."""
LEGEND = "y: this once; t: {request}; a: always, exactly this call; never: refuse this call for good; else no"
NOBODY = "no terminal to ask at, so the answer is no; to agree beforehand: {command}"


class InteractiveApprover(Approver):
    """Asks the person at the terminal. No terminal, no answer or Ctrl-C is a no, and so is every unknown word.

    With a `policy` an answer may hold longer than once; the legend says what it would cover.
    """

    unasked: bool = False
    """Whether nobody could be asked the last time."""

    def __init__(self, console: Console, policy: Policy | None = None) -> None:
        self.console, self.policy = console, policy

    def approve(self, question: Confirm, deadline: Deadline) -> bool:
        """Show the facts, read one line; without a terminal, say what would have agreed."""
        self.console.print(Text(visible(question.facts), style="yellow"))
        self.unasked = not attended()
        if self.unasked:
            command = beforehand(question.call.name, question.effects)
            self.console.print(Text(visible(NOBODY.format(command=command)), style="dim"))
            return False
        if self.policy is None:
            reply = ask_line(self.console, "May it? [y/N] ", deadline)
            return (reply or "").strip().lower() in {"y", "yes"}
        self.console.print(Text(LEGEND.format(request=until_done(question)), style="dim"))
        reply = ask_line(self.console, "May it? [y/t/a/never/N] ", deadline)
        answer = ANSWERS.get((reply or "").strip().lower(), Answer(Verdict.DENY))
        self.policy.keep(question, answer.scope, answer.verdict)
        return answer.verdict is Verdict.ALLOW


def until_done(question: Confirm) -> str:
    """What "until this request is done" covers."""
    if Effect.PAY in question.effects:
        return "exactly this call, until this request is done"
    action = question.call.arguments.get("action")
    how = f" with action {visible(str(action))}" if action is not None else ""
    return f"every `{question.call.name}`{how}, until this request is done"
