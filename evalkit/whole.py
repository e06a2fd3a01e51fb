"""A whole phone: the sandbox with the user's memory and the Skills beside it, as one `Phone`.

Policies, admission and rehearsals know one phone; here it offers what stands beside it too. `reset` puts both into the
state of a world, `diff` is over both (the memory's table is `memories`). A run through the harness has the same rooms
one by one (scene.py), because there the executor routes the calls.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

from device.sandbox.sandbox import Sandbox
from memory.manager import UserMemory
from memory.tools import SPECS
from runtime.contract import (
    SKILL_PREFIX,
    Deadline,
    Embedder,
    Evidence,
    Observation,
    StateDiff,
    ToolCall,
    ToolSpec,
    WorldSpec,
)
from runtime.wiring import open_embedder
from skills.loaders import SkillLoaders

MEMORY_TOOLS = frozenset(spec.name for spec in SPECS)


class Whole:
    """The contract's `Phone` over a sandbox, a memory and Skills."""

    def __init__(self, sandbox: Sandbox | None = None, embedder: Embedder | None = None) -> None:
        """`embedder` finds memories by meaning; without one, the package's is opened with the first memory."""
        self.sandbox = sandbox or Sandbox()
        self.skills = SkillLoaders(known=lambda: [tool.name for tool in self.tools()])
        self._embedder = embedder
        self._world = WorldSpec()

    @cached_property
    def memory(self) -> UserMemory:
        """The user's memory, opened when it is first needed."""
        memory = UserMemory(None, self._embedder or open_embedder(), lambda: self.now)
        memory.reset(self._world)
        return memory

    @property
    def now(self) -> datetime:
        """Virtual local time."""
        return self.sandbox.now

    def tools(self) -> Sequence[ToolSpec]:
        """The phone's, the memory's, the loaders."""
        return self._tools

    @cached_property
    def _tools(self) -> tuple[ToolSpec, ...]:
        return (*self.sandbox.tools(), *SPECS, *self.skills.tools())

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Run one call where it belongs."""
        if call.name in MEMORY_TOOLS:
            return self.memory.execute(call, deadline, idempotency_key)
        if call.name.startswith(SKILL_PREFIX):
            return self.skills.execute(call, deadline, idempotency_key)
        return self.sandbox.execute(call, deadline, idempotency_key)

    def reset(self, world: WorldSpec) -> None:
        """Put phone and memory into the state that `world` describes."""
        self.sandbox.reset(world)
        self._world = world
        if "memory" in self.__dict__:
            self.memory.reset(world)

    def snapshot(self) -> str:
        """Remember the state of both."""
        return f"{self.sandbox.snapshot()} {self.memory.snapshot() if 'memory' in self.__dict__ else ''}"

    def restore(self, handle: str) -> None:
        """Go back to a remembered state."""
        phone, _, memory = handle.partition(" ")
        self.sandbox.restore(phone)
        if memory:
            self.memory.restore(memory)
        elif "memory" in self.__dict__:
            self.memory.reset(self._world)

    def diff(self, since: str) -> StateDiff:
        """Net change of both."""
        phone, _, memory = since.partition(" ")
        diff = self.sandbox.diff(phone)
        if "memory" not in self.__dict__:
            return diff
        # a memory that was opened after the snapshot was then in the world's state
        return diff.plus(self.memory.diff(memory) if memory else self.memory.store.since(0))

    def read_back(self, call: ToolCall, observation: Observation) -> Evidence | None:
        """The phone's word on a write; the memory gives its own with the call."""
        if call.name in MEMORY_TOOLS or call.name.startswith(SKILL_PREFIX):
            return observation.evidence
        return self.sandbox.read_back(call, observation)

    def close(self) -> None:
        """Close both."""
        self.sandbox.close()
        if "memory" in self.__dict__:
            self.memory.close()
