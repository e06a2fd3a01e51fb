"""An episode without recall, guard and trace: an agent on a phone, for admission.

Every tool of the phone is exposed, results are shown as the runtime shows them (cut at the same length), and the record
that comes out is an `Episode` like any other, for the same verifier.
"""

from collections.abc import Sequence

from runtime.contract import (
    Ask,
    ContextPiece,
    Deadline,
    Decision,
    Episode,
    Finish,
    Json,
    Observation,
    Phone,
    Planner,
    Refuse,
    Segment,
    StateDiff,
    Step,
    Stop,
    TaskSpec,
    ToolCall,
    ToolSpec,
)
from runtime.shown import text_of_observation, with_text

RESULT_CHARS = 1200
"""Characters of a result that a planner is shown, as in the runtime's default."""
END: dict[type, Stop] = {Finish: Stop.FINISHED, Refuse: Stop.REFUSED, Ask: Stop.ASKED}
"""Which action ends as what."""


class Stage:
    """What an agent sees: the tools and the results (a `ContextView` without text)."""

    text = ""
    pieces: Sequence[ContextPiece] = ()
    static_pieces = 0
    segment = 0

    def __init__(self, exposed: Sequence[ToolSpec], request: str) -> None:
        self.exposed = exposed
        self.messages: list[Json] = [{"role": "user", "content": request}]

    def show(self, seen: Observation) -> Observation:
        """Append a result, cut as the runtime cuts it."""
        cut = with_text(seen, RESULT_CHARS)
        self.messages.append({"role": "tool", "tool_call_id": seen.call_id, "content": text_of_observation(cut)})
        return cut


def rehearse(task: TaskSpec, agent: Planner, phone: Phone) -> tuple[Episode, StateDiff]:
    """The episode of an agent on a task, and what it changed; the phone is reset first."""
    phone.reset(task.world)
    start = phone.snapshot()
    exposed = [tool for tool in phone.tools() if tool.name not in task.view.unavailable]
    stage = Stage(exposed, task.view.request)
    steps: list[Step] = []
    stop = Stop.BUDGET
    while len(steps) < task.view.budget.steps:
        decision = agent.decide(stage, Deadline.never())
        steps.append(Step(index=len(steps), decision=decision, observations=_apply(decision, stage, phone)))
        if (end := END.get(type(decision.actions[-1]))) is not None:
            stop = end
            break
    segment = Segment(prefix="", exposed=tuple(tool.name for tool in exposed), steps=tuple(steps))
    return Episode(
        id=f"rehearsal:{task.id}", task_id=task.id, view=task.view, segments=(segment,), stop=stop
    ), phone.diff(start)


def _apply(decision: Decision, stage: Stage, phone: Phone) -> tuple[Observation, ...]:
    names = {tool.name for tool in stage.exposed}
    seen: list[Observation] = []
    for action in decision.actions:
        if isinstance(action, ToolCall) and action.name in names:
            key = f"rehearsal:{action.id}"
            seen.append(stage.show(phone.execute(action, Deadline.never(), key)))
    return tuple(seen)
