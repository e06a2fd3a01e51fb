"""The named ways in which an episode ends, checked in this order before every step.

cancelled | finished, asked, refused (the planner's own word) | stuck | budget (steps, tokens, seconds, window).
`infrastructure` is the seventh: the loop itself sets it when a phone or a model fails to answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.context import Context
from runtime.contract import (
    Ask,
    Budget,
    Deadline,
    Decision,
    Finish,
    InfrastructureError,
    ParseError,
    Refuse,
    Step,
    Stop,
)
from runtime.stuck import stuck

CANCELLED = "the run was cancelled"
TIME_OVER = "the time is over"


@dataclass(frozen=True, slots=True)
class Ending:
    """Why an episode is over."""

    stop: Stop
    """Its name."""
    detail: str = ""
    """Which limit with its value, which loop, which failure; the planner's word where it ended by its own."""


def ending(steps: Sequence[Step], context: Context, budget: Budget, deadline: Deadline) -> Ending | None:
    """The first reason that holds, or None."""
    if deadline.cancel.cancelled:
        return Ending(Stop.CANCELLED, CANCELLED)
    if not steps:
        return _exhausted(steps, context, budget, deadline)
    if (word := _planners_word(steps[-1])) is not None:
        return word
    if (loop := stuck(steps)) is not None:
        return Ending(Stop.STUCK, loop)
    return _exhausted(steps, context, budget, deadline)


def broken(error: InfrastructureError, deadline: Deadline) -> Ending:
    """What ends an episode whose phone or model failed: the failure, or the cancel that broke its call off."""
    if deadline.cancel.cancelled:
        return Ending(Stop.CANCELLED, CANCELLED)
    return Ending(Stop.INFRASTRUCTURE, str(error))


def broken_off(decision: Decision, deadline: Deadline) -> bool:
    """Whether a cancel cut this decision off before it was one: nothing that the planner chose."""
    return deadline.cancel.cancelled and all(isinstance(action, ParseError) for action in decision.actions)


def _planners_word(step: Step) -> Ending | None:
    """Finish, refuse, or a question that nobody answered."""
    last = step.decision.actions[-1]
    if isinstance(last, Finish):
        return Ending(Stop.FINISHED, last.answer)
    if isinstance(last, Refuse):
        return Ending(Stop.REFUSED, last.reason)
    if isinstance(last, Ask) and not step.observations:
        return Ending(Stop.ASKED, last.question)
    return None


def _exhausted(steps: Sequence[Step], context: Context, budget: Budget, deadline: Deadline) -> Ending | None:
    spent = sum(step.decision.usage.output_tokens for step in steps)
    if len(steps) >= budget.steps:
        return Ending(Stop.BUDGET, f"{len(steps)} steps; the limit is {budget.steps} (`budget.steps`)")
    if spent >= budget.output_tokens:
        limit = f"the limit is {budget.output_tokens} (`budget.output_tokens`)"
        return Ending(Stop.BUDGET, f"{spent} output tokens; {limit}")
    if deadline.expired:
        return Ending(Stop.BUDGET, f"{TIME_OVER} (`budget.seconds` = {budget.seconds:g})")
    if context.full or context.room < 0:
        limit = f"`planner.context_tokens` = {context.window}"
        return Ending(Stop.BUDGET, f"the context has {context.tokens} tokens; no room for another decision ({limit})")
    return None
