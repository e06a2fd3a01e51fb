"""A yes before what can't be taken back: by a tap on an element, or by the Enter key in its place.

The facts name what would be tapped, where it stands, what the screen says above it and what stands in its fields, so
that whoever agrees knows to what. Nothing is done where nobody is there to agree.
"""

import re
from typing import TYPE_CHECKING

from device.android.errors import BridgeFailure, denied
from device.android.screen import FoldedElement
from device.android.screen.risk import risks
from runtime.contract import Approver, Confirm, Deadline, Effect, ErrorCode, ToolCall

if TYPE_CHECKING:
    from device.android.sight import Look

_BY_ENTER = re.compile(
    r"(?:(?:btn|button)\W+)?(?:send|post|publish|reply|pay|place (?:order|bid)|transfer)\b", re.IGNORECASE
)
"""Buttons whose work the Enter key of a keyboard may do."""
_TITLES = 2
"""Texts of a screen that are named."""


def _own_fields(look: "Look") -> list[FoldedElement]:
    """Fields of the app in front that hold something, but passwords."""
    fields = [one for one in look.folded.elements if one.role == "field" and one.package == look.folded.package]
    return [one for one in fields if one.value and not (one.secret or "password" in one.label.casefold())]


class Asking:
    """Asks one approver about one phone."""

    def __init__(self, approver: Approver | None, serial: str) -> None:
        self.approver, self.serial = approver, serial

    def about(self, look: "Look", target: FoldedElement, action: str) -> tuple[Effect, ...]:
        """What acting on an element would do that can't be taken back."""
        around = [one.label for one in look.folded.elements if one.role == "text"]
        return risks(target.role, target.label, around, target.kind) if action in ("tap", "long_press") else ()

    def to_tap(self, look: "Look", target: FoldedElement, action: str, deadline: Deadline) -> bool:
        """Whether it was asked; raises where nobody says yes."""
        risky = self.about(look, target, action)
        if risky:
            question = next((one.label for one in look.folded.elements if one.role == "text" and "?" in one.label), "")
            said = f"`{target.label}`" + (f' under "{question}"' if question else "")
            self._ask(f"Tapping {said}", risky, look, action, target.label, deadline)
        return bool(risky)

    def to_enter(self, look: "Look", deadline: Deadline) -> None:
        """Ask before Enter in a field whose button sends or pays; raises where nobody says yes."""
        if look.obstacle == "permission_dialog":
            raise denied("a permission dialog is open; only the user may answer it", obstacle=look.obstacle)
        if not any(one.role == "field" and "focused" in one.states for one in look.folded.elements):
            return
        for one in look.folded.elements:
            able = one.role == "button" and "disabled" not in one.states and _BY_ENTER.match(one.label)
            if able and (risky := risks(one.role, one.label, (), one.kind)):
                self._ask(f"Pressing Enter, beside `{one.label}`,", risky, look, "enter", "", deadline)
                return

    def _ask(
        self, doing: str, risky: tuple[Effect, ...], look: "Look", action: str, element: str, deadline: Deadline
    ) -> None:
        own = [one for one in look.folded.elements if one.role == "text" and one.package == look.folded.package]
        titles = "; ".join(one.label for one in own[:_TITLES])
        where = f"`{look.folded.package}` on the phone `{self.serial}`"
        facts = f"{doing} in {where} would {', '.join(risky)}." + (f' The screen says "{titles}".' if titles else "")
        facts += "".join(f' A field holds "{one.value}".' for one in _own_fields(look))
        call = ToolCall(id="screen", name=f"screen.{action}", arguments={"element": element})
        if self.approver is None:
            raise BridgeFailure(ErrorCode.REFUSED_BY_GUARD, f"nobody is there to agree: {facts} It was not done.")
        if not self.approver.approve(Confirm(call=call, effects=tuple(map(str, risky)), facts=facts), deadline):
            raise BridgeFailure(
                ErrorCode.REFUSED_BY_GUARD, f"the user did not agree to this: {facts} Do not repeat it."
            )
