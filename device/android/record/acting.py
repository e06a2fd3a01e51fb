"""An agent acts, and the recorder is told: the contract's `Screen` over a phone, every act kept with its screens.

A screen that could not be read leaves a gap, and what the phone answers goes on to the agent as it is.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from device.android.errors import BridgeFailure
from device.android.record.folder import REPLAYED, Folder
from device.android.record.shot import take
from runtime.contract import Deadline, Element, Json, Observation

if TYPE_CHECKING:
    from device.android.phone import AndroidPhone

LOOK_SECONDS = 15.0


class RecordedScreen:
    """Looks and acts on a phone, and keeps what happens."""

    def __init__(self, phone: "AndroidPhone", folder: Folder) -> None:
        self._phone, self._folder = phone, folder
        self._inputs: list[tuple[str, Json]] = []
        phone.gui.noted = lambda kind, values: self._inputs.append((kind, values))

    def observe(self, deadline: Deadline) -> Sequence[Element]:
        """What is on the screen."""
        return self._phone.observe(deadline)

    def act(self, element: str, action: str, text: str, deadline: Deadline) -> Observation:
        """Act, and keep input, result and the screen that came of it."""
        if not self._folder.screens:
            self._keep(deadline)
        self._inputs.clear()
        seen = self._phone.act(element, action, text, deadline)
        for kind, values in self._inputs:
            self._folder.input(kind, values)
        if self._inputs and self._inputs[-1][0] not in REPLAYED:
            self._opened()
        if self._inputs or seen.data.get("changed"):
            lines = self._keep(deadline)
            self._folder.result(seen, lines)
        return seen

    def close(self) -> None:
        """Be told no more."""
        self._phone.gui.noted = None

    def _opened(self) -> None:
        """An app that was opened by its name: a recording may begin there, but not jump there."""
        if self._folder.screens == 1:
            self._folder.again()
        else:
            self._folder.gap("an app was opened by its name")

    def _keep(self, deadline: Deadline) -> tuple[str, ...]:
        try:
            shot = take(self._phone, deadline.within(LOOK_SECONDS))
        except BridgeFailure as failure:
            self._folder.gap(failure.message)
            return ()
        self._folder.screen(shot)
        return shot.lines
