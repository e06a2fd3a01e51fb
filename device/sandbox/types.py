"""Types of tool arguments: what a planner may pass as said, and the canonical value that the tool receives.

The Python type is what the tool gets; the kind in `Spoken` is how `arguments.py` reads it and what stands as
`x-spoken` in the schema. Over the border all of them are JSON strings (a JSON number is read as its digits).
"""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

Kind = Literal[
    "time", "date", "moment", "duration", "recurrence", "number", "percent", "amount", "contact", "phone_number", "text"
]
"""Every kind of spoken value."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """Marks an argument whose value may be passed as said."""

    kind: Kind
    """How it is read."""


Time: TypeAlias = Annotated[str, Spoken("time")]
"""Time of day, `HH:MM`."""
Date: TypeAlias = Annotated[str, Spoken("date")]
"""Day, `YYYY-MM-DD`."""
When: TypeAlias = Annotated[str, Spoken("moment")]
"""`YYYY-MM-DD`, `YYYY-MM-DDTHH:MM`, `HH:MM`, or a stretch of either with `/`."""
Duration: TypeAlias = Annotated[int, Spoken("duration")]
"""Seconds, at least 1."""
Number: TypeAlias = Annotated[float, Spoken("number")]
"""A number without a unit."""
Percent: TypeAlias = Annotated[int | str, Spoken("percent")]
"""0 to 100, or a signed step such as `"+10"` where the value was said as one ("by 10 percent")."""
Money: TypeAlias = Annotated[dict[str, str], Spoken("amount")]
"""`{"amount": "20.00", "currency": "USD"}`."""
Contact: TypeAlias = Annotated[str, Spoken("contact")]
"""A person as said; `Sandbox.contact` finds the row."""
PhoneNumber: TypeAlias = Annotated[str, Spoken("phone_number")]
"""Digits, with `+` before a country code."""
Recurrence: TypeAlias = Annotated[str, Spoken("recurrence")]
"""RRULE value such as `FREQ=WEEKLY;BYDAY=MO`, or `ONCE`."""
Text: TypeAlias = Annotated[str, Spoken("text")]
"""Free text, stripped; compare it folded."""
OnOff = Literal["enable", "disable", "query"]
"""The three actions of a switch."""
