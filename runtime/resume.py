"""Going on with a run that was broken off: what it had done, and the context as it stood.

    trace: view, segments, steps, intent -> Earlier -> context: the same prefix, every step as it was shown
                                                    -> the intent: each call is looked up by its key before it is run

1. What was acknowledged is in a step and is not done again.
2. What was under way is the intent, a decision that was written down before its first call. A provider that remembers
   keys says what came of each call; where it remembers none, a read is run again, and a write is said to be unknown:
   the planner reads the state before it repeats anything (executor.py).
3. What came before is a segment of its own, and so is what follows: a planner has to read all of it anew.
"""

from collections.abc import Sequence

from runtime.context import Context
from runtime.contract import Step
from runtime.executor import Executor

REASON = "resume"
"""Of the segment that follows."""


def repeat(context: Context, executor: Executor, run: str, steps: Sequence[Step], unavailable: frozenset[str]) -> None:
    """Append every step of a run to a fresh context as it was shown, with the tools that were opened on the way."""
    for step in steps:
        executor.remind(run, step.observations)
        _, opened = executor.opened(step.observations, unavailable)
        context.repeat(step.decision, step.observations, opened)
