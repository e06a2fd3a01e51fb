"""Percentages that go up and down."""

from device.sandbox.api import bad_argument

_STEP = 10


def level_after(action: str, level: int | str | None, now: int) -> int:
    """The percentage after `set`, `up` or `down`: a signed level, or the level of up and down, is a step."""
    if level is None:
        if action == "set":
            raise bad_argument("`level` is missing: a percentage from 0 to 100", argument="level")
        wanted = now + (_STEP if action == "up" else -_STEP)
    elif action == "set":
        wanted = now + int(level) if isinstance(level, str) else level
    else:
        wanted = now + abs(int(level)) * (1 if action == "up" else -1)
    return max(0, min(100, wanted))
