"""What can be made to go wrong, by name; each is a failure that users of real phones report.

1. Faults of a service (`shell`, `exec`, `sync`, `tcp`, `localabstract`, `framebuffer`, `reverse`, or `any`): `drop`,
   `hang`, `refuse`, `slow`. They strike when the service is opened next.
2. Faults of the connection: `offline`, `unauthorized`, `drop_at` (the line is cut after so many bytes,
   both directions).
3. Faults of the phone: what `KINDS` says of the others.

A fault strikes after `skip` uses, `times` times (0: until it is cleared).
"""

from dataclasses import dataclass

from runtime.contract import UserError

KINDS = {
    "drop": "the connection breaks when the service is opened",
    "hang": "the service opens and never answers",
    "refuse": "the service does not open",
    "slow": "the service answers after `seconds`",
    "offline": "a new connection never gets past the handshake",
    "unauthorized": "no key of a host is accepted",
    "drop_at": "the connection breaks after `bytes` bytes",
    "mid_push": "the connection breaks after `bytes` bytes of a pushed file",
    "server_death": "uiautomator2's server dies in the middle of a call",
    "orphan": "uiautomator2's server outlives the line that started it",
    "slot_held": "another tool holds the UiAutomation slot",
    "busy": "the screen never idles: a dump takes `seconds`, and `uiautomator dump` then fails",
    "killed": "`uiautomator dump` is killed",
    "secure": "the window is secure: pictures of it are black",
    "no_screenshot": "a screenshot fails",
    "rotate": "the screen turns between a dump and the next screenshot",
    "fold": "it folds: with two displays, screencap writes a warning before the picture",
    "sideways": "a picture is not turned with the screen",
    "half_tree": "the dump leaves out the second half of each list",
    "stale_tree": "the dump is the one before it",
    "empty_tree": "the dump holds no node",
    "control_char": "a text of the dump holds a control character",
    "huge": "the dump has 5 MB",
    "no_inject": "input events are refused, as on a Xiaomi without its setting",
    "lost_tap": "a touch is accepted and does nothing",
    "hidden_web": "the first tree of a WebView is empty",
}
"""Every kind."""
SERVICES = ("any", "shell", "exec", "sync", "tcp", "localabstract", "framebuffer", "reverse")


@dataclass(slots=True)
class Fault:
    """One thing that goes wrong."""

    kind: str
    """One of `KINDS`."""
    service: str = "any"
    """Which service, for those of a service."""
    skip: int = 0
    """Uses that still work."""
    times: int = 0
    """How often it strikes; 0: until it is cleared."""
    seconds: float = 0.0
    """For `slow` and `busy`."""
    bytes: int = 0
    """For `drop_at` and `mid_push`."""
    struck: int = 0
    """How often it struck."""

    def strikes(self) -> bool:
        """Count a use; whether it goes wrong."""
        if self.skip > 0:
            self.skip -= 1
            return False
        if self.times and self.struck >= self.times:
            return False
        self.struck += 1
        return True


class Faults:
    """The faults that are set."""

    def __init__(self) -> None:
        self._set: list[Fault] = []
        self.passed = 0
        """Bytes on all lines so far, both directions."""

    def add(self, fault: Fault) -> None:
        """Have it go wrong from now on; raises `UserError` for a kind or service that is not known."""
        if fault.kind not in KINDS:
            raise UserError(f"there is no fault `{fault.kind}`; use one of {', '.join(KINDS)}.")
        if fault.service not in SERVICES:
            raise UserError(f"there is no service `{fault.service}`; use one of {', '.join(SERVICES)}.")
        self._set.append(fault)

    def clear(self, kind: str = "") -> None:
        """Take back one kind, or all."""
        self._set = [fault for fault in self._set if kind and fault.kind != kind]

    def active(self, kind: str) -> bool:
        """Whether this kind is set and not used up; counts nothing."""
        return any(f.kind == kind and not (f.times and f.struck >= f.times) for f in self._set)

    def use(self, kind: str) -> Fault | None:
        """The fault of this kind if it strikes now."""
        return next((fault for fault in self._set if fault.kind == kind and fault.strikes()), None)

    def of_service(self, service: str) -> Fault | None:
        """What goes wrong with this opening of a service."""
        for fault in self._set:
            of_service = fault.kind in ("drop", "hang", "refuse", "slow") and fault.service in ("any", service)
            if of_service and fault.strikes():
                return fault
        return None

    def breaks_push(self, received: int) -> bool:
        """Whether the line is cut after so many bytes of a pushed file."""
        return any(f.kind == "mid_push" and received >= f.bytes and f.strikes() for f in self._set)

    def bytes_seen(self, count: int) -> bool:
        """Count bytes from the host; whether the line is cut here."""
        return self._spend(count) is not None

    def bytes_left(self, count: int) -> int | None:
        """Count bytes to the host; how many of them still go out where the line is cut, else None."""
        return self._spend(count)

    def _spend(self, count: int) -> int | None:
        self.passed += count
        for fault in self._set:
            if fault.kind != "drop_at":
                continue
            kept = fault.bytes
            fault.bytes -= count
            if fault.bytes < 0:
                self._set.remove(fault)
                return kept
        return None
