"""The guard by effects: pay, delete, install, grant and power-off wait for a clear yes.

A call's effects are those of its `action` where the tool tells them apart, so that asking for the alarms is never
confused with deleting one. What was remembered or read from a screen has no way in here: the guard sees the call and
the tool's specification alone.
"""

from collections.abc import Iterable

from runtime.contract import Approver, Confirm, Deadline, Effect, Guard, ToolCall, ToolSpec

ASKED: dict[Effect, str] = {
    Effect.PAY: "pay",
    Effect.DELETE: "delete",
    Effect.INSTALL: "install",
    Effect.GRANT: "grant access",
    Effect.POWER: "switch the phone off or restart it",
}
"""Effects that are asked about, and what they are called."""


class EffectGuard(Guard):
    """Asks `approver` before every call with an effect of `asked`."""

    def __init__(self, approver: Approver, asked: Iterable[Effect] = tuple(ASKED)) -> None:
        self.approver = approver
        self.asked = frozenset(asked)

    def check(self, call: ToolCall, spec: ToolSpec, deadline: Deadline) -> str | None:
        """None when nothing risky is in the call or a yes was given; otherwise why not."""
        risky = tuple(effect for effect in ASKED if effect in spec.effects_of(call.arguments) & self.asked)
        if not risky:
            return None
        question = Confirm(call=call, effects=tuple(map(str, risky)), facts=facts_of(call, risky))
        if self.approver.approve(question, deadline):
            return None
        return f"the user did not agree to this: {question.facts} Do not repeat it; finish or ask what to do instead."


def facts_of(call: ToolCall, risky: Iterable[Effect]) -> str:
    """What will happen, in one sentence with the values as the planner wrote them."""
    what = " and ".join(ASKED[effect] for effect in risky)
    values = ", ".join(f"{name} = {value!r}" for name, value in call.arguments.items())
    return f"`{call.name}` would {what}" + (f" ({values})." if values else ".")
