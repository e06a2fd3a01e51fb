"""What is on the screen of a connected phone now: elements with ids, a picture beside them, what stands in the way.

1. Ids carry the letters of their look (`c12`, after `z9` comes `aa1`), which no other look gets: an id of an earlier
   one is known as such, however old it is. Looks that nobody is shown get none.
2. The helper's dump comes first; where a busy screen makes it fail, `uiautomator dump` is asked for the next minute. An
   old file is never read: its name is new each time, and it is removed.
"""

import re
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from string import ascii_lowercase
from typing import TYPE_CHECKING, Literal

from device.android.connection.wire import pause
from device.android.errors import BridgeFailure, conflict
from device.android.screen import DumpProblem, Folded, fold, read_dump
from device.android.screen.dump import Tree
from device.android.screen.picture import Picture, read_picture
from device.android.shell import Shell
from runtime.contract import Deadline, Element, ErrorCode

if TYPE_CHECKING:
    from device.android.agent import Agent

BUSY_SECONDS = 60.0
REMEMBERED = 8
_PERMISSION = ("permissioncontroller", "packageinstaller")
_SIGN_IN = frozenset(("sign in", "log in", "sign in with google", "login", "continue with google"))
Obstacle = Literal["", "permission_dialog", "sign_in", "secure_window"]
_FLAGS = re.compile(r"\bfl=(?:#([0-9a-f]+)|([A-Z_ ]+))")
"""Flags of a window: in hexadecimal up to Android 8, as words since."""
_SECURE = 0x2000
"""`FLAG_SECURE`, of `android.view.WindowManager.LayoutParams`."""
_names = count(1)


@dataclass(frozen=True, slots=True)
class Look:
    """One observation."""

    letter: str
    """Letters of its ids; none where nobody is shown them."""
    folded: Folded
    """What was there."""

    @property
    def obstacle(self) -> Obstacle:
        """What only a person may pass."""
        if any(part in self.folded.package for part in _PERMISSION):
            return "permission_dialog"
        fields = [one for one in self.folded.elements if one.role == "field"]
        labels = {one.label.casefold() for one in self.folded.elements}
        secret = any(one.secret or "password" in one.label.casefold() for one in fields)
        return "sign_in" if secret and labels & _SIGN_IN else ""


def letters(number: int) -> str:
    """The name of a look by its number: a, b, ... z, aa, ab, ..."""
    name, number = "", number + 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = ascii_lowercase[rest] + name
    return name


class Sight:
    """Looks."""

    def __init__(self, shell: Shell, agent: "Agent") -> None:
        self.shell = shell
        self.agent = agent
        self._looks: OrderedDict[str, Look] = OrderedDict()
        self._shown = count()
        self._busy_until = 0.0

    def observe(self, deadline: Deadline) -> Sequence[Element]:
        """The elements that are on the screen now."""
        look = self.look(deadline)
        return tuple(
            Element(
                id=f"{look.letter}{one.id}",
                role=one.role,
                label=one.line().partition(" ")[2].removeprefix(one.role).strip(),
                actions=one.actions,
            )
            for one in look.folded.elements
        )

    def look(self, deadline: Deadline, shown: bool = True) -> Look:
        """Dump, fold and remember; an app that shows nothing yet is asked a second time. `shown`: its ids are told."""
        folded = self._folded(deadline)
        if not any(one.role != "text" for one in folded.elements):
            pause(0.3, "the screen", deadline)
            folded = self._folded(deadline)
        return self.remember(folded) if shown else Look("", folded)

    def remember(self, folded: Folded) -> Look:
        """A look whose ids are told."""
        look = Look(letters(next(self._shown)), folded)
        self._looks[look.letter] = look
        while len(self._looks) > REMEMBERED:
            self._looks.popitem(last=False)
        return look

    def picture(self, deadline: Deadline) -> tuple[Look, Picture]:
        """Tree and screenshot of the same moment: as the phone was turned before and after the picture."""
        for _ in range(3):
            before = self.look(deadline)
            picture = read_picture(self.shell.raw("screencap", "-p", deadline=deadline))
            after = self._folded(deadline)
            turned = (before.folded.width > before.folded.height) != picture.landscape
            if before.folded.rotation == after.rotation and not turned:
                if picture.black and self.secure(deadline):
                    raise conflict("the window in front is secure: its picture is black and may not be copied")
                return before, picture
        raise conflict("the phone keeps turning; hold it still or lock its rotation with `manage_auto_rotate`")

    def secure(self, deadline: Deadline) -> bool:
        """Whether the window in front forbids pictures (`FLAG_SECURE` in `dumpsys window`)."""
        text = self.shell.run("dumpsys", "window", "windows", deadline=deadline).text
        focus = text.rpartition("mCurrentFocus=Window{")[2].partition(" ")[0]
        own = text.partition(f"Window{{{focus}")[2].partition("\n  Window #")[0] if focus else ""
        flags = _FLAGS.search(own)
        if flags is None:
            return False
        return bool(int(flags[1], 16) & _SECURE) if flags[1] else "SECURE" in flags[2].split()

    def _folded(self, deadline: Deadline) -> Folded:
        try:
            return fold(self.dump(deadline)[1])
        except BridgeFailure as failure:
            failure.landed = "no"  # a look changes nothing, wherever it broke
            raise

    def dump(self, deadline: Deadline) -> tuple[bytes, Tree]:
        """The dump of the screen as the phone wrote it, and read."""
        if time.monotonic() >= self._busy_until:
            try:
                said = str(self.agent.call("dumpWindowHierarchy", [False, 50], deadline) or "")
                data = said.encode(errors="replace")  # JSON can hold half of a character, and no text can
                return data, read_dump(data)
            except DumpProblem:
                pass
            except BridgeFailure as failure:
                if failure.code in (ErrorCode.CANCELLED, ErrorCode.TIMEOUT) or deadline.expired:
                    raise
            slow = self._slow_dump(deadline)
            self._busy_until = time.monotonic() + BUSY_SECONDS  # where neither way works, it is not the screen
            return slow
        return self._slow_dump(deadline)

    def _slow_dump(self, deadline: Deadline) -> tuple[bytes, Tree]:
        """By `uiautomator dump`, which starts a process of its own; not while the helper holds the slot."""
        path = f"/data/local/tmp/pocket-{next(_names)}-{time.time_ns()}.xml"
        self.agent.close()
        said = self.shell.run("uiautomator", "dump", path, deadline=deadline).said
        try:
            data = self.shell.raw("cat", path, deadline=deadline)
        finally:
            self.shell.run("rm", "-f", path, deadline=deadline)
        try:
            return data, read_dump(data)
        except DumpProblem as problem:
            raise conflict(f"the screen can't be read: {said or problem}. {problem}") from None
