"""One action on the screen as one tool, for the side that chooses every step: apps open by name, and the screen as it
then is comes back, element by element."""

from collections.abc import Sequence

from evalkit.android.screen_tool import ACTIONS, NAME, ScreenTool
from evalkit.android.screen_tool import SPEC as PLAIN
from runtime.contract import Deadline, Json, Observation, TextPart, ToolCall, ToolSpec

__all__ = ["NAME", "SPEC", "StepTool"]
_PROPERTIES: Json = PLAIN.parameters["properties"]
SPEC = PLAIN.model_copy(
    update={
        "parameters": {
            **PLAIN.parameters,
            "properties": {
                "action": {**_PROPERTIES["action"], "enum": [*dict.fromkeys((*ACTIONS, "open"))]},
                "element": _PROPERTIES["element"],
                "text": {"type": "string", "description": "What to type, where to scroll, or which app to open."},
            },
        }
    }
)


class StepTool(ScreenTool):
    """A `ToolProvider` over a `Screen`."""

    def tools(self) -> Sequence[ToolSpec]:
        """The one tool."""
        return (SPEC,)

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Act; the planner is shown the screen, and what stands in the way."""
        seen = super().execute(call, deadline, idempotency_key)
        shown = "\n".join(part.text for part in seen.parts if isinstance(part, TextPart))
        data: Json = {"screen": shown} | {name: seen.data[name] for name in ("obstacle",) if name in seen.data}
        return seen.model_copy(update={"data": {} if seen.failure else data})

    def _act(self, action: str, words: str, text: str, deadline: Deadline) -> Observation:
        if action == "open":
            return self._screen.act("", "open", text, deadline)
        return super()._act(action, words, text, deadline)
