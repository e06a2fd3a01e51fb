"""A connected phone behind the contract's `Phone` and `Screen`.

1. `AndroidPhone` chooses the phone, gives back what an earlier run borrowed and could not, and carries out calls
   (execution.py). Nothing is started on the phone before it is needed.
2. `tools` are those of the sandbox that this phone's release can do; the others are `unsupported` when called.
3. `snapshot` and `diff` read the tables of `state/`. `restore` puts back what was set and can be set; a row that can't
   be put back is an `InfrastructureError`, never a silent difference.
4. `observe` and `act` are the screen (gui.py). `close` gives everything back: the helper's slot, the lines, the leases.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from device.android import execution
from device.android.agent import Agent
from device.android.connection import Device, Server, choose, list_devices
from device.android.connection.devices import named
from device.android.connection.server import reconnect
from device.android.errors import BridgeFailure
from device.android.gui import Gui
from device.android.restore.ledger import Ledger
from device.android.restore.undo import put_back
from device.android.shell import Shell
from device.android.state import Reading, read_tables
from device.android.tools.registry import LEAST, Offer, offers
from device.android.work import Tables, difference
from runtime.contract import (
    Approver,
    Deadline,
    Effect,
    Element,
    Evidence,
    InfrastructureError,
    Json,
    Observation,
    StateDiff,
    ToolCall,
    ToolSpec,
    UserError,
    WorldSpec,
)

OPEN_SECONDS = 30.0
READ_SECONDS = 60.0
RETURN_SECONDS = 5.0
"""Given to a phone whose line broke just before."""


class AndroidPhone:
    """One phone on adb."""

    asks = frozenset(execution.ASKED)
    """Effects that wait for the approver's yes here; a harness need not ask again."""

    def __init__(self, serial: str = "", approver: Approver | None = None, server: Server | None = None) -> None:
        self.server = server or Server()
        self.approver = approver
        deadline = Deadline(OPEN_SECONDS)
        try:
            device = choose(_settled(self.server, serial, deadline), serial)
            self.shell = Shell(self.server, device.serial)
            self.ledger = Ledger(device.serial)
            self.agent = Agent(self.server, self.shell, self.ledger)
            self.recovered = self.ledger.recover(self.shell, self.server, deadline)
            """What an earlier run had borrowed, and what became of it."""
            self.release = _release(Reading(self.shell, deadline))
        except BridgeFailure as failure:
            raise InfrastructureError(f"{failure.message}. See `pocket devices`.") from None
        self.gui = Gui(self.shell, self.agent, approver)
        self.applied: dict[str, tuple[ToolCall, Observation]] = {}
        self._snapshots: dict[str, Tables] = {}

    @property
    def serial(self) -> str:
        """How adb names it."""
        return self.shell.serial

    @property
    def now(self) -> datetime:
        """The phone's local time."""
        return self.now_by(Deadline(READ_SECONDS))

    def now_by(self, deadline: Deadline) -> datetime:
        """The phone's local time, read by a deadline."""
        return Reading(self.shell, deadline).now()

    def release_by(self, deadline: Deadline) -> int:
        """The Android release; read once."""
        return self.release

    def offers(self) -> list[tuple[Offer, bool]]:
        """Every tool of the bridge, and whether this phone's release has it."""
        return [(offer, self.release >= offer.since) for offer in offers().values()]

    def notes(self) -> dict[str, Json]:
        """What is to know about each tool on a connected phone."""
        return {
            offer.spec.name: {
                "works": works,
                "since": offer.since,
                "needs": offer.needs or "nothing",
                "actions": sorted(offer.actions) or ["all"],
                "proof": offer.proof,
            }
            for offer, works in self.offers()
        }

    def tools(self) -> Sequence[ToolSpec]:
        """What this phone can do, by name."""
        return tuple(offer.spec for offer, works in self.offers() if works)

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Run one call; a failure is in the observation and says what is known about its effect."""
        return execution.execute(self, call, deadline, idempotency_key)

    def read_back(self, call: ToolCall, observation: Observation) -> Evidence | None:
        """What was read after the write, by `execute` itself; None for a read."""
        offer = offers().get(call.name)
        if offer is None or offer.spec.effects_of(call.arguments) == {Effect.READ}:
            return None
        return observation.evidence

    def reset(self, world: WorldSpec) -> None:
        """Begin a history; a connected phone keeps its state and refuses a world that it would have to be put into."""
        if world.facts or world.denied:
            raise InfrastructureError(
                f"the phone `{self.serial}` can't be put into a world of {len(world.facts)} facts; set it up by hand"
            )
        self.applied.clear()
        self._snapshots.clear()

    def snapshot(self) -> str:
        """Remember all tables."""
        handle = f"snapshot_{len(self._snapshots) + 1}"
        self._snapshots[handle] = self._read()
        return handle

    def restore(self, handle: str) -> None:
        """Put back what changed since; raises `InfrastructureError` for what only a person can put back."""
        diff = self.diff(handle)
        left = put_back(self, diff, Deadline(READ_SECONDS))
        if left:
            raise InfrastructureError(f"these can't be put back from here: {', '.join(left)}. Put them back by hand.")

    def diff(self, since: str) -> StateDiff:
        """Net change of all tables since a snapshot."""
        if since not in self._snapshots:
            raise LookupError(f"no snapshot `{since}` of this phone")
        return difference(self._snapshots[since], self._read())

    def observe(self, deadline: Deadline) -> Sequence[Element]:
        """The elements that are on the screen now; raises `BridgeFailure`."""
        return self.gui.observe(deadline)

    def act(self, element: str, action: str, text: str, deadline: Deadline) -> Observation:
        """Act on one element of the last observation."""
        return self.gui.act(element, action, text, deadline)

    def close(self) -> None:
        """Give back everything borrowed."""
        with suppress(BridgeFailure):
            self.agent.close()
        self.ledger.give_back(self.shell, self.server, Deadline(READ_SECONDS))
        self.server.close()

    def _read(self) -> Tables:
        try:
            return read_tables(Reading(self.shell, Deadline(READ_SECONDS)))
        except BridgeFailure as failure:
            raise InfrastructureError(f"the phone's state can't be read: {failure.message}") from None


def _settled(server: Server, serial: str, deadline: Deadline) -> list[Device]:
    """The attached phones; the one that is named gets a moment to come back where its line broke just now."""
    devices, serial = list_devices(server, deadline), named(serial)
    if any(device.serial == serial and device.state in ("offline", "connecting") for device in devices):
        with suppress(BridgeFailure):
            reconnect(server, serial, deadline.within(RETURN_SECONDS))
        return list_devices(server, deadline)
    return devices


def _release(look: Reading) -> int:
    text = look.text("getprop", "ro.build.version.release")
    release = int(text.partition(".")[0]) if text.partition(".")[0].isdecimal() else 0
    if release < LEAST:
        raise UserError(f"the phone has Android {text or '?'}; {LEAST} or newer is needed.")
    return release
