"""The sandbox as a phone that refuses what it is told to, where the sandbox itself would agree.

A recording may show a tool that fails where ours works (other names for units, another state that nobody published). A
scenario then has a phone that fails there too: the call is made, and where it works it is taken back whole. Each such
refusal is kept in `stood_in`, so that nothing passes for the sandbox's own behaviour that is not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from device.sandbox.sandbox import Sandbox
from runtime.contract import (
    Deadline,
    ErrorCode,
    Evidence,
    Failure,
    Json,
    Observation,
    StateDiff,
    ToolCall,
    ToolSpec,
    WorldSpec,
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A call that must fail, once."""

    name: str
    """The tool."""
    arguments: Json
    """As the planner writes them."""
    code: ErrorCode
    """How it fails where the sandbox would let it work."""
    message: str
    """What is said then."""


class RefusingPhone:
    """The contract's `Phone` over a sandbox."""

    def __init__(self) -> None:
        self.sandbox = Sandbox()
        self.stood_in: list[str] = []
        """Calls that were refused in the sandbox's place, since the last reset."""
        self._expected: list[Refusal] = []

    @property
    def now(self) -> datetime:
        """Virtual local time."""
        return self.sandbox.now

    def expect(self, refusals: Sequence[Refusal]) -> None:
        """What must fail from now on."""
        self._expected = list(refusals)

    def tools(self) -> Sequence[ToolSpec]:
        """The sandbox's."""
        return self.sandbox.tools()

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Run one call; one that is expected to fail leaves nothing behind."""
        place = next((n for n, one in enumerate(self._expected) if _same(one, call)), None)
        if place is None:
            return self.sandbox.execute(call, deadline, idempotency_key)
        refusal = self._expected.pop(place)
        mark = self.sandbox.snapshot()
        seen = self.sandbox.execute(call, deadline, idempotency_key)
        if not seen.ok:
            return seen
        self.sandbox.restore(mark)
        self.stood_in.append(call.name)
        return Observation(call_id=call.id, failure=Failure(code=refusal.code, message=refusal.message))

    def reset(self, world: WorldSpec) -> None:
        """Put the sandbox into the state of a world."""
        self.stood_in = []
        self.sandbox.reset(world)

    def snapshot(self) -> str:
        """Remember the state."""
        return self.sandbox.snapshot()

    def restore(self, handle: str) -> None:
        """Go back to a remembered state."""
        self.sandbox.restore(handle)

    def diff(self, since: str) -> StateDiff:
        """Net change since a snapshot."""
        return self.sandbox.diff(since)

    def read_back(self, call: ToolCall, observation: Observation) -> Evidence | None:
        """The sandbox's word on a write."""
        return self.sandbox.read_back(call, observation)

    def close(self) -> None:
        """Close it."""
        self.sandbox.close()


def _same(refusal: Refusal, call: ToolCall) -> bool:
    """Whether a call is the one that must fail; what points to an earlier result is not compared."""
    wanted = {name: value for name, value in refusal.arguments.items() if not str(value).startswith("$")}
    return (
        refusal.name == call.name
        and refusal.arguments.keys() == call.arguments.keys()
        and all(call.arguments[name] == value for name, value in wanted.items())
    )
