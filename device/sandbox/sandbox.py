"""The programmatic phone behind the contract's `Phone`.

1. State is the built world (shared), overlays with what changed, the journal of writes, clock, ids, log and the
   idempotency keys. A `Mark` is the position of each; going back to one costs what changed since.
2. Tools see `now`, `table`, `one`, `change`, `new_id`, `chance`, `contact`, `advance`.
3. The rest is the contract: `tools`, `execute` (execution.py), `reset`, `snapshot`, `restore`, `diff`, `read_back`
   (readback.py), `close`; and `fork`, a second phone in the same state.
"""

import random
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from device.sandbox import execution
from device.sandbox.clock import Clock
from device.sandbox.ids import Ids, chance
from device.sandbox.journal import Journal, Overlays
from device.sandbox.log import Operation
from device.sandbox.people import find_person
from device.sandbox.permissions import Permissions
from device.sandbox.readback import evidence_of
from device.sandbox.registry import Catalogue, catalogue
from device.sandbox.row import SINGLETON, kind_of
from device.sandbox.rows.people import Person
from device.sandbox.tables import Table
from device.sandbox.world import World, counts_of, merged, world_of
from runtime.contract import Deadline, Evidence, Observation, StateDiff, ToolCall, ToolSpec, WorldSpec

R = TypeVar("R")
DEFAULT_WORLD = WorldSpec()


class Mark(NamedTuple):
    """A remembered place in the history."""

    journal: int
    """Entries."""
    ids: int
    """Ids given out."""
    now: datetime
    """Virtual time."""
    log: int
    """Operations."""
    applied: int
    """Idempotency keys."""


class Sandbox:
    """A phone in memory; one process can hold thousands."""

    def __init__(self, world: WorldSpec = DEFAULT_WORLD, parts: Catalogue | None = None) -> None:
        self.catalogue = parts if parts is not None else catalogue()
        self._built: tuple[WorldSpec, World] | None = None
        self._handles = 0
        self.reset(world)

    @classmethod
    def of_world(cls, world: World, parts: Catalogue) -> "Sandbox":
        """A phone at the start of a built world."""
        phone = cls.__new__(cls)
        phone.catalogue, phone._built, phone._handles = parts, None, 0
        phone._start(world)
        return phone

    @property
    def now(self) -> datetime:
        """Virtual local time."""
        return self._clock.now

    def advance(self, seconds: float) -> datetime:
        """Let virtual time pass."""
        return self._clock.advance(seconds)

    def table(self, cls: type[R]) -> Table[R]:
        """The table of a row class."""
        found = self._tables.get(cls)
        if found is None:
            kind = kind_of(cls)
            changed = self._overlays.setdefault(kind.table, {})
            found = Table(kind, self._world.tables.get(kind.table, {}), changed, self.journal)
            self._tables[cls] = found
        return found

    def one(self, cls: type[R]) -> R:
        """The only row of a singleton."""
        return self.table(cls).need(SINGLETON)

    def change(self, cls: type[R], **columns: Any) -> R:
        """Change columns of a singleton."""
        return self.table(cls).update(SINGLETON, **columns)

    def new_id(self, prefix: str) -> str:
        """The next id of this prefix: `alarm_004`."""
        return self._ids.new(prefix)

    def chance(self, *key: object) -> random.Random:
        """A generator for one question of the open world; the same world and key give the same answers."""
        return chance(self._world.seed, *key)

    def contact(self, name: str) -> Person:
        """The one contact that `name` means ("Anna", "my mum"); 404 for none, 409 with candidates for several."""
        return find_person(self.table(Person).all(), name)

    def tools(self) -> Sequence[ToolSpec]:
        """All tools, by name."""
        return self.catalogue.specs

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Run one call; a failure is in the observation and leaves the phone as it was."""
        return execution.execute(self, call, deadline, idempotency_key)

    def read_back(self, call: ToolCall, observation: Observation) -> Evidence | None:
        """The rows that the write touched, read anew; None for a read and for a call that touched no row."""
        return evidence_of(self, call, observation)

    def reset(self, world: WorldSpec) -> None:
        """Put the phone into the state that `world` describes; raises `UserError` for a world that can't be."""
        if self._built is None or (self._built[0] is not world and self._built[0] != world):
            self._built = (world, world_of(self.catalogue, world, Sandbox.of_world))
        self._start(self._built[1])

    def snapshot(self) -> str:
        """Remember the state."""
        self._handles += 1
        handle = f"snapshot_{self._handles}"
        self._marks[handle] = self.mark()
        return handle

    def restore(self, handle: str) -> None:
        """Go back to a remembered state; what was remembered after it is forgotten."""
        self.undo(self._mark(handle))
        later = list(self._marks)[list(self._marks).index(handle) + 1 :]
        for name in later:
            del self._marks[name]

    def diff(self, since: str) -> StateDiff:
        """Net change of all tables since a snapshot."""
        return self.journal.net(self._mark(since).journal)

    def close(self) -> None:
        """Forget everything; the phone borrows nothing."""
        self._start(self._world)

    def fork(self) -> "Sandbox":
        """An independent phone in the same state, with the same snapshots; costs what changed since the reset."""
        twin = Sandbox.of_world(self._world, self.catalogue)
        twin._built, twin._handles = self._built, self._handles
        twin._overlays = {name: dict(changed) for name, changed in self._overlays.items() if changed}
        twin.journal = Journal(list(self.journal.entries))
        twin._clock = Clock(self._clock.now)
        twin._ids = self._ids.copy()
        twin.log, twin.applied, twin._marks = list(self.log), dict(self.applied), dict(self._marks)
        return twin

    def mark(self) -> Mark:
        """The current place in the history."""
        return Mark(len(self.journal.entries), self._ids.mark(), self._clock.now, len(self.log), len(self.applied))

    def undo(self, mark: Mark) -> None:
        """Go back to a mark of this history."""
        self.journal.undo(mark.journal, self._overlays)
        self._ids.undo(mark.ids)
        self._clock.now = mark.now
        del self.log[mark.log :]
        while len(self.applied) > mark.applied:
            self.applied.popitem()

    def frozen(self) -> World:
        """The current rows as a world of their own."""
        tables = merged(self._world.tables, self._overlays)
        now, seed, denied = self._world.now, self._world.seed, self._world.denied
        return World(now, seed, denied, tables, counts_of(tables, self._world.counts))

    def _mark(self, handle: str) -> Mark:
        found = self._marks.get(handle)
        if found is None:
            raise LookupError(
                f"no snapshot `{handle}` of this phone; it was made before a reset or after a restored one"
            )
        return found

    def _start(self, world: World) -> None:
        """Begin the history of `world`."""
        self._world = world
        self._tables: dict[type[Any], Table[Any]] = {}
        self._overlays: Overlays = {}
        self._clock = Clock(world.now)
        self._ids = Ids(world.counts)
        self._marks: dict[str, Mark] = {}
        self.journal = Journal()
        self.permissions = Permissions(world.denied)
        self.log: list[Operation] = []
        self.applied: dict[str, tuple[ToolCall, Observation]] = {}
