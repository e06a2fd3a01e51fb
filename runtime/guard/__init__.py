"""Decides outside the model whether a call may run: what can't be taken back is asked about first."""

from runtime.guard.approvers import AllowAll, DenyAll, InteractiveApprover
from runtime.guard.effects import ASKED, EffectGuard, facts_of

__all__ = ["ASKED", "AllowAll", "DenyAll", "EffectGuard", "InteractiveApprover", "facts_of"]
