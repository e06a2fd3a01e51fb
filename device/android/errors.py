"""What can go wrong on the way to a phone, in the contract's words, with what is known about the effect.

`landed` is the point: a failure before a request left this machine says `no`; from then on, only the phone could tell,
so it says `unknown`, and nothing is sent again by itself.
"""

from typing import Literal

from runtime.contract import Deadline, ErrorCode, ToolFailure

Landed = Literal["yes", "no", "unknown"]


class BridgeFailure(ToolFailure):
    """A failure with what is known about its effect."""

    def __init__(self, code: ErrorCode, message: str, landed: Landed = "no", **details: object) -> None:
        super().__init__(code, message, **details)
        self.landed: Landed = landed


def offline(message: str, landed: Landed = "no", **details: object) -> BridgeFailure:
    """503: the phone, its server or its helper is gone."""
    return BridgeFailure(ErrorCode.OFFLINE, message, landed, **details)


def unsupported(message: str, **details: object) -> BridgeFailure:
    """501: no phone, or not this one, can do it from outside."""
    return BridgeFailure(ErrorCode.UNSUPPORTED, message, "no", **details)


def conflict(message: str, landed: Landed = "no", **details: object) -> BridgeFailure:
    """409: the state of the phone does not allow it now."""
    return BridgeFailure(ErrorCode.CONFLICT, message, landed, **details)


def not_found(message: str, **details: object) -> BridgeFailure:
    """404: nothing on the phone is called that."""
    return BridgeFailure(ErrorCode.NOT_FOUND, message, "no", **details)


def bad_argument(message: str, **details: object) -> BridgeFailure:
    """400: a value that can't be used here."""
    return BridgeFailure(ErrorCode.BAD_ARGUMENT, message, "no", **details)


def denied(message: str, **details: object) -> BridgeFailure:
    """403: the phone refuses it."""
    return BridgeFailure(ErrorCode.PERMISSION_DENIED, message, "no", **details)


def out_of_time(what: str, deadline: Deadline, landed: Landed = "no") -> BridgeFailure:
    """408 or 499: why the deadline ends `what` now."""
    if deadline.cancel.cancelled:
        return BridgeFailure(ErrorCode.CANCELLED, f"{what} was cancelled", landed)
    return BridgeFailure(ErrorCode.TIMEOUT, f"{what} had no answer by its deadline", landed)


def check_time(what: str, deadline: Deadline) -> None:
    """Raise before anything is sent when there is no time left."""
    if deadline.cancel.cancelled or deadline.expired:
        raise out_of_time(what, deadline)


def whole(*texts: str) -> bool:
    """Whether texts hold whole characters only: no phone and no trace takes half of a surrogate pair."""
    return not any("\ud800" <= char <= "\udfff" for text in texts for char in text)
