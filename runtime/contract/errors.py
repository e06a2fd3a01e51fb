"""The closed vocabulary of what can go wrong, and the four exceptions that carry it.

1. `ErrorCode` names every failure a tool, phone or guard may report. Each has one HTTP-like status.
2. `Failure` is the record that travels inside an Observation.
3. `ToolFailure` is raised inside a tool and translated into a `Failure` at one boundary: the provider's `execute`.
4. `UserError` and `SetupError` are for people: one line with the value, the limit and the next step.
"""

from enum import StrEnum

from pydantic import Field

from runtime.contract.base import Json, Record


class ErrorCode(StrEnum):
    """Every way in which a call can fail."""

    BAD_ARGUMENT = "bad_argument"
    PERMISSION_DENIED = "permission_denied"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    TIMEOUT = "timeout"
    OFFLINE = "offline"
    UNSUPPORTED = "unsupported"
    REFUSED_BY_GUARD = "refused_by_guard"
    UNKNOWN_TOOL = "unknown_tool"
    MALFORMED_CALL = "malformed_call"
    CANCELLED = "cancelled"
    INTERNAL = "internal"


STATUS: dict[ErrorCode, int] = {
    ErrorCode.BAD_ARGUMENT: 400,
    ErrorCode.MALFORMED_CALL: 400,
    ErrorCode.PERMISSION_DENIED: 403,
    ErrorCode.REFUSED_BY_GUARD: 403,
    ErrorCode.NOT_FOUND: 404,
    ErrorCode.UNKNOWN_TOOL: 404,
    ErrorCode.TIMEOUT: 408,
    ErrorCode.CONFLICT: 409,
    ErrorCode.CANCELLED: 499,
    ErrorCode.INTERNAL: 500,
    ErrorCode.UNSUPPORTED: 501,
    ErrorCode.OFFLINE: 503,
}
"""The status that the planner reads beside each code."""


class Failure(Record):
    """Why a call did not do what it says."""

    code: ErrorCode
    """From the closed list."""
    message: str
    """One sentence: the value, the limit, the next step; identifiers in backticks."""
    details: Json = Field(default_factory=dict)
    """Data behind the message: the argument, what would be valid, the permission that is missing."""

    @property
    def status(self) -> int:
        """HTTP-like status of the code."""
        return STATUS[self.code]


class ToolFailure(Exception):  # noqa: N818 - it carries a `Failure`
    """Raised by a tool; carries the `Failure` and does nothing else."""

    def __init__(self, code: ErrorCode, message: str, **details: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details

    def failure(self) -> Failure:
        """The record for the observation."""
        return Failure(code=self.code, message=self.message, details=self.details)


class PocketError(Exception):
    """Something a person must read: one line, no traceback."""


class UserError(PocketError):
    """Wrong use: the value, the limit and the next step. Exit code 2."""


class SetupError(PocketError):
    """A broken or incomplete installation, with its fix. Exit code 2."""


class InfrastructureError(PocketError):
    """Phone, model endpoint or disk failed while serving: ends an episode as `infrastructure`, no task failure."""
