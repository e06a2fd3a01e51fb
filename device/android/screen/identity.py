"""An element of an earlier observation, found again on the screen as it is now.

Positions move and numbers change while a planner thinks, so neither identifies an element. What does:

1. class, resource id, app, role and label; a field by the same without its value, because typing changes it;
2. among several alike, the one at the old place; else the one of the same rank, if there are as many as before;
3. where the label is gone, the only one that differs in digits alone (a clock ticks, a badge counts), if there was only
   one before.

A button whose label changed in words is another button ("Follow" became "Unfollow"): it is lost, never guessed.
"""

import re
from collections.abc import Sequence

from device.android.screen.fold import FoldedElement

_DIGITS = re.compile(r"\d+")


class Lost(LookupError):  # noqa: N818 - says what is wrong, in one sentence
    """The element is no longer there, or can't be told from others; says which."""


def identity(element: FoldedElement) -> tuple[str, str, str, str, str]:
    """What stays the same while the element is the same."""
    label = "" if element.role == "field" and element.rid else element.label
    return element.package, element.kind, element.rid, element.role, label


def find_again(wanted: FoldedElement, before: Sequence[FoldedElement], now: Sequence[FoldedElement]) -> FoldedElement:
    """The element of `now` that is `wanted` of `before`; raises `Lost`."""
    mark = identity(wanted)
    found = [element for element in now if identity(element) == mark]
    if not found:
        return _but_for_digits(wanted, before, now)
    if len(found) == 1:
        return found[0]
    there = [element for element in found if element.box == wanted.box]
    if len(there) == 1:
        return there[0]
    alike = [element for element in before if identity(element) == mark]
    if len(found) == len(alike):
        return found[alike.index(wanted)]
    raise Lost(f"{len(found)} elements look like `{wanted.line()}` now, {len(alike)} did before; look again")


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
    return *rest, _DIGITS.sub("#", label)
