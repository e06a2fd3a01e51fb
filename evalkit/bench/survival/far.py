"""A phone in a process of its own, as a real one is: it lives on when the process that calls it is killed.

    rider: FarPhone --(call, key)--> Unix socket --> serve: Sandbox --> back

A kill may come before the call is sent, while the phone works, or before the answer is read; the phone does what it was
sent all the same, and says later what came of a key.
"""

from collections.abc import Sequence
from multiprocessing.connection import Client, Connection, Listener
from typing import Any

from device.sandbox.sandbox import Sandbox
from runtime.contract import Deadline, Evidence, Observation, StateDiff, ToolCall, ToolSpec, WorldSpec


def serve(address: str, ready: Connection) -> None:
    """Be a phone until a caller says `stop`; one caller at a time."""
    phone = FarSandbox(WorldSpec())
    with Listener(address, "AF_UNIX") as listener:
        ready.send_bytes(b"ready")
        while True:
            with listener.accept() as caller:
                if not _answer(phone, caller):
                    return


class FarSandbox(Sandbox):
    """The phone itself: it remembers the state in which it was begun, and what came of every key."""

    def reset(self, world: WorldSpec) -> None:
        """Begin in a world."""
        super().reset(world)
        self.first = self.snapshot()

    def began(self) -> str:
        """Handle of the state in which it was begun."""
        return self.first

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Run one call; its evidence is kept with its key, since later calls may change what it wrote."""
        known = idempotency_key in self.applied
        seen = super().execute(call, deadline, idempotency_key)
        if not known and idempotency_key in self.applied:
            kept = seen.model_copy(update={"evidence": self.read_back(call, seen)})
            self.applied[idempotency_key] = (call, kept)
        return seen

    def recover(self, call: ToolCall, key: str, deadline: Deadline) -> Observation | None:
        """What came of a call that was sent before; None where it never came."""
        return self.execute(call, deadline, key) if key in self.applied else None


def _answer(phone: FarSandbox, caller: Connection) -> bool:
    """Answer one caller until it hangs up or dies; False where it said `stop`."""
    while True:
        try:
            name, values = caller.recv()
        except (EOFError, ConnectionError):
            return True
        if name == "stop":
            return False
        try:
            caller.send(getattr(phone, name)(*values))
        except (BrokenPipeError, ConnectionError):
            return True  # it was killed before it could read the answer


class FarPhone:
    """The contract's `Phone` at the other end."""

    def __init__(self, address: str, world: WorldSpec | None = None) -> None:
        """`world`: put it into that first; without one it stays as it is."""
        self._line = Client(address, "AF_UNIX")
        if world is not None:
            self.reset(world)

    @property
    def first(self) -> str:
        """Handle of the state in which it was begun."""
        return str(self._ask("began"))

    def _ask(self, name: str, *values: Any) -> Any:
        self._line.send((name, values))
        return self._line.recv()

    def tools(self) -> Sequence[ToolSpec]:
        """As at the other end; the same in every process."""
        return Sandbox().tools()

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Send a call and wait for its answer."""
        seen: Observation = self._ask("execute", call, deadline, idempotency_key)
        return seen

    def recover(self, call: ToolCall, idempotency_key: str, deadline: Deadline) -> Observation | None:
        """What came of a call that was sent before."""
        seen: Observation | None = self._ask("recover", call, idempotency_key, deadline)
        return seen

    def read_back(self, call: ToolCall, observation: Observation) -> Evidence | None:
        """As at the other end."""
        evidence: Evidence | None = self._ask("read_back", call, observation)
        return evidence

    def reset(self, world: WorldSpec) -> None:
        """Put it into a world."""
        self._ask("reset", world)

    def snapshot(self) -> str:
        """Remember the state there."""
        return str(self._ask("snapshot"))

    def restore(self, handle: str) -> None:
        """Go back there."""
        self._ask("restore", handle)

    def diff(self, since: str) -> StateDiff:
        """Net change there."""
        diff: StateDiff = self._ask("diff", since)
        return diff

    def close(self) -> None:
        """Hang up."""
        self._line.close()


def stop(address: str) -> None:
    """End the phone at an address."""
    with Client(address, "AF_UNIX") as line:
        line.send(("stop", ()))
