"""A connected phone that tasks are run on: staged before each, read back and witnessed after it, cleaned up at the end.

    software phone   world by its control port             -> read back over adb, and by the control port as a witness
    real phone       what is missing is made (stage.py)    -> read back over adb, and put back as it was

What decides is what the bridge reads over adb. Where a second witness says otherwise, the disagreement is kept beside
the result.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from device.android.connection.server import reconnect
from device.android.phone import AndroidPhone
from evalkit.android.columns import disagreement, in_words, permissions_of
from evalkit.android.stage import clean, prepare
from runtime.contract import (
    Deadline,
    Element,
    Evidence,
    InfrastructureError,
    Observation,
    RowChange,
    StateDiff,
    TaskSpec,
    ToolCall,
    ToolSpec,
    WorldSpec,
)

if TYPE_CHECKING:
    from device.handset.client import Control


RETURN_SECONDS = 60.0
"""Longest wait for a software phone that restarted."""


class StagedPhone:
    """The contract's `Phone` and `Screen` over the bridge, which takes worlds."""

    def __init__(self, phone: AndroidPhone, control: "Control | None" = None) -> None:
        """`control` is a software phone's control port."""
        self.phone, self.control = phone, control
        self.witness: tuple[str, ...] = ()
        """What bridge and witness said differently at the last `diff`."""
        self._at_control: dict[str, str] = {}
        self._permissions: dict[str, RowChange] = {}
        """By app, as the calls about them read them: no table of a snapshot has them."""
        self._before = ""

    @property
    def now(self) -> datetime:
        """The phone's local time."""
        return self.phone.now

    def tools(self) -> Sequence[ToolSpec]:
        """What this phone can do."""
        return self.phone.tools()

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Run one call on the phone."""
        seen = self.phone.execute(call, deadline, idempotency_key)
        for change in seen.diff.changes:
            if change.table == "apps" and change.before and "permissions" in change.before:
                first = self._permissions.get(change.key, change)
                self._permissions[change.key] = change.model_copy(update={"before": first.before})
        return seen

    def read_back(self, call: ToolCall, observation: Observation) -> Evidence | None:
        """What was read after a write."""
        return self.phone.read_back(call, observation)

    def observe(self, deadline: Deadline) -> Sequence[Element]:
        """What is on the screen."""
        return self.phone.observe(deadline)

    def act(self, element: str, action: str, text: str, deadline: Deadline) -> Observation:
        """Act on one element of the last look."""
        return self.phone.act(element, action, text, deadline)

    def reset(self, world: WorldSpec) -> None:
        """Take the state of a world; a phone without a control port takes none with facts."""
        self.witness = ()
        self._at_control.clear()
        if self.control is None:
            self.phone.reset(world)
            return
        self.control.reset(world)
        reconnect(self.phone.server, self.phone.serial, Deadline(RETURN_SECONDS))  # a task may have switched it off
        self.phone.reset(WorldSpec(clock=world.clock, seed=world.seed))

    def prepare(self, task: TaskSpec) -> None:
        """Take a task's first state; raises `UnreadyError` where this phone can't."""
        if self.control is not None:
            self.reset(task.world)
            return
        self.reset(WorldSpec(clock=task.world.clock, seed=task.world.seed))
        self.phone.act("", "home", "", Deadline(30.0))
        self._before = self.phone.snapshot()
        prepare(self.phone, task)

    def clean(self) -> None:
        """Bring a phone that can't be reset back to where `prepare` found it; raises `UnreadyError`."""
        if self.control is None and self._before:
            before, self._before = self._before, ""
            clean(self.phone, before)

    def snapshot(self) -> str:
        """Remember the state, by the bridge and by the witness."""
        handle = self.phone.snapshot()
        self._permissions.clear()
        if self.control is not None:
            self._at_control[handle] = self.control.ask("snapshot")
        return handle

    def restore(self, handle: str) -> None:
        """Go back to a remembered state, as far as the bridge can."""
        self.phone.restore(handle)

    def diff(self, since: str) -> StateDiff:
        """What the bridge reads differently since; what the witness says against it is kept."""
        allowed = [change for change in self._permissions.values() if change.before != change.after]
        try:
            diff = in_words(self.phone.diff(since).plus(permissions_of(allowed)))
        except InfrastructureError:
            if not self._switched_off():
                raise
            self.witness = ("not read: the phone was switched off",)
            return self._told(since)
        self.witness = ()
        if self.control is not None:
            read_alone, told_alone = disagreement(diff, self._told(since))
            self.witness = (*(f"read alone: {one}" for one in read_alone), *(f"not read: {one}" for one in told_alone))
        return diff

    def _switched_off(self) -> bool:
        """Whether a planner switched a software phone off: nobody can read it then, and that is no broken line."""
        return self.control is not None and self.control.rows("power")[0]["state"] == "off"

    def _told(self, since: str) -> StateDiff:
        """The change as the control port tells it."""
        assert self.control is not None  # only asked with one
        return StateDiff.model_validate(self.control.ask("diff", since=self._at_control[since]))

    def close(self) -> None:
        """Give everything back."""
        self.phone.close()
        if self.control is not None:
            self.control.close()
