"""Going on with a run that was broken off: what it had done, and the context as it stood.

    trace: view, segments, steps, intent -> Earlier -> context: the same tools, every step as it was shown
                                                    -> the intent: each call is looked up by its key before it is run

1. What was acknowledged is in a step and is not done again.
2. What was under way is the intent, a decision that was written down before its first call. A provider that remembers
   keys says what came of each call; where it remembers none, a read is run again, and a write is said to be unknown:
   the planner reads the state before it repeats anything (executor.py).
3. What came before is a segment of its own, and so is what follows: a planner has to read all of it anew.
"""

from collections.abc import Sequence

from runtime.assemble import Assembler
from runtime.context import Context
from runtime.contract import Deadline, Step, ToolSpec, UserError
from runtime.executor import Executor
from runtime.trace.earlier import Earlier

REASON = "resume"
"""Of the segment that follows."""


def laid(earlier: Earlier, assembler: Assembler, offered: Sequence[ToolSpec], deadline: Deadline) -> Context:
    """The context up to the planner's first word, with the tools that it showed then, whatever recall says today."""
    task = earlier.view
    context = assembler.begin(task, offered, deadline)
    shown = earlier.segments[0].exposed if earlier.segments else ()
    if not shown or {tool.name for tool in context.exposed} == set(shown):
        return context
    known = {tool.name: tool for tool in (*offered, *(task.tools or ()))}
    if gone := [name for name in shown if name not in known]:
        raise UserError(f"the run `{earlier.id}` was shown the tool `{gone[0]}`, which is not on offer now. Offer it.")
    update = {"tools": tuple(known[name] for name in shown),
              "budget": task.budget.model_copy(update={"tools": len(shown)})}  # fmt: skip
    return assembler.begin(task.model_copy(update=update), offered, deadline)


def repeat(context: Context, executor: Executor, run: str, steps: Sequence[Step], unavailable: frozenset[str]) -> None:
    """Append every step of a run to a fresh context as it was shown, with the tools that were opened on the way."""
    for step in steps:
        executor.remind(run, step.observations)
        _, opened = executor.opened(step.observations, unavailable)
        context.repeat(step.decision, step.observations, opened)
