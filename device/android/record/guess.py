"""What a person probably did between two screens: nobody tells, so the difference must.

1. A field holds another text: that was typed.
2. Home is in front: the home key. The screen of before is back: the back key.
3. What stood lower stands higher, or the other way round: a stroke over the list.
4. A switch or a choice differs: it was tapped. Else the element that the new page is named after: it was tapped.

Anything else is unknown and stays so: a recording never makes an input up.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from device.android.record.shot import Shot
from device.android.screen import FoldedElement
from runtime.contract import Json

_LAUNCHERS = ("launcher", "home")
_SAME_PAGE = 0.5
"""Share of equal lines from which two screens are one page."""
_STROKE = 60
"""Pixels that a list must move to be called scrolled."""
_STATES = {"on", "off", "selected"}


@dataclass(frozen=True, slots=True)
class Guess:
    """One input."""

    kind: str
    """As in `steps.jsonl`."""
    values: Json
    """What belongs to it."""
    why: str
    """What it was seen by."""


def guess(before: Shot, after: Shot, earlier: Sequence[Shot] = ()) -> Guess | None:
    """The input that explains the difference; None where none does. `earlier`: screens before `before`."""
    if (typed := _typed(before, after)) is not None:
        return typed
    if _at_home(after) and not _at_home(before):
        return Guess("key", {"key": "home"}, "home is in front")
    if (moved := _moved(before, after)) is not None:
        return moved
    if (ticked := _ticked(before, after)) is not None:
        return _tap(ticked, f"`{ticked.label}` differs")
    named = _named(before, after)
    if named is not None:
        return _tap(named, f"the new page begins with `{named.label.partition(', ')[0]}`")
    if any(shot.lines == after.lines for shot in earlier[-2:]):
        return Guess("key", {"key": "back"}, "the screen of before is back")
    return None


def _own(shot: Shot) -> list[FoldedElement]:
    return [one for one in shot.folded.elements if one.package == shot.folded.package]


def _tap(on: FoldedElement, why: str) -> Guess:
    x, y = on.box.centre
    return Guess("tap", {"x": x, "y": y}, why)


def is_launcher(package: str) -> bool:
    """Whether a package is one of those that show the home screen."""
    return any(part in package for part in _LAUNCHERS)


def _at_home(shot: Shot) -> bool:
    return is_launcher(shot.folded.package)


def _typed(before: Shot, after: Shot) -> Guess | None:
    old = {(one.rid, one.label, one.box): one.value for one in _own(before) if one.role == "field"}
    for one in _own(after):
        if one.role == "field" and one.value and old.get((one.rid, one.label, one.box), one.value) != one.value:
            x, y = one.box.centre
            return Guess("text", {"text": one.value, "x": x, "y": y}, f"`{one.label}` holds another text")
    return None


def _moved(before: Shot, after: Shot) -> Guess | None:
    old, new = _alone(before), _alone(after)
    shifts = [old[key] - new[key] for key in old.keys() & new.keys()]
    shifts = [shift for shift in shifts if shift]
    if len(shifts) < 2 or abs(median(shifts)) < _STROKE or len({round(shift / 20) for shift in shifts}) > 2:
        return None
    x, middle, half = before.folded.width // 2, before.folded.height // 2, int(abs(median(shifts))) // 2
    down = median(shifts) > 0
    y, y2 = (middle + half, middle - half) if down else (middle - half, middle + half)
    return Guess("swipe", {"x": x, "y": y, "x2": x, "y2": y2}, f"the list moved {'up' if down else 'down'}")


def _alone(shot: Shot) -> dict[tuple[str, str], int]:
    """Upper edges of the elements whose words stand there once."""
    named = [((one.role, one.label), one.box.top) for one in _own(shot) if one.label]
    count = Counter(key for key, _ in named)
    return {key: top for key, top in named if count[key] == 1}


def _ticked(before: Shot, after: Shot) -> FoldedElement | None:
    """The one element whose state differs on a page that is the same; of a row and its switch the row."""
    if _alike(before, after) < _SAME_PAGE:
        return None
    old = {(one.rid, one.label, one.box): set(one.states) & _STATES for one in _own(before)}
    changed = [
        one
        for one in _own(after)
        if old.get((one.rid, one.label, one.box), set(one.states) & _STATES) != set(one.states) & _STATES
    ]
    switched = [one for one in changed if "on" in one.states or "selected" in one.states] or changed
    return switched[0] if len(switched) == 1 else None


def _alike(before: Shot, after: Shot) -> float:
    old, new = set(before.lines), set(after.lines)
    return len(old & new) / max(1, len(old | new))


def _named(before: Shot, after: Shot) -> FoldedElement | None:
    """The element of before that the new page is named after."""
    titles = [one.label.casefold() for one in _own(after) if one.role == "text"][:2]
    package = after.folded.package.casefold()
    able = [one for one in _own(before) if "tap" in one.actions and one.label]
    for one in able:
        title = one.label.partition(", ")[0].casefold()
        if title in titles or (_at_home(before) and title.replace(" ", "") in package):
            return one
    return None
