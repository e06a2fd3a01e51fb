"""Finding the row that a person means by a name, and the network that a tool needs.

Names are compared folded (case, accents, articles). An exact name wins; otherwise all words said must stand in it.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from device.sandbox.api import Sandbox, conflict, folded, not_found
from device.sandbox.rows.network import Radios, online

R = TypeVar("R")


def matches(rows: Iterable[R], said: str, name: Callable[[R], str]) -> list[R]:
    """The rows named exactly `said`; failing that, those whose name has all of its words."""
    target, listed = folded(said), list(rows)
    exact = [row for row in listed if folded(name(row)) == target]
    words = set(target.split())
    return exact or [row for row in listed if words and words <= set(folded(name(row)).split())]


def only(rows: Iterable[R], said: str, name: Callable[[R], str], what: str) -> R:
    """The one row that `said` names; 404 with what there is, 409 with the candidates."""
    listed = list(rows)
    found = matches(listed, said, name)
    if not found:
        there = sorted({name(row) for row in listed})[:8]
        raise not_found(f"no {what} is called `{said}`; there is {', '.join(there) or 'none'}", candidates=there)
    if len(found) > 1:
        names = sorted(name(row) for row in found)
        raise conflict(f"`{said}` fits more than one {what}: {', '.join(names)}; say which", candidates=names)
    return found[0]


def bare_playlist(said: str) -> str:
    """A playlist's name without the words that only point at it ("my dinner playlist")."""
    kept = [word for word in folded(said).split() if word not in {"my", "playlist", "list"}]
    return " ".join(kept) or said


def need_online(phone: Sandbox, what: str) -> None:
    """409 `offline` when there is no way to the internet, naming the tool that opens one."""
    if online(phone):
        return
    tool = "manage_airplane_mode" if phone.one(Radios).airplane_mode else "manage_wifi"
    raise conflict(
        f"the phone is offline and can't {what}; use `{tool}` or `manage_mobile_data` first", reason="offline"
    )


def need_signal(phone: Sandbox, what: str) -> None:
    """409 while airplane mode is on: calls and text messages need the mobile network."""
    if phone.one(Radios).airplane_mode:
        raise conflict(
            f"airplane mode is on and the phone can't {what}; turn it off with `manage_airplane_mode` first",
            reason="offline",
        )


def need_ground(phone: Sandbox, what: str) -> None:
    """409 while airplane mode forbids this radio."""
    if phone.one(Radios).airplane_mode:
        raise conflict(f"airplane mode is on, so {what} stays off; use `manage_airplane_mode` with disable first")
