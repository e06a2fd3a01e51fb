"""The keyword agent: the top recalled tool, its slots filled by patterns. The floor that a trained planner must beat.

1. The tool is the first of the recall's order.
2. Each argument is filled by the patterns of its kind (`x-spoken`, enumeration, JSON type, or a text that a word of the
   argument's name introduces); an optional one that nothing fits is left out, a required one is asked for.
3. After a call that succeeded it finishes, after one that failed it refuses.
"""

import json
from collections.abc import Sequence

from runtime.contract import (
    Action,
    Ask,
    ContextView,
    Deadline,
    Decision,
    Finish,
    Refuse,
    ToolCall,
    ToolSpec,
)
from runtime.dialect import render_action
from runtime.planner.plain import ModelFree
from runtime.planner.slots import fill


class KeywordPlanner(ModelFree):
    """Chooses by recall order and patterns alone."""

    identity = "keyword@1"

    def decide(self, context: ContextView, deadline: Deadline) -> Decision:
        """One call, then finish or refuse."""
        action = self._after(context) or self._first(context)
        return Decision(actions=(action,), raw=render_action(action, context.exposed))

    def _after(self, context: ContextView) -> Action | None:
        """What follows a result; None before the first call."""
        last = context.messages[-1] if context.messages else {}
        if last.get("role") != "tool":
            return None
        content = str(last.get("content", ""))
        if content.startswith('{"error"'):
            return Refuse(reason=f"it did not work: {why(content)[:200]}")
        return Finish(answer=content[:200])

    def _first(self, context: ContextView) -> Action:
        """A call of the top recalled tool, or a question for what it lacks."""
        ranked: Sequence[ToolSpec] = getattr(context, "recalled", ()) or context.exposed
        if not ranked:
            return Refuse(reason="no tool is offered")
        tool = ranked[0]
        said = " ".join(str(message["content"]) for message in context.messages if message.get("role") == "user")
        arguments = fill(tool, said)
        missing = [name for name in tool.parameters.get("required", []) if name not in arguments]
        if missing:
            return Ask(question=f"Which {missing[0]} do you mean?")
        return ToolCall(id=f"k{len(context.messages)}", name=tool.name, arguments=arguments)


def why(content: str) -> str:
    """The message of a failure as the context shows it; the whole of it where its end was cut off."""
    try:
        shown = json.loads(content)
    except json.JSONDecodeError:
        return content
    return str(shown.get("message") or content)
