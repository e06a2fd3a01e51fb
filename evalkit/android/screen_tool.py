"""One action on the screen as one tool: for planners that choose every step, and for golds through the GUI alone.

The planner names an element of the screen as it is now, by its id in the last look or by its words; free coordinates
there are none. What is named by words must be one element alone. The phone's bridge proves the effect (gui.py); what
the screen then shows comes back.
"""

import re
from collections.abc import Sequence

from runtime.contract import (
    Deadline,
    Domain,
    Effect,
    Element,
    ErrorCode,
    ExecutedCall,
    Failure,
    Json,
    Observation,
    Screen,
    TextPart,
    ToolCall,
    ToolFailure,
    ToolSpec,
)

NAME = "use_screen"
ACTIONS = ("look", "tap", "long_press", "type", "scroll", "back", "home", "enter", "open", "wait")
ALONE = frozenset(("look", "back", "home", "enter", "open", "wait"))
"""Actions that take no element."""
SPEC = ToolSpec(
    name=NAME,
    domain=Domain.INPUT,
    description="Do one thing on the screen, by the words of what is there; the new screen comes back.",
    parameters={
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": list(ACTIONS), "description": "What to do."},
            "element": {"type": "string", "description": "Id or words of an element that is on the screen."},
            "text": {"type": "string", "description": "What to type, the app to open, or where to scroll: down."},
        },
        "required": ["action"],
        "additionalProperties": False,
    },
    effects=frozenset((Effect.READ, Effect.WRITE)),
    action_effects={name: frozenset((Effect.READ if name in ("look", "wait") else Effect.WRITE,)) for name in ACTIONS},
)
_ID = re.compile(r"[a-z]+\d+")
_STATES = re.compile(r" \([a-z, ]+\)$")


class ScreenTool:
    """A `ToolProvider` over a `Screen`."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._shown: frozenset[str] = frozenset()
        """Ids on the screen that the planner was shown last."""

    def tools(self) -> Sequence[ToolSpec]:
        """The one tool."""
        return (SPEC,)

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Act, and show the screen; what goes wrong is in the observation."""
        values = {name: str(value) for name, value in call.arguments.items()}
        action, words, text = values.get("action", ""), values.get("element", ""), values.get("text", "")
        try:
            seen = self._act(action, words, text, deadline)
        except ToolFailure as failure:
            seen = Observation(
                call_id="",
                parts=(TextPart(text=failure.message),),
                failure=Failure(code=failure.code, message=failure.message),
            )
        landed = seen.call.landed if seen.call is not None else "no" if seen.failure else "yes"
        executed = ExecutedCall(name=NAME, arguments=call.arguments, idempotency_key=idempotency_key, landed=landed)
        return seen.model_copy(update={"call_id": call.id, "call": executed})

    def _act(self, action: str, words: str, text: str, deadline: Deadline) -> Observation:
        if action == "look":
            there = self._screen.observe(deadline)
            return self._told(_showing([f"{one.id} {one.role} {one.label}".strip() for one in there], {}))
        if action in ALONE:
            return self._told(_shown(self._screen.act("", action, text, deadline)))
        if words not in self._shown:
            words = named(words, action, self._screen.observe(deadline)).id
        return self._told(_shown(self._screen.act(words, action, text, deadline)))

    def _told(self, seen: Observation) -> Observation:
        """Remember the ids that the planner reads now."""
        if seen.ok:
            first = {str(line).partition(" ")[0] for line in seen.data.get("screen", ())}
            self._shown = frozenset(filter(_ID.fullmatch, first))
        return seen


def _shown(seen: Observation) -> Observation:
    """What an action led to, as a planner reads it: the new screen, and what stands in the way."""
    if not seen.ok:
        return seen
    lines = [line for part in seen.parts if isinstance(part, TextPart) for line in part.text.splitlines()]
    shown = _showing(lines, {name: seen.data[name] for name in ("obstacle", "value") if name in seen.data})
    return seen.model_copy(update={"parts": shown.parts, "data": shown.data})


def _showing(lines: list[str], more: Json) -> Observation:
    data: Json = {**more, "screen": lines}
    return Observation(call_id="", parts=(TextPart(text="\n".join(lines)),), data=data)


def named(words: str, action: str, elements: Sequence[Element]) -> Element:
    """The one element that takes the action and is called so; raises `ToolFailure` with what there is."""
    wanted = words.casefold().strip()
    able = [one for one in elements if action in one.actions or (action == "tap" and one.role == "text")]
    for called in (whole, title, mute):
        found = [one for one in able if called(one).casefold() == wanted]
        if len(found) == 1:
            return found[0]
        if found:
            raise ToolFailure(ErrorCode.CONFLICT, f"{len(found)} elements are called `{words}`; name one by its id")
    there = ", ".join(f"`{title(one) or one.role}`" for one in able[:20]) or "nothing"
    raise ToolFailure(ErrorCode.NOT_FOUND, f"nothing on the screen is called `{words[:60]}`; there is {there}")


def whole(element: Element) -> str:
    """All that an element says, without its state."""
    return _STATES.sub("", element.label)


def mute(element: Element) -> str:
    """The role of what says nothing."""
    return "" if element.label else element.role


def title(element: Element) -> str:
    """What an element is called, without its state, value and summary."""
    return whole(element).partition(": ")[0].partition(", ")[0]
