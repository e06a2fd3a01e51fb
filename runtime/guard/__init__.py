"""Decides outside the model whether a call may run: what can't be taken back is asked about first.

call, its tool's specification -> effects.py: which effects? -> rules.py: a rule of the user? (book.py, policy.py)
                               -> approvers.py: who answers, and for how long
"""

from runtime.guard.approvers import AgreeBeforehand, AllowAll, DenyAll, InteractiveApprover
from runtime.guard.book import RuleBook
from runtime.guard.effects import ASKED, EffectGuard, facts_of
from runtime.guard.policy import Policy, Scope
from runtime.guard.rules import NEVER_BY_DEFAULT, Rule, Verdict, beforehand, pin_of

__all__ = [
    "ASKED",
    "NEVER_BY_DEFAULT",
    "AgreeBeforehand",
    "AllowAll",
    "DenyAll",
    "EffectGuard",
    "InteractiveApprover",
    "Policy",
    "Rule",
    "RuleBook",
    "Scope",
    "Verdict",
    "beforehand",
    "facts_of",
    "pin_of",
]
