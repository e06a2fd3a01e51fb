"""What is handed over: a goal on the screens of one app, typed, so that nobody has to guess what is meant.

`turn_on` and `turn_off` are for switches, `choose` for one of several, `add` and `change` for forms, `delete`, `send`
and `call` for what their names say, `open` and `read` for pages.
"""

from typing import Literal, get_args

from pydantic import Field, ValidationError

from runtime.contract import Domain, Effect, ErrorCode, Json, Record, ToolFailure, ToolSpec

Kind = Literal["turn_on", "turn_off", "choose", "open", "read", "add", "change", "delete", "send", "call"]
KINDS: tuple[str, ...] = get_args(Kind)
NAME = "work_on_screen"
_WORDS = {"turn_on": "turn on", "turn_off": "turn off", "read": "read out"}


class Goal(Record):
    """One local goal."""

    app: str = Field(min_length=1, max_length=60)
    """The app, by the name under its icon."""
    goal: Kind
    """What shall be done."""
    target: str = Field(default="", max_length=200)
    """With what, in words that are on the screen."""
    where: str = Field(default="", max_length=80)
    """The page that it is on, where that is known; `Apps > Camera` is a way of pages."""
    values: tuple[str, ...] = Field(default=(), max_length=8)
    """What is chosen, or what goes into which field: `Label: Swim`."""

    @property
    def sentence(self) -> str:
        """In words."""
        said = f"{_WORDS.get(self.goal, self.goal)} {self.target}".strip()
        place = f", on {self.where}" if self.where else ""
        given = f": {'; '.join(self.values)}" if self.values else ""
        return f"In {self.app}{place}: {said}{given}"

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The values as (field, text); the field is empty where only a text is given."""
        pairs = (value.partition(": ") for value in self.values)
        return tuple((name.strip(), text) if mark else ("", name) for name, mark, text in pairs)


def goal_of(arguments: Json) -> Goal:
    """The goal of a call; raises `ToolFailure` for one that can't be taken."""
    try:
        return Goal.model_validate(arguments)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "arguments"
        raise ToolFailure(ErrorCode.BAD_ARGUMENT, f"`{where}`: {first['msg'].lower()}", argument=where) from None


SPEC = ToolSpec(
    name=NAME,
    domain=Domain.INPUT,
    description="Have the screen agent reach a goal on an app's screens; it says done or blocked.",
    parameters={
        "type": "object",
        "properties": {
            "app": {"type": "string", "maxLength": 60, "description": "The app's name."},
            "goal": {"type": "string", "enum": list(KINDS), "description": "What to do."},
            "target": {"type": "string", "maxLength": 200, "description": "With what, in words of the screen."},
            "where": {
                "type": "string",
                "maxLength": 80,
                "description": "The page that it is on, if known: `Apps > Camera`.",
            },
            "values": {
                "type": "array",
                "items": {"type": "string", "maxLength": 300},
                "maxItems": 8,
                "description": "The choice, or texts for fields: `Label: Swim`.",
            },
        },
        "required": ["app", "goal", "target"],
        "additionalProperties": False,
    },
    effects=frozenset((Effect.READ, Effect.WRITE)),
    examples=(
        "on the display page, turn the dark theme on",
        "open the clock app and delete the nine o'clock alarm there",
        "create the contact by hand in the contacts app",
        "tap through the settings and choose the huge font",
    ),
)
