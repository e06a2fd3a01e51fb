"""When a call must have answered, and how it is told to stop early."""

import threading
import time


class CancelToken:
    """Set once, by Ctrl-C or by a caller that lost interest; read between tokens and between steps."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask for a stop."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """Whether a stop was asked for."""
        return self._event.is_set()

    def __getstate__(self) -> dict[str, bool]:
        return {"cancelled": self.cancelled}

    def __setstate__(self, state: dict[str, bool]) -> None:
        self._event = threading.Event()
        if state["cancelled"]:
            self._event.set()


class Deadline:
    """A point in monotonic time with a cancel token. Every call over a room's border takes one."""

    def __init__(self, seconds: float | None, cancel: CancelToken | None = None) -> None:
        self.expires_at = None if seconds is None else time.monotonic() + seconds
        self.cancel = cancel or CancelToken()

    @classmethod
    def never(cls) -> "Deadline":
        """No limit in time; still cancellable."""
        return cls(None)

    def remaining(self) -> float:
        """Seconds left, never negative; infinity without a limit."""
        if self.expires_at is None:
            return float("inf")
        return max(0.0, self.expires_at - time.monotonic())

    @property
    def expired(self) -> bool:
        """Whether the time is over."""
        return self.remaining() <= 0.0

    def within(self, seconds: float) -> "Deadline":
        """An earlier deadline under the same cancel token."""
        return Deadline(min(seconds, self.remaining()), self.cancel)
