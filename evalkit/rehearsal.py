"""An episode without recall, guard and trace: an agent on a phone, for admission.

Every tool of the phone is exposed (of a whole one, those of memory and Skills too: whole.py), results are shown as the
runtime shows them, and the record that comes out is an `Episode` like any other, for the same verifier. A question is
answered from the task's script.
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
    TextPart,
    ToolCall,
    ToolSpec,
    User,
)
from runtime.shown import text_of_observation, with_text
from runtime.users import ScriptedUser

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

    def hear(self, answer: str) -> Observation:
        """Append what the user answers to a question."""
        self.messages.append({"role": "user", "content": answer})
        return Observation(call_id="", parts=(TextPart(text=answer),))


def rehearse(task: TaskSpec, agent: Planner, phone: Phone) -> tuple[Episode, StateDiff]:
    """The episode of an agent on a task, and what it changed; the phone is reset first."""
    phone.reset(task.world)
    start = phone.snapshot()
    offered = [tool for tool in phone.tools() if tool.name not in task.view.unavailable]
    stage, user = Stage(offered, task.view.request), ScriptedUser(task.policy.user_answers)
    steps: list[Step] = []
    stop = Stop.BUDGET
    while len(steps) < task.view.budget.steps:
        decision = agent.decide(stage, Deadline.never())
        seen = _apply(decision, stage, phone, user)
        steps.append(Step(index=len(steps), decision=decision, observations=seen))
        end = END.get(type(decision.actions[-1]))
        if end is not None and not (end is Stop.ASKED and seen):
            stop = end
            break
    segment = Segment(prefix="", exposed=tuple(tool.name for tool in offered), steps=tuple(steps))
    return Episode(
        id=f"rehearsal:{task.id}", task_id=task.id, view=task.view, segments=(segment,), stop=stop
    ), phone.diff(start)


def _apply(decision: Decision, stage: Stage, phone: Phone, user: User) -> tuple[Observation, ...]:
    names = {tool.name for tool in stage.exposed}
    seen: list[Observation] = []
    for action in decision.actions:
        if isinstance(action, ToolCall) and action.name in names:
            key = f"rehearsal:{action.id}"
            seen.append(stage.show(phone.execute(action, Deadline.never(), key)))
        elif isinstance(action, Ask) and (answer := user.answer(action.question, Deadline.never())) is not None:
            seen.append(stage.hear(answer))
    return tuple(seen)
