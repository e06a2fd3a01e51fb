"""The screen of a connected phone: what is on it, and one action on one element, with proof.

1. `observe` dumps and folds. Ids carry a letter of their observation (`c12`), so that an id of an earlier look is known
   as such and its element is found again by identity, never by position.
2. `act` looks again, finds the element, makes sure that nothing covers it, sends one action once, and looks until the
   screen differs or time is up. What changed is the evidence; typed text is read back.
3. A permission dialog and a sign-in wall are for a person: acting on them is `permission_denied` with the reason.
4. The helper's dump comes first; where a busy screen makes it fail, `uiautomator dump` is asked for the next minute. An
   old file is never read: its name is new each time, and it is removed.
"""

import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, Literal

from device.android.connection.wire import pause
from device.android.errors import BridgeFailure, bad_argument, conflict, denied
from device.android.screen import DumpProblem, Folded, FoldedElement, Lost, find_again, fold, read_dump
from device.android.screen.dump import Tree
from device.android.screen.picture import Picture, read_picture
from device.android.shell import Shell
from runtime.contract import (
    Deadline,
    Element,
    ErrorCode,
    Evidence,
    ExecutedCall,
    Failure,
    Observation,
    TextPart,
    ToolFailure,
)

if TYPE_CHECKING:
    from device.android.agent import Agent

ACTIONS = ("tap", "long_press", "type", "scroll", "back", "home", "enter", "wait")
GLOBAL = {"back": "KEYCODE_BACK", "home": "KEYCODE_HOME", "enter": "KEYCODE_ENTER"}
EFFECT_SECONDS = 3.0
"""Longest wait for a screen to change after an action."""
BUSY_SECONDS = 60.0
REMEMBERED = 8
_LONG_MS = 800
_PERMISSION = ("permissioncontroller", "packageinstaller")
_SIGN_IN = frozenset(("sign in", "log in", "sign in with google", "login", "continue with google"))
Obstacle = Literal["", "permission_dialog", "sign_in"]
_names = count(1)


@dataclass(frozen=True, slots=True)
class Look:
    """One observation."""

    letter: str
    """Of its ids."""
    folded: Folded
    """What was there."""

    @property
    def obstacle(self) -> Obstacle:
        """What only a person may pass."""
        if any(part in self.folded.package for part in _PERMISSION):
            return "permission_dialog"
        fields = [one for one in self.folded.elements if one.role == "field"]
        labels = {one.label.casefold() for one in self.folded.elements}
        secret = any("(hidden)" in one.value or "password" in one.label.casefold() for one in fields)
        return "sign_in" if secret and labels & _SIGN_IN else ""


class Gui:
    """Looks and acts."""

    def __init__(self, shell: Shell, agent: "Agent") -> None:
        self.shell = shell
        self.agent = agent
        self._looks: OrderedDict[str, Look] = OrderedDict()
        self._letters = count()
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

    def look(self, deadline: Deadline) -> Look:
        """Dump, fold and remember; an app that shows nothing yet is asked a second time."""
        folded = self._folded(deadline)
        if not any(one.role != "text" for one in folded.elements):
            pause(0.3, "the screen", deadline)
            folded = self._folded(deadline)
        look = Look(ascii_lowercase[next(self._letters) % 26], folded)
        self._looks.pop(look.letter, None)
        self._looks[look.letter] = look
        while len(self._looks) > REMEMBERED:
            self._looks.popitem(last=False)
        return look

    def act(self, element: str, action: str, text: str, deadline: Deadline) -> Observation:
        """One action on one element; `back`, `home`, `enter` and `wait` take none."""
        call = ExecutedCall(
            name=f"screen.{action}", arguments={"element": element, "text": text}, idempotency_key="", landed="no"
        )
        try:
            return self._act(call, element, action, text, deadline)
        except ToolFailure as failure:
            landed = failure.landed if isinstance(failure, BridgeFailure) else "no"
            return Observation(
                call_id="",
                parts=(TextPart(text=failure.message),),
                call=call.model_copy(update={"landed": landed}),
                failure=Failure(code=failure.code, message=failure.message),
            )

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
        return " SECURE" in own or "flags=SECURE" in own

    def _act(self, call: ExecutedCall, element: str, action: str, text: str, deadline: Deadline) -> Observation:
        if action not in ACTIONS:
            raise bad_argument(f"`action` is `{action}`; it must be one of {', '.join(ACTIONS)}", valid=list(ACTIONS))
        if action == "wait":
            pause(min(2.0, deadline.remaining()), "waiting", deadline)
            return self._done(call, self.look(deadline), self.look(deadline), None, text)
        if action in GLOBAL:
            before = self.look(deadline)
            self._send("input", "keyevent", GLOBAL[action], deadline=deadline)
            return self._proved(call, before, None, text, deadline)
        before, target = self._target(element, action, deadline)
        if action == "type":
            self._type(before, target, text, deadline)
        else:
            self._touch(target, action, text, deadline)
        return self._proved(call, before, target, text, deadline)

    def _target(self, element: str, action: str, deadline: Deadline) -> tuple[Look, FoldedElement]:
        """The element as it is now, free to be acted on."""
        seen = self._looks.get(element[:1])
        number = int(element[1:]) if element[1:].isdecimal() else 0
        wanted = next((one for one in seen.folded.elements if one.id == number), None) if seen else None
        if seen is None or wanted is None:
            raise bad_argument(f"`{element}` is no element of a recent look; look at the screen and take an id from it")
        now = self.look(deadline)
        if now.obstacle == "permission_dialog":
            raise denied("a permission dialog is open; only the user may answer it", obstacle=now.obstacle)
        try:
            found = find_again(wanted, seen.folded.elements, now.folded.elements)
        except Lost as lost:
            raise conflict(str(lost)) from None
        if action not in found.actions and not (action == "tap" and found.role == "text"):
            offered = ", ".join(found.actions) or "none"
            raise bad_argument(f"`{found.line(now.letter)}` takes {offered}; not `{action}`", valid=list(found.actions))
        if "off screen" in found.states:
            raise conflict(f"`{found.line(now.letter)}` is off screen; scroll to it first")
        if now.obstacle == "sign_in" and action == "type":
            raise denied("this is a sign-in; only the user may enter credentials", obstacle=now.obstacle)
        if _covered(found, now.folded):
            self._send("input", "keyevent", "KEYCODE_BACK", deadline=deadline)
            return self._target(element, action, deadline)
        return now, found

    def _touch(self, target: FoldedElement, action: str, text: str, deadline: Deadline) -> None:
        x, y = target.box.centre
        if action == "tap":
            self.agent.call("click", [x, y], deadline)
        elif action == "long_press":
            self._send("input", "swipe", *map(str, (x, y, x, y, _LONG_MS)), deadline=deadline)
        else:
            self._scroll(target, text or "down", deadline)

    def _scroll(self, target: FoldedElement, towards: str, deadline: Deadline) -> None:
        box, (x, y) = target.box, target.box.centre
        high, wide = (box.bottom - box.top) * 3 // 10, (box.right - box.left) * 3 // 10
        strokes = {
            "down": (x, y + high, x, y - high),
            "up": (x, y - high, x, y + high),
            "right": (x + wide, y, x - wide, y),
            "left": (x - wide, y, x + wide, y),
        }
        if towards not in strokes:
            raise bad_argument(f"`text` is `{towards}`; scroll takes {', '.join(strokes)}", valid=list(strokes))
        self._send("input", "swipe", *map(str, (*strokes[towards], 300)), deadline=deadline)

    def _type(self, before: Look, target: FoldedElement, text: str, deadline: Deadline) -> None:
        """Replace what a field holds, through the accessibility action: any text, no keyboard switched."""
        if "focused" not in target.states:
            self.agent.call("click", list(target.box.centre), deadline)
        from uiautomator2._selector import Selector

        done = self.agent.call("setText", [dict(Selector(focused=True)), text], deadline)
        if done is False:
            raise conflict(f"`{target.line(before.letter)}` did not take the text", "unknown")

    def _proved(
        self, call: ExecutedCall, before: Look, target: FoldedElement | None, text: str, deadline: Deadline
    ) -> Observation:
        """Look until something differs."""
        until = time.monotonic() + min(EFFECT_SECONDS, deadline.remaining())
        wait = 0.05
        while True:
            after = self.look(deadline)
            if after.folded.elements != before.folded.elements or time.monotonic() + wait > until:
                return self._done(call, before, after, target, text)
            pause(wait, "the screen", deadline)
            wait = min(wait * 2, 0.5)

    def _done(
        self, call: ExecutedCall, before: Look, after: Look, target: FoldedElement | None, text: str
    ) -> Observation:
        old, new = _lines(before), _lines(after)
        facts: dict[str, Any] = {
            "changed": old != new,
            "appeared": [line for line in new if line not in old],
            "gone": [line for line in old if line not in new],
            "app": after.folded.package,
        }
        if after.obstacle:
            facts["obstacle"] = after.obstacle
        failure = None
        if call.name == "screen.type" and target is not None:
            facts["value"] = _value_of(target, before, after)
            if facts["value"] != " ".join(text.split()) and "password" not in target.label.casefold():
                failure = Failure(
                    code=ErrorCode.CONFLICT, message=f"the field reads {facts['value']!r} and not what was typed"
                )
        shown = "\n".join(one.line(after.letter) for one in after.folded.elements)
        return Observation(
            call_id="",
            parts=(TextPart(text=shown),),
            data=facts,
            call=call.model_copy(update={"landed": "yes"}),
            evidence=Evidence(source="the screen, before and after", facts=facts),
            failure=failure,
        )

    def _send(self, *words: str, deadline: Deadline) -> None:
        result = self.shell.run(*words, deadline=deadline)
        if "INJECT_EVENTS" in result.said:
            raise denied(
                "the phone refuses injected input; in its developer options, allow `USB debugging (Security settings)`"
            )
        if result.status:
            raise conflict(f"`{' '.join(words[:2])}` failed on the phone: {result.said}")

    def _folded(self, deadline: Deadline) -> Folded:
        return fold(self._tree(deadline))

    def _tree(self, deadline: Deadline) -> Tree:
        if time.monotonic() >= self._busy_until:
            try:
                return read_dump(str(self.agent.call("dumpWindowHierarchy", [False, 50], deadline) or "").encode())
            except DumpProblem:
                pass
            except BridgeFailure as failure:
                if failure.code in (ErrorCode.CANCELLED, ErrorCode.TIMEOUT) or deadline.expired:
                    raise
            self._busy_until = time.monotonic() + BUSY_SECONDS
        return self._slow_tree(deadline)

    def _slow_tree(self, deadline: Deadline) -> Tree:
        """By `uiautomator dump`, which starts a process of its own; not while the helper holds the slot."""
        path = f"/data/local/tmp/pocket-{next(_names)}-{time.time_ns()}.xml"
        self.agent.close()
        said = self.shell.run("uiautomator", "dump", path, deadline=deadline).said
        try:
            data = self.shell.raw("cat", path, deadline=deadline)
        finally:
            self.shell.run("rm", "-f", path, deadline=deadline)
        try:
            return read_dump(data)
        except DumpProblem as problem:
            raise conflict(f"the screen can't be read: {said or problem}. {problem}") from None


def _lines(look: Look) -> list[str]:
    return [one.line().partition(" ")[2] for one in look.folded.elements]


def _value_of(target: FoldedElement, before: Look, after: Look) -> str:
    try:
        found = find_again(target, before.folded.elements, after.folded.elements)
    except Lost:
        fields = [one for one in after.folded.elements if one.role == "field" and one.box == target.box]
        if len(fields) != 1:
            return ""
        found = fields[0]
    return found.value or found.label


def _covered(target: FoldedElement, folded: Folded) -> bool:
    """Whether a keyboard lies over the middle of an element."""
    x, y = target.box.centre
    return any(
        "inputmethod" in one.package
        and one.package != target.package
        and one.box.left <= x < one.box.right
        and one.box.top <= y < one.box.bottom
        for one in folded.elements
    )
