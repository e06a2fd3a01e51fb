"""A person acts, and the recorder looks: again and again, a screen is kept where it differs from the last.

What is done between two looks is guessed (guess.py) or marked as unknown. A phone that is unplugged is waited for; the
recording goes on where it comes back, with a gap. Two changes within one look are seen as one.
"""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from device.android.connection.server import reconnect
from device.android.connection.wire import pause
from device.android.errors import BridgeFailure
from device.android.record.folder import Folder
from device.android.record.guess import guess
from device.android.record.shot import Shot, take
from runtime.contract import Deadline, ErrorCode

if TYPE_CHECKING:
    from device.android.phone import AndroidPhone

EVERY = 0.3
"""Seconds between two looks."""
LOOK_SECONDS = 15.0
SETTLED = 2
"""Equal looks after which a screen has come to rest."""


class Watching:
    """Keeps what a person does."""

    def __init__(
        self,
        phone: "AndroidPhone",
        folder: Folder,
        every: float = EVERY,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.phone, self.folder, self.every, self.tell = phone, folder, every, tell
        self._kept: list[Shot] = []
        self._waiting: Shot | None = None
        self._seen = 0

    def watch(self, deadline: Deadline) -> None:
        """Until the deadline, or until it is cancelled."""
        while not (deadline.expired or deadline.cancel.cancelled):
            try:
                self.look(deadline)
                pause(min(self.every, deadline.remaining()), "watching", deadline)
            except BridgeFailure as failure:
                if deadline.cancel.cancelled or deadline.expired:
                    break
                self.lost(failure, deadline)
        self.settle()

    def look(self, deadline: Deadline) -> None:
        """One look; a new screen is kept once it has come to rest."""
        shot = take(self.phone, deadline.within(LOOK_SECONDS), picture=False)
        if self._kept and shot.lines == self._kept[-1].lines:
            self._waiting = None
            return
        if self._waiting is not None and shot.lines == self._waiting.lines:
            self._seen += 1
        else:
            self._waiting, self._seen = shot, 1
        if self._seen >= SETTLED:
            self.keep(take(self.phone, deadline.within(LOOK_SECONDS)))

    def settle(self) -> None:
        """Keep a screen that was seen once before the end."""
        if self._waiting is not None:
            self.keep(self._waiting)

    def keep(self, shot: Shot) -> None:
        """One more screen, with what probably led to it."""
        self._waiting = None
        if self._kept:
            found = guess(self._kept[-1], shot, self._kept[:-1])
            if found is None:
                self.folder.gap("what led to the next screen was not seen")
                self.tell("a new screen; what led to it is not clear")
            else:
                self.folder.input(found.kind, found.values, found.why)
                self.folder.result(None, shot.lines)
                self.tell(f"{found.kind}: {found.why}")
        self._kept.append(shot)
        self.folder.screen(shot)

    def lost(self, failure: BridgeFailure, deadline: Deadline) -> None:
        """The phone is gone or gave nothing: say so, wait, go on."""
        self.folder.gap(failure.message)
        self.tell(f"{failure.message}; waiting for the phone")
        if failure.code not in (ErrorCode.OFFLINE, ErrorCode.TIMEOUT):
            time.sleep(min(1.0, deadline.remaining()))
            return
        try:
            reconnect(self.phone.server, self.phone.shell.serial, deadline)
            self.folder.event("back")
            self.tell("the phone is back")
        except BridgeFailure:
            self.folder.gap("the phone did not come back")
