"""One screen as it is kept: the dump, a picture of the same moment, the activity.

What is personal is painted over where the tree has it. So the tree is read again after the picture: one of a screen
that moved in between is none.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from device.android.errors import BridgeFailure, conflict
from device.android.screen import Folded, fold
from device.android.screen.dump import clean
from device.android.screen.picture import read_picture
from runtime.contract import Deadline, ErrorCode

if TYPE_CHECKING:
    from device.android.phone import AndroidPhone

_FOCUS = re.compile(r"mCurrentFocus=Window\{\S+ \S+ ([\w.]+)/([\w.$]+)\}")


BARS = "com.android.systemui"
TRIES = 3
"""Pictures of a screen that moves."""
DEEPEST = 200
"""Levels of a tree that a recording takes."""


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
        kept = [one for one in self.folded.elements if one.package != BARS]
        return tuple(one.line().partition(" ")[2] for one in kept)


def _dumped(phone: "AndroidPhone", deadline: Deadline) -> tuple[bytes, Folded]:
    data, tree = phone.gui.dump(deadline)
    levels = [0] * len(tree.nodes)
    for node in tree.nodes:
        levels[node.index] = levels[node.parent] + 1 if node.parent >= 0 else 1
    if max(levels) > DEEPEST:
        raise conflict(f"the screen's tree is {max(levels)} levels deep; {DEEPEST} can be kept. Go to another screen")
    return data, fold(tree)


def _pictured(phone: "AndroidPhone", folded: Folded, deadline: Deadline) -> tuple[bytes | None, str]:
    """The picture, or why there is none."""
    try:
        found = read_picture(phone.shell.raw("screencap", "-p", deadline=deadline))
    except BridgeFailure as failure:
        if failure.code not in (ErrorCode.CONFLICT, ErrorCode.UNSUPPORTED):
            raise
        return None, failure.message
    if found.black:
        return None, "it is black: the window is secure or the screen is off"
    if found.landscape != (folded.width > folded.height):
        return None, "the phone turned between dump and picture"
    return found.data, ""


def _still(one: Folded, other: Folded) -> bool:
    """Whether nothing but the system's bars differs."""
    own = [[piece for piece in folded.elements if piece.package != BARS] for folded in (one, other)]
    return own[0] == own[1] and one.rotation == other.rotation


def take(phone: "AndroidPhone", deadline: Deadline, picture: bool = True) -> Shot:
    """The screen as it is now; a picture that can't be had is named and not missed. Raises `BridgeFailure`."""
    data, folded = _dumped(phone, deadline)
    png, why = None, ""
    for _ in range(TRIES if picture else 0):
        png, why = _pictured(phone, folded, deadline)
        if png is None:
            break
        before, (data, folded) = folded, _dumped(phone, deadline)
        if _still(before, folded):
            break
        png, why = None, "the screen moved while its picture was taken"
    focus = _FOCUS.search(phone.shell.run("dumpsys", "window", "windows", deadline=deadline).text)
    return Shot(clean(data), folded, png, focus[2] if focus else "", why)
