"""The one error of this package: a value that can't be read is said to be so, never guessed."""

from __future__ import annotations

from typing import Literal

Kind = Literal[
    "time", "date", "dates", "moment", "duration", "recurrence", "number", "percent", "amount", "money", "phone number"
]


class Unreadable(ValueError):  # noqa: N818 - it says what it is
    """What was said can't be read as the kind of value that was asked for."""

    def __init__(self, said: str, kind: Kind, hint: str) -> None:
        """Keep the value `said`, the `kind` that was asked for, and a `hint`: a form that would be read."""
        super().__init__(said, kind, hint)
        self.said = said
        self.kind = kind
        self.hint = hint

    def __str__(self) -> str:
        """One line with the value and the next step; long values are cut visibly."""
        shown = self.said if len(self.said) <= 60 else f"{self.said[:57]}... ({len(self.said)} characters)"
        return f"can't read `{shown}` as a {self.kind}; {self.hint}"
