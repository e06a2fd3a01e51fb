"""An element of an earlier observation, found again on the screen as it is now.

Positions move and numbers change while a planner thinks, so neither identifies an element. What does:

1. class, resource id, app, role and label; a field by the same without its value, because typing changes it;
2. among several alike (a `Delete` in each row), the one between the same neighbours; where only one neighbour is the
   same, the other must still be there. Where the neighbours don't tell them apart, nothing else may differ: then it is
   the one at the old place, else the one of the same rank;
3. where the label is gone, the only one that differs in digits alone (a clock ticks, a badge counts), if there was only
   one before.

A button whose label changed in words is another button ("Follow" became "Unfollow"): it is lost, never guessed. For
what can't be taken back, `check_place` asks for more: the same label to the digit, and everything else still there.
"""

import re
from collections.abc import Callable, Sequence

from device.android.screen.fold import FoldedElement

_DIGITS = re.compile(r"\d+")
Mark = tuple[str, str, str, str, str]
Beside = tuple[str, str]


class Lost(LookupError):  # noqa: N818 - says what is wrong, in one sentence
    """The element is no longer there, or can't be told from others; says which."""


def identity(element: FoldedElement) -> Mark:
    """What stays the same while the element is the same."""
    label = "" if element.role == "field" and element.rid else element.label
    return element.package, element.kind, element.rid, element.role, label


def find_again(wanted: FoldedElement, before: Sequence[FoldedElement], now: Sequence[FoldedElement]) -> FoldedElement:
    """The element of `now` that is `wanted` of `before`; raises `Lost`."""
    mark = identity(wanted)
    found = [element for element in now if identity(element) == mark]
    if not found:
        return _but_for_digits(wanted, before, now)
    alike = [element for element in before if identity(element) == mark]
    if len(found) == len(alike) == 1:
        return found[0]
    between = _by_neighbours(wanted, mark, before, now)
    if between is not None:
        return between
    if _others(before, mark) == _others(now, mark):
        there = [element for element in found if element.box == wanted.box]
        if len(there) == 1:
            return there[0]
        if len(found) == len(alike):
            return found[alike.index(wanted)]
    raise Lost(f"{len(found)} elements look like `{wanted.line()}` now, {len(alike)} did before; look again")


def check_place(
    wanted: FoldedElement, found: FoldedElement, before: Sequence[FoldedElement], now: Sequence[FoldedElement]
) -> None:
    """Raise `Lost` unless the screen is still the one that the element was taken from."""
    if found.label != wanted.label:
        raise Lost(f"`{wanted.line()}` reads `{found.label}` now; look again")
    there = {_without_digits(element.label) for element in now}
    for element in before:
        own = element.package == wanted.package and element.role != "field" and "off screen" not in element.states
        if own and element.label and _without_digits(element.label) not in there:
            raise Lost(f"`{element.label}` is gone since `{wanted.line()}` was seen; look again")


def _by_neighbours(
    wanted: FoldedElement, mark: Mark, before: Sequence[FoldedElement], now: Sequence[FoldedElement]
) -> FoldedElement | None:
    """The one of several alike that has the neighbours of before; None where they don't tell."""
    for read in (str, _without_digits):
        old, new = _neighbours(before, mark, read), _neighbours(now, mark, read)
        beside = old[wanted.id]
        if list(old.values()).count(beside) == 1:
            same = [number for number, one in new.items() if one == beside]
            if len(same) == 1:
                return next(element for element in now if element.id == same[0])
    old, new = _neighbours(before, mark, str), _neighbours(now, mark, str)
    there = {"", *(element.label for element in now)}
    for side in (0, 1):
        label, other = old[wanted.id][side], old[wanted.id][1 - side]
        same = [number for number, one in new.items() if one[side] == label]
        if label and other in there and len(same) == 1 and [one[side] for one in old.values()].count(label) == 1:
            return next(element for element in now if element.id == same[0])
    return None


def _neighbours(elements: Sequence[FoldedElement], mark: Mark, read: Callable[[str], str]) -> dict[int, Beside]:
    """For each element that looks so, the labels that stand before and after it."""
    after, following = {}, ""
    for element in reversed(elements):
        if identity(element) == mark:
            after[element.id] = following
        elif element.label:
            following = read(element.label)
    found, last = {}, ""
    for element in elements:
        if identity(element) == mark:
            found[element.id] = (last, after[element.id])
        elif element.label:
            last = read(element.label)
    return found


def _others(elements: Sequence[FoldedElement], mark: Mark) -> list[str]:
    return [_without_digits(element.label) for element in elements if identity(element) != mark and element.label]


def _but_for_digits(
    wanted: FoldedElement, before: Sequence[FoldedElement], now: Sequence[FoldedElement]
) -> FoldedElement:
    found = [element for element in now if _masked(element) == _masked(wanted)]
    alike = [element for element in before if _masked(element) == _masked(wanted)]
    if len(found) == len(alike) == 1 and "#" in _masked(wanted)[-1]:
        return found[0]
    raise Lost(f"`{wanted.line()}` is no longer on the screen; look again")


def _masked(element: FoldedElement) -> tuple[str, ...]:
    *rest, label = identity(element)
    return *rest, _without_digits(label)


def _without_digits(label: str) -> str:
    return _DIGITS.sub("#", label)
