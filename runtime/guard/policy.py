"""What a user agreed to, and for how long: the book's rules, and those of the request in hand.

    call -> rule? -> deny: refused | allow: runs | ask, or a grave effect without a rule: the approver is asked
         -> the answer: once | until this request is done | always, exactly this call | never this call

`new_request` ends what was agreed to for a request. What "until this request" covers is said before it is answered.
"""

from enum import StrEnum

from runtime.contract import Confirm, ToolCall, ToolSpec
from runtime.guard.book import RuleBook
from runtime.guard.rules import Rule, Verdict, decided, exactly, for_the_request


class Scope(StrEnum):
    """For how long an answer holds."""

    ONCE = "once"
    REQUEST = "task"
    ALWAYS = "always"


class Policy:
    """The rules in force for one request after another."""

    def __init__(self, book: RuleBook | None = None) -> None:
        self.book = book or RuleBook()
        self._request: list[Rule] = []

    def new_request(self) -> None:
        """Another request begins: what was agreed to for the last one is over."""
        self._request.clear()

    def rule(self, call: ToolCall, spec: ToolSpec) -> Rule | None:
        """The rule that counts for a call."""
        return decided([*self.book.rules(), *self._request], call, spec)

    def keep(self, question: Confirm, scope: Scope, verdict: Verdict = Verdict.ALLOW) -> None:
        """Remember an answer for its scope; `always` is for exactly this call."""
        if scope is Scope.REQUEST:
            self._request.append(for_the_request(question))
        elif scope is Scope.ALWAYS:
            self.book.add(exactly(question, verdict))
