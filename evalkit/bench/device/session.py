"""A session on the bridge whose every step leaves something that can be counted on the phone.

A step carries a mark of its own; the phone's rows with that mark say how often the step took effect. Taps and typing
are of the session as well as tools.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from device.android.phone import AndroidPhone
from device.handset.client import Control
from runtime.contract import Deadline, Element, Observation, TextPart, ToolCall, ToolFailure

Reported = Literal["done", "not done", "unknown", ""]
"""What an observation says about the effect; empty: nothing that one could use."""
Act = Callable[[AndroidPhone, str, Deadline], Observation]


@dataclass(frozen=True)
class Step:
    """One thing to do."""

    name: str
    """Of it."""
    act: Act
    """Does it, with a mark, by a deadline."""
    count: Callable[[Control, str], int]
    """How often it took effect."""
    ready: Callable[[Control, str], None] = lambda control, mark: None
    """Brings the phone there, from behind."""


def reported(seen: Observation) -> Reported:
    """What an observation says: a part that is done and a part that isn't is unknown, with the places that differ."""
    landed = seen.call.landed if seen.call is not None else "no"
    if landed == "no":
        return "not done" if seen.failure is not None else "done"
    if landed == "unknown":
        return "unknown"
    if seen.ok:
        return "done"
    if seen.evidence is None:
        return ""
    return "done" if seen.evidence.facts.get("matches") else "unknown"


def tool(called: str, /, **arguments: Any) -> Act:
    """A call; `MARK` in a value becomes the mark."""

    def act(phone: AndroidPhone, mark: str, deadline: Deadline) -> Observation:
        said = {name: mark_in(value, mark) for name, value in arguments.items()}
        return phone.execute(ToolCall(id=f"{called}-{mark}", name=called, arguments=said), deadline)

    return act


def mark_in(value: Any, mark: str) -> Any:
    """A value with the mark in its place."""
    return value.replace("MARK", mark) if isinstance(value, str) else value


def on_screen(role: str, label: str, action: str, text: str = "") -> Act:
    """An action on the element of that role whose label begins so."""

    def act(phone: AndroidPhone, mark: str, deadline: Deadline) -> Observation:
        try:
            found = element(phone.observe(deadline), role, label)
        except ToolFailure as failure:
            return Observation(call_id="", parts=(TextPart(text=failure.message),), failure=failure.failure())
        return phone.act(found, action, text.replace("MARK", mark), deadline)

    return act


def element(seen: Sequence[Element], role: str, label: str) -> str:
    """Id of an element of a look; empty where there is none."""
    return next((one.id for one in seen if one.role == role and one.label.startswith(label)), "")


def rows(table: str, column: str, text: str = "MARK", **more: object) -> Callable[[Control, str], int]:
    """Counts rows with a text that holds the mark."""

    def count(control: Control, mark: str) -> int:
        wanted = text.replace("MARK", mark)
        found = [row for row in control.rows(table) if wanted in str(row[column])]
        return sum(all(row[name] == value for name, value in more.items()) for row in found)

    return count


def open_note(content: str) -> Callable[[Control, str], None]:
    """Opens a new note that holds a text but isn't saved."""
    return lambda control, mark: control.ask(
        "open", name="notes/note", args={"id": "", "content": content.replace("MARK", mark)}
    )


def typed(control: Control, mark: str) -> int:
    """How often the note on the screen holds the mark."""
    return sum(str(text).count(mark) for text in control.ask("screen")["fields"].values())


STEPS = (
    Step("message", tool("send_message", phoneNumber="+15550142", content="On my way MARK"),
         rows("messages", "content")),
    Step("contact", tool("add_contact", name="Marta MARK", phoneNumber="+15550143"), rows("contacts", "name")),
    Step("event", tool("manage_schedule", action="create", event="Review MARK", date="tomorrow", time="15:00"),
         rows("events", "event")),
    Step("alarm", tool("manage_alarm", action="create", time="04:44", title="Train MARK"), rows("alarms", "title")),
    Step("shortcut", tool("manage_text_shortcut", action="create", shortcut="MARK", phrase="see you soon"),
         rows("text_shortcuts", "shortcut")),
    Step("file", tool("manage_file", action="copy", fileName="Budget_2026", newName="Budget MARK", folder="Documents"),
         rows("files", "name")),
    Step("call", tool("make_call", phoneNumber="+1555MARK"), rows("calls", "phone")),
    Step("typing", on_screen("field", "Note", "type", "Buy MARK"), typed, open_note("")),
    Step("saving", on_screen("button", "Save", "tap"), rows("notes", "content"), open_note("Call MARK back")),
)  # fmt: skip
"""In this order; `call` takes a mark of digits."""
