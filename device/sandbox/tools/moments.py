"""Work that takes time: a moment at which it is complete, and whether the phone's clock has reached it."""

from datetime import timedelta

from device.sandbox.api import Sandbox


def later(phone: Sandbox, seconds: int) -> str:
    """The ISO second that many seconds from now."""
    return (phone.now + timedelta(seconds=seconds)).isoformat(timespec="seconds")


def reached(phone: Sandbox, moment: str) -> bool:
    """Whether an ISO second is now or past."""
    return phone.now.isoformat(timespec="seconds") >= moment
