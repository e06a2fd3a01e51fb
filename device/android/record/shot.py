"""One screen as it is kept: the dump, a picture of the same moment, the activity."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from device.android.errors import BridgeFailure
from device.android.screen import Folded, fold
from device.android.screen.dump import clean
from device.android.screen.picture import read_picture
from runtime.contract import Deadline, ErrorCode

if TYPE_CHECKING:
    from device.android.phone import AndroidPhone

_FOCUS = re.compile(r"mCurrentFocus=Window\{\S+ \S+ ([\w.]+)/([\w.$]+)\}")


@dataclass(frozen=True, slots=True)
class Shot:
    """One screen."""

    tree: str
    """The dump's XML, without what XML forbids."""
    folded: Folded
    """The same, folded."""
    picture: bytes | None = None
    """PNG; None where there is none."""
    activity: str = ""
    """Class of the activity in front."""
    why: str = ""
    """Why there is no picture."""

    @property
    def lines(self) -> tuple[str, ...]:
        """What is on it, element by element, without what changes by itself: the system's bars."""
        kept = [one for one in self.folded.elements if one.package != "com.android.systemui"]
        return tuple(one.line().partition(" ")[2] for one in kept)


def take(phone: "AndroidPhone", deadline: Deadline, picture: bool = True) -> Shot:
    """The screen as it is now; a picture that can't be had is named and not missed. Raises `BridgeFailure`."""
    data, tree = phone.gui.dump(deadline)
    folded, png, why = fold(tree), None, ""
    if picture:
        try:
            found = read_picture(phone.shell.raw("screencap", "-p", deadline=deadline))
            png = None if found.black else found.data
            why = "it is black: the window is secure or the screen is off" if found.black else ""
            if (found.landscape) != (folded.width > folded.height):
                png, why = None, "the phone turned between dump and picture"
        except BridgeFailure as failure:
            if failure.code not in (ErrorCode.CONFLICT, ErrorCode.UNSUPPORTED):
                raise
            why = failure.message
    focus = _FOCUS.search(phone.shell.run("dumpsys", "window", "windows", deadline=deadline).text)
    return Shot(clean(data), folded, png, focus[2] if focus else "", why)
