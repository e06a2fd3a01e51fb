"""The screen of a connected phone: one action on one element, with proof.

1. `act` looks again (sight.py), finds the element by identity and never by position, makes sure that nothing covers it,
   sends one action once, and looks until the screen differs or time is up. What changed is the evidence; typed text is
   read back.
2. A permission dialog and a sign-in wall are for a person: acting on them is `permission_denied` with the reason. A
   secure window is named, because no picture of it can be had.
3. A button that sends, pays, deletes, installs, grants or ends something waits for the approver's yes; so does Enter
   in a field beside a button that sends or pays (asking.py). The screen must still be the one that the element was
   taken from, also after the yes. What goes into a field of a password is told to nobody.
"""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from device.android.asking import Asking
from device.android.connection.wire import pause
from device.android.errors import BridgeFailure, bad_argument, conflict, denied, whole
from device.android.opening import icon_of
from device.android.screen import Folded, FoldedElement, Lost, find_again
from device.android.screen.identity import check_place
from device.android.shell import Shell
from device.android.sight import Look, Obstacle, Sight
from runtime.contract import (
    Approver,
    Deadline,
    ErrorCode,
    Evidence,
    ExecutedCall,
    Failure,
    Json,
    Observation,
    TextPart,
    ToolFailure,
)

if TYPE_CHECKING:
    from device.android.agent import Agent

ACTIONS = ("tap", "long_press", "type", "scroll", "back", "home", "enter", "open", "wait")
GLOBAL = {"back": "KEYCODE_BACK", "home": "KEYCODE_HOME", "enter": "KEYCODE_ENTER"}
EFFECT_SECONDS = 3.0
"""Longest wait for a screen to change after an action."""
HOME_SECONDS = 0.5
"""The same after the home key, which changes nothing where home is in front already."""
HIDDEN = "(hidden)"
"""How a password shows."""
_LONG_MS = 800
_ID = re.compile(r"([a-z]+)([0-9]{1,6})")


class Gui(Sight):
    """Looks and acts."""

    def __init__(self, shell: Shell, agent: "Agent", approver: Approver | None = None) -> None:
        super().__init__(shell, agent)
        self.asking = Asking(approver, shell.serial)
        self._sent = False
        """Whether the action of the call in progress has gone out."""
        self.noted: Callable[[str, Json], None] | None = None
        """Told of every input that went out: kind, and what belongs to it (a recorder)."""
        self._read: str | None = None
        """What the field holds after typing, whole; None where it can't be read."""

    def act(self, element: str, action: str, text: str, deadline: Deadline) -> Observation:
        """One action on one element; `back`, `home`, `enter`, `wait` and `open` (with an app's name as text) take none.

        What fails after the action went out says `unknown`, never `no`.
        """
        call = ExecutedCall(
            name=f"screen.{action}",
            arguments={"element": element, "text": text if whole(text) else ""},
            idempotency_key="",
            landed="no",
        )
        self._sent, self._read = False, None
        try:
            return self._act(call, element, action, text, deadline)
        except ToolFailure as failure:
            landed = failure.landed if isinstance(failure, BridgeFailure) else "no"
            if self._sent and landed == "no":
                landed = "unknown"
            return Observation(
                call_id="",
                parts=(TextPart(text=failure.message),),
                call=call.model_copy(update={"landed": landed}),
                failure=Failure(code=failure.code, message=failure.message, details=failure.details),
            )
        except Exception as error:  # what came back was not what such a phone says; the effect must still be told
            kind = type(error).__name__
            message = f"`{action}` could not read what the phone said ({kind}: {str(error)[:120]})"
            return Observation(
                call_id="",
                parts=(TextPart(text=message),),
                call=call.model_copy(update={"landed": "unknown"}),
                failure=Failure(code=ErrorCode.INTERNAL, message=message),
            )

    def _act(self, call: ExecutedCall, element: str, action: str, text: str, deadline: Deadline) -> Observation:
        if action not in ACTIONS:
            raise bad_argument(f"`action` is `{action}`; it must be one of {', '.join(ACTIONS)}", valid=list(ACTIONS))
        if action == "wait":
            before = self.look(deadline, shown=False)
            pause(min(2.0, deadline.remaining()), "waiting", deadline)
            after = self.look(deadline)
            return self._done(call, before, after, None, text, after.obstacle)
        if action == "open":
            return self._open(call, text, deadline)
        if action in GLOBAL:
            before = self.look(deadline, shown=False) if action == "enter" else self._before(deadline)
            if action == "enter":
                self.asking.to_enter(before, deadline)
            self._send("input", "keyevent", GLOBAL[action], deadline=deadline)
            self._note("key", key=action)
            self._sent = True
            return self._proved(
                call, before, None, text, deadline, HOME_SECONDS if action == "home" else EFFECT_SECONDS
            )
        before, target = self._target(element, action, deadline)
        if action == "type":
            self._type(before, target, text, deadline)
        else:
            if self.asking.to_tap(before, target, action, deadline):
                agreed = target.label  # whoever agreed took time, and the screen may have gone on
                before, target = self._target(element, action, deadline)
                if target.label != agreed:
                    raise conflict(f"it was agreed to `{agreed}`, and `{target.label}` is there now; look again")
            self._touch(target, action, text, deadline)
        self._sent = True
        return self._proved(call, before, target, text, deadline)

    def _before(self, deadline: Deadline) -> Look:
        """The screen before a way out of it; nothing where it can't be read, because out of that it leads, too."""
        try:
            return self.look(deadline, shown=False)
        except BridgeFailure as failure:
            if failure.code is not ErrorCode.CONFLICT:
                raise
            return Look("", Folded((), "", 0, 0, 0, 0, 0))

    def _open(self, call: ExecutedCall, app: str, deadline: Deadline) -> Observation:
        package, activity = icon_of(self.shell, app, deadline)
        before = self._before(deadline)
        self._send("am", "start", "-n", activity, deadline=deadline)
        self._note("open", text=app)
        self._sent = True
        seen = self._proved(
            call, before, None, "", deadline, there=lambda look: bool(look.obstacle) or look.folded.package == package
        )
        if seen.data["app"] != package and "obstacle" not in seen.data:
            failure = Failure(code=ErrorCode.CONFLICT, message=f"`{app}` was started and is not in front")
            return seen.model_copy(update={"failure": failure})
        return seen

    def _target(
        self, element: str, action: str, deadline: Deadline, uncover: bool = True
    ) -> tuple[Look, FoldedElement]:
        """The element as it is now, free to be acted on; a keyboard over it is put away once."""
        named = _ID.fullmatch(element)
        seen = self._looks.get(named[1]) if named else None
        wanted = (
            next((one for one in seen.folded.elements if named and str(one.id) == named[2]), None) if seen else None
        )
        if seen is None or wanted is None:
            raise bad_argument(
                f"`{element[:60]}` is no element of a recent look; look at the screen and take an id from it"
            )
        now = self.look(deadline)
        if now.obstacle == "permission_dialog":
            raise denied("a permission dialog is open; only the user may answer it", obstacle=now.obstacle)
        try:
            found = find_again(wanted, seen.folded.elements, now.folded.elements)
            if self.asking.about(now, found, action):
                check_place(wanted, found, seen.folded.elements, now.folded.elements)
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
            if not uncover:
                raise conflict(f"a keyboard covers `{found.line(now.letter)}`; go back once, or scroll")
            self._send("input", "keyevent", "KEYCODE_BACK", deadline=deadline)
            return self._target(element, action, deadline, uncover=False)
        return now, found

    def _touch(self, target: FoldedElement, action: str, text: str, deadline: Deadline) -> None:
        x, y = target.box.centre
        if action == "tap":
            self.agent.call("click", [x, y], deadline)
            self._note("tap", x=x, y=y)
        elif action == "long_press":
            self._send("input", "swipe", *map(str, (x, y, x, y, _LONG_MS)), deadline=deadline)
            self._note("hold", x=x, y=y)
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
        self._note("swipe", **dict(zip(("x", "y", "x2", "y2"), strokes[towards], strict=True)))

    def _type(self, before: Look, target: FoldedElement, text: str, deadline: Deadline) -> None:
        """Replace what a field holds, through the accessibility action: any text, no keyboard switched."""
        if not whole(text):
            raise bad_argument("a text holds half a character, which no phone can show; leave it out")
        if "focused" not in target.states:
            self.agent.call("click", list(target.box.centre), deadline)
        from uiautomator2._selector import Selector

        done = self.agent.call("setText", [dict(Selector(focused=True)), text], deadline)
        if done is False:
            raise conflict(f"`{target.line(before.letter)}` did not take the text", "unknown")
        self._note("text", text=HIDDEN if _secret(target) else text, x=target.box.centre[0], y=target.box.centre[1])
        self._sent = True
        if not _secret(target):
            with suppress(BridgeFailure):  # then the folded label must do
                self._read = str(self.agent.call("getText", [dict(Selector(focused=True))], deadline) or "")

    def _note(self, kind: str, **values: Any) -> None:
        if self.noted is not None:
            self.noted(kind, values)

    def _proved(
        self,
        call: ExecutedCall,
        before: Look,
        target: FoldedElement | None,
        text: str,
        deadline: Deadline,
        seconds: float = EFFECT_SECONDS,
        there: Callable[[Look], bool] | None = None,
    ) -> Observation:
        """Look until something differs, or until `there` says so; then name what stands in the way."""
        until = time.monotonic() + min(seconds, deadline.remaining())
        wait = 0.05
        while True:
            after = self.look(deadline, shown=False)
            arrived = there(after) if there else after.folded.elements != before.folded.elements
            if arrived or time.monotonic() + wait > until:
                break
            pause(wait, "the screen", deadline)
            wait = min(wait * 2, 0.5)
        after = self.remember(after.folded)
        obstacle = after.obstacle
        with suppress(BridgeFailure):  # what was done is proved already
            obstacle = obstacle or ("secure_window" if self.secure(deadline) else "")
        return self._done(call, before, after, target, text, obstacle)

    def _done(
        self,
        call: ExecutedCall,
        before: Look,
        after: Look,
        target: FoldedElement | None,
        text: str,
        obstacle: Obstacle,
    ) -> Observation:
        old, new = _lines(before), _lines(after)
        was, now = set(old), set(new)
        facts: dict[str, Any] = {
            "changed": old != new,
            "appeared": [line for line in new if line not in was],
            "gone": [line for line in old if line not in now],
            "app": after.folded.package,
        }
        if obstacle:
            facts["obstacle"] = obstacle
        failure = None
        if call.name == "screen.type" and target is not None:
            found = _again(target, before, after)
            folded = (found.value or found.label) if found is not None else ""
            if not text and found is not None and not found.value:
                self._read = ""  # an empty field reads as its hint
            facts["value"] = folded if self._read is None else self._read
            expected = " ".join(text.split()) if self._read is None else text
            if facts["value"] != expected and folded != HIDDEN and not _secret(target):
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


def _lines(look: Look) -> list[str]:
    return [one.line().partition(" ")[2] for one in look.folded.elements]


def _secret(field: FoldedElement) -> bool:
    """Whether what stands in it is for nobody to see."""
    return field.secret or field.value == HIDDEN or "password" in field.label.casefold()


def _again(target: FoldedElement, before: Look, after: Look) -> FoldedElement | None:
    try:
        return find_again(target, before.folded.elements, after.folded.elements)
    except Lost:
        fields = [one for one in after.folded.elements if one.role == "field" and one.box == target.box]
        return fields[0] if len(fields) == 1 else None


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
