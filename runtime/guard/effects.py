"""The guard by effects: pay, delete, install, grant and power-off wait for a clear yes, or for the user's own rule.

A call's effects are those of its `action` where the tool tells them apart, so that asking for the alarms is never
confused with deleting one. What was remembered or read from a screen has no way in here: the guard sees the call and
the tool's specification alone.
"""

from collections.abc import Iterable

from runtime.contract import MCP_PREFIX, Approver, Confirm, Deadline, Effect, Guard, ToolCall, ToolSpec
from runtime.guard.policy import Policy
from runtime.guard.rules import Verdict, pin_of
from runtime.shown import cut_text

ASKED: dict[Effect, str] = {
    Effect.PAY: "pay",
    Effect.DELETE: "delete",
    Effect.INSTALL: "install",
    Effect.GRANT: "grant access",
    Effect.POWER: "switch the phone off or restart it",
}
"""Effects that are asked about, and what they are called."""


INSTEAD = "Do not repeat it; finish or ask what to do instead."
SHOWN = 160
"""Characters of one value in a question; a longer one is shown head and tail, with what was left out."""


class EffectGuard(Guard):
    """Asks `approver` before every call with an effect of `asked`, unless a rule of `policy` decides."""

    def __init__(
        self, approver: Approver, asked: Iterable[Effect] = tuple(ASKED), policy: Policy | None = None
    ) -> None:
        self.approver, self.policy = approver, policy
        self.asked = frozenset(asked)

    def check(self, call: ToolCall, spec: ToolSpec, deadline: Deadline) -> str | None:
        """None when nothing risky is in the call or a yes was given; otherwise why not."""
        effects = spec.effects_of(call.arguments)
        risky = tuple(effect for effect in ASKED if effect in effects & self.asked)
        rule = self.policy.rule(call, spec) if self.policy is not None else None
        if rule is None and not risky:
            return None
        named = risky or tuple(sorted(effects))
        facts = facts_of(call, named)
        if rule is not None and rule.verdict is Verdict.DENY:
            return f"a rule of the user (`{rule.id}`) forbids this: {facts} {INSTEAD}"
        if rule is not None and rule.verdict is Verdict.ALLOW:
            return None
        question = Confirm(call=call, effects=tuple(map(str, named)), facts=facts, tool=pin_of(spec))
        if self.approver.approve(question, deadline):
            return None
        said = "nobody could be asked about this" if self.approver.unasked else "the user did not agree to this"
        said = "it was broken off before anybody agreed to this" if deadline.cancel.cancelled else said
        return f"{said}: {facts} {INSTEAD}"


def facts_of(call: ToolCall, risky: Iterable[Effect]) -> str:
    """What will happen, in one sentence with the values as the planner wrote them; none of its words stand outside."""
    named = tuple(risky)
    what = " and ".join(ASKED.get(effect, str(effect)) for effect in named)
    if call.name.startswith(MCP_PREFIX):  # what a stranger's tool does is not known
        server = call.name.removeprefix(MCP_PREFIX).partition("__")[0]
        does = "only reads" if named == (Effect.READ,) else f"may change, send and {what}"
        what = f"be called on the MCP server `{server}`, where it {does}"
    values = ", ".join(f"{name} = {cut_text(repr(value), SHOWN)[0]}" for name, value in call.arguments.items())
    return f"`{call.name}` would {what}" + (f" ({values})." if values else ".")
