"""Every way on which a text of the planner's reaches a phone, and where the phone then has it.

A path does one call with the text and says where it must be found: in rows that were not there before, in one column,
as it was given. `told` paths only look something up by the text and leave nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass

from device.android.phone import AndroidPhone
from device.handset.client import Control
from evalkit.bench.device.session import Act, on_screen, open_note, tool

Found = Callable[[Control], list[str]]


@dataclass(frozen=True)
class Path:
    """One way."""

    name: str
    """Of it."""
    act: Act
    """Sends the text."""
    found: Found
    """All texts in the place where it must be then."""
    fits: Callable[[str, str], bool] = lambda text, held: text == held
    """Whether what is found is the text."""
    ready: Callable[[Control, str], None] = lambda control, mark: None
    """Brings the phone there, from behind."""
    told: bool = False
    """The text is only looked for; nothing may be left of it."""


def column(table: str, name: str) -> Found:
    """All values of a column."""
    return lambda control: [str(row[name]) for row in control.rows(table)]


def _fields(control: Control) -> list[str]:
    return [str(text) for text in control.ask("screen")["fields"].values()]


def _nothing(control: Control) -> list[str]:
    return []


def _file(text: str, held: str) -> bool:
    return held in (text, text + ".xlsx")


PATHS = (
    Path("contact's name", tool("add_contact", name="MARK"), column("contacts", "name")),
    Path("message", tool("send_message", phoneNumber="+15550199", content="MARK"), column("messages", "content")),
    Path("event", tool("manage_schedule", action="create", event="MARK", date="tomorrow", time="15:00"),
         column("events", "event")),
    Path("event's place", tool("manage_schedule", action="create", event="Visit", date="tomorrow", location="MARK"),
         column("events", "location")),
    Path("phrase", tool("manage_text_shortcut", action="create", shortcut="abbr", phrase="MARK"),
         column("text_shortcuts", "phrase")),
    Path("shortcut", tool("manage_text_shortcut", action="create", shortcut="MARK", phrase="x"),
         column("text_shortcuts", "shortcut")),
    Path("alarm's title", tool("manage_alarm", action="create", time="04:44", title="MARK"), column("alarms", "title")),
    Path("device name", tool("set_device_name", name="MARK"), column("device", "name")),
    Path("profile's name", tool("manage_user_profile", action="create", profileName="MARK"),
         column("user_profiles", "name")),
    Path("file's name", tool("manage_file", action="rename", fileName="Budget_2026", newName="MARK"),
         column("files", "name"), _file),
    Path("folder's name", tool("manage_folder", action="create", folder="MARK"), column("folders", "name")),
    Path("web search", tool("browser_service", action="search", query="MARK"), column("browser_tabs", "query")),
    Path("host name", tool("set_private_dns", mode="custom", host="MARK"), column("private_dns", "host")),
    Path("network", tool("manage_wifi", action="connect", network="MARK", password="12345678"),
         column("radios", "wifi_network")),
    Path("clipboard", tool("manage_clipboard", action="copy", text="MARK"), column("clipboard", "text")),
    Path("typing", on_screen("field", "Note", "type", "MARK"), _fields, ready=open_note("")),
    Path("app's name", tool("open_app", appName="MARK"), _nothing, told=True),
    Path("person", tool("query_contact", person="MARK"), _nothing, told=True),
    Path("recipient", tool("send_message", contact="MARK", content="Hello"), _nothing, told=True),
    Path("file to find", tool("local_file_search", query="MARK"), _nothing, told=True),
)  # fmt: skip


def text_arguments(phone: AndroidPhone) -> set[tuple[str, str]]:
    """Tool and argument of every free text that the phone's tools take, for the test that none is forgotten."""
    return {
        (spec.name, name)
        for spec in phone.tools()
        for name, schema in spec.parameters.get("properties", {}).items()
        if schema.get("type") == "string" and "enum" not in schema
    }
