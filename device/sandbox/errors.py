"""The failures that a tool raises: `raise conflict("airplane mode is on; ...")`.

Every message gives the value, what would be valid, and the next step; keyword arguments travel as details.
"""

from runtime.contract import ErrorCode, ToolFailure


def bad_argument(message: str, **details: object) -> ToolFailure:
    """400: a value that can't be used, or one that this action needs and did not get."""
    return ToolFailure(ErrorCode.BAD_ARGUMENT, message, **details)


def denied(message: str, **details: object) -> ToolFailure:
    """403: the phone has not granted this."""
    return ToolFailure(ErrorCode.PERMISSION_DENIED, message, **details)


def not_found(message: str, **details: object) -> ToolFailure:
    """404: nothing on the phone is called that."""
    return ToolFailure(ErrorCode.NOT_FOUND, message, **details)


def conflict(message: str, **details: object) -> ToolFailure:
    """409: the state of the phone does not allow it now, or several things fit."""
    return ToolFailure(ErrorCode.CONFLICT, message, **details)


def unsupported(message: str, **details: object) -> ToolFailure:
    """501: this phone can't do it."""
    return ToolFailure(ErrorCode.UNSUPPORTED, message, **details)
