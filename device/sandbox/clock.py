"""The virtual clock: it stands still until it is told to move, so that every run sees the same times."""

from datetime import datetime, timedelta

from runtime.contract import UserError


def read_clock(text: str) -> datetime:
    """The naive local time that a world's `clock` says; raises `UserError`."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is not None:
        raise UserError(f"the clock of the world is `{text}`; give a local time such as `2026-03-02T09:00`")
    return moment


class Clock:
    """Naive local time."""

    __slots__ = ("now",)

    def __init__(self, now: datetime) -> None:
        self.now = now

    def advance(self, seconds: float) -> datetime:
        """Move forward; time never goes back."""
        if seconds < 0:
            raise ValueError(f"the clock can't go back by {-seconds} seconds")
        self.now += timedelta(seconds=seconds)
        return self.now
