"""What an intent does on this phone: a page that opens, or a row that is written where the app asks nobody.

Actions and extras after `frameworks/base/core/java/android/provider/AlarmClock.java`,
`ContactsContract.Intents.Insert`, `CalendarContract` and `android/content/Intent.java` (Android 10 to 15).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, unquote

from device.handset.state.media import play_from_search
from device.handset.state.moments import day_of, from_ms
from device.sandbox.rows.communication import Call, Message
from device.sandbox.rows.people import Person
from device.sandbox.rows.time_management import Alarm, Countdown
from device.sandbox.rows.utilities import BrowserTab
from device.sandbox.sandbox import Sandbox

if TYPE_CHECKING:
    from device.handset.handset import Handset

_DAYS = {1: "SU", 2: "MO", 3: "TU", 4: "WE", 5: "TH", 6: "FR", 7: "SA"}
_RESULTS = "https://www.google.com/search?q="


@dataclass(slots=True)
class Intent:
    """One intent, as `am` builds it."""

    action: str = ""
    """`android.intent.action.VIEW`."""
    data: str = ""
    """URI."""
    mime: str = ""
    """Type of the data."""
    component: str = ""
    """`package/class`."""
    package: str = ""
    """Whom it is limited to."""
    categories: list[str] = field(default_factory=list)
    """In order."""
    extras: dict[str, object] = field(default_factory=dict)
    """By name."""
    flags: int = 0
    """Bits."""

    def text(self, name: str) -> str:
        """An extra as text; "" where it is not there."""
        value = self.extras.get(name, "")
        return value if isinstance(value, str) else str(value)

    def number(self, name: str, default: int = -1) -> int:
        """A whole number."""
        value = self.extras.get(name, default)
        return value if isinstance(value, int) else default

    def __str__(self) -> str:
        parts = [f"act={self.action}"] if self.action else []
        parts += [f"cat=[{','.join(self.categories)}]"] if self.categories else []
        parts += [f"dat={_shown(self.data)}"] if self.data else []
        parts += [f"typ={self.mime}"] if self.mime else []
        parts += [f"pkg={self.package}"] if self.package else []
        parts += [f"cmp={self.component}"] if self.component else []
        if self.extras:
            parts.append("(has extras)")
        return "Intent { " + " ".join(parts) + " }"


def scheme_of(uri: str) -> str:
    """What stands before the first colon; `android.net.Uri` takes any text and never fails."""
    found = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", uri)
    return found[1].lower() if found else ""


def _shown(uri: str) -> str:
    """As `Intent.toShortString` hides the parts of a URI that may be private."""
    scheme = scheme_of(uri)
    if scheme in ("tel", "sip", "sms", "smsto", "mailto"):
        return f"{scheme}:" + re.sub(r"[^@.]", "x", uri.partition(":")[2])
    if scheme in ("http", "https"):
        host = re.split("[/?#]", uri.partition("://")[2])[0]
        return f"{scheme}://{host}/..."
    return uri


# rows that apps write


def next_day(now: datetime, time: str) -> str:
    """The day on which `time` comes next."""
    return (now.date() + timedelta(days=int(time <= f"{now:%H:%M}"))).isoformat()


def insert_timer(phone: Sandbox, label: str, seconds: int) -> None:
    """A countdown that runs from now."""
    ends = (phone.now + timedelta(seconds=seconds)).isoformat(timespec="seconds")
    name = label or f"{seconds // 60} minutes"
    phone.table(Countdown).insert(Countdown(phone.new_id("countdown"), name, seconds, "running", ends))


def _who(phone: Sandbox, number: str) -> str:
    return next((row.name for row in phone.table(Person).all() if row.phone == number), "")


def dial(phone: Sandbox, number: str) -> None:
    """An outgoing call in the log."""
    moment = phone.now.isoformat(timespec="minutes")
    phone.table(Call).insert(Call(phone.new_id("call"), "out", _who(phone, number), number, moment))


def send_text(phone: Sandbox, number: str, text: str) -> None:
    """A message that was sent."""
    moment = phone.now.isoformat(timespec="minutes")
    row = Message(phone.new_id("message"), "out", _who(phone, number), number, text, moment)
    phone.table(Message).insert(row)


def open_address(phone: Sandbox, typed: str) -> None:
    """A tab: an address as it stands, or a search for what is none."""
    if re.match(r"[a-z]+://", typed):
        tab = BrowserTab(phone.new_id("tab"), typed)
    elif re.fullmatch(r"[\w-]+(\.[\w-]+)+(/\S*)?", typed):
        tab = BrowserTab(phone.new_id("tab"), f"https://{typed}")
    else:
        tab = BrowserTab(phone.new_id("tab"), _RESULTS + quote(typed), typed)
    phone.table(BrowserTab).insert(tab)


# what opens

Handler = Callable[["Handset", Intent], bool]
"""Opens something; False where the data does not fit."""


def _set_alarm(phone: "Handset", intent: Intent) -> bool:
    hour, minutes = (
        intent.number("android.intent.extra.alarm.HOUR"),
        intent.number("android.intent.extra.alarm.MINUTES", 0),
    )
    if hour < 0 or not intent.extras.get("android.intent.extra.alarm.SKIP_UI"):
        phone.ui.launch("Clock")
        if hour >= 0:
            phone.ui.open("clock/alarm", id="")
            label = intent.text("android.intent.extra.alarm.MESSAGE")
            phone.ui.route.fields.update(hour=f"{hour:02d}", minute=f"{minutes:02d}", label=label)
        return True
    time = f"{hour:02d}:{minutes:02d}"
    days = intent.extras.get("android.intent.extra.alarm.DAYS", ())
    names = [_DAYS[day] for day in days if day in _DAYS] if isinstance(days, (list, tuple)) else []
    order = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    repeat = (
        "FREQ=DAILY"
        if len(names) == 7
        else "FREQ=WEEKLY;BYDAY=" + ",".join(sorted(names, key=order.index))
        if names
        else ""
    )
    sandbox = phone.sandbox
    row = Alarm(
        sandbox.new_id("alarm"),
        time,
        next_day(sandbox.now, time),
        intent.text("android.intent.extra.alarm.MESSAGE"),
        repeat,
    )
    sandbox.table(Alarm).insert(row)
    return True


def _set_timer(phone: "Handset", intent: Intent) -> bool:
    seconds = intent.number("android.intent.extra.alarm.LENGTH", 0)
    if seconds > 0 and intent.extras.get("android.intent.extra.alarm.SKIP_UI"):
        insert_timer(phone.sandbox, intent.text("android.intent.extra.alarm.MESSAGE"), seconds)
        return True
    phone.ui.launch("Clock")
    phone.ui.replace("clock/timers")
    return True


def _page(app: str, name: str, /, **args: str) -> Handler:
    def handle(phone: "Handset", intent: Intent) -> bool:
        phone.ui.launch(app)
        if phone.ui.route.name != name or args:
            phone.ui.open(name, **args)
        return True

    return handle


def _view(phone: "Handset", intent: Intent) -> bool:
    scheme = scheme_of(intent.data)
    if scheme in ("http", "https"):
        open_address(phone.sandbox, intent.data)
        phone.ui.launch("Browser")
        return True
    if scheme == "geo":
        if phone.packages.of_app("Google Maps") is None:
            return False
        phone.ui.launch("Google Maps")
        return True
    if scheme == "tel":
        return _dial(phone, intent)
    if scheme in ("sms", "smsto"):
        return _send_to(phone, intent)
    found = re.fullmatch(r"content://com\.android\.contacts/(?:contacts|contacts/lookup/.*)/(\d+)", intent.data)
    if found:
        phone.ui.launch("Contacts")
        phone.ui.open("contacts/card", id=f"contact_{int(found[1]):03d}")
        return True
    if intent.data.startswith("content://com.android.calendar/"):
        phone.ui.launch("Calendar")
        return True
    return False


def _number_of(intent: Intent) -> str:
    return unquote(intent.data.partition(":")[2].partition("?")[0])


def _dial(phone: "Handset", intent: Intent) -> bool:
    phone.ui.launch("Phone")
    phone.ui.open("phone/keypad", phone=_number_of(intent))
    return True


def _call(phone: "Handset", intent: Intent) -> bool:
    number = _number_of(intent)
    if not number:
        return False
    dial(phone.sandbox, number)
    phone.ui.launch("Phone")
    phone.ui.open("phone/calling", phone=number)
    return True


def _send_to(phone: "Handset", intent: Intent) -> bool:
    if scheme_of(intent.data) not in ("sms", "smsto"):
        return False
    query = parse_qs(intent.data.partition("#")[0].partition("?")[2])
    body = intent.text("sms_body") or query.get("body", [""])[0]
    phone.ui.launch("Messages")
    phone.ui.open("messages/thread", phone=_number_of(intent), body=body)
    return True


def _insert(phone: "Handset", intent: Intent) -> bool:
    if "contact" in intent.mime or "contacts" in intent.data:
        names = {"name": "name", "phone": "phone", "email": "email", "address": "postal"}
        phone.ui.launch("Contacts")
        phone.ui.open("contacts/edit", id="", **{ours: intent.text(theirs) for ours, theirs in names.items()})
        return True
    if "event" in intent.mime or "calendar" in intent.data:
        phone.ui.launch("Calendar")
        start = intent.extras.get("beginTime")
        given = {"title": intent.text("title"), "location": intent.text("eventLocation")}
        if isinstance(start, int):
            whole = bool(intent.extras.get("allDay"))
            moment = from_ms(phone.sandbox, start)
            given |= {
                "date": day_of(start) if whole else f"{moment:%Y-%m-%d}",
                "time": "" if whole else f"{moment:%H:%M}",
            }
        phone.ui.open("calendar/event", id="", **given)
        return True
    return False


def _send(phone: "Handset", intent: Intent) -> bool:
    if phone.packages.of_app("Notes") is None:
        return False
    phone.ui.launch("Notes")
    phone.ui.open(
        "notes/note",
        id="",
        title=intent.text("android.intent.extra.SUBJECT"),
        content=intent.text("android.intent.extra.TEXT"),
    )
    return True


def _play(phone: "Handset", intent: Intent) -> bool:
    prefix = "android.intent.extra."
    wanted = {name: intent.text(prefix + name) for name in ("title", "artist", "album", "genre", "playlist")}
    play_from_search(phone.sandbox, intent.text("query"), wanted)
    app = next((p for p in ("Spotify", "YouTube") if phone.packages.of_app(p) is not None), "")
    if app:
        phone.ui.launch(app)
    return True


def _search(phone: "Handset", intent: Intent) -> bool:
    open_address(phone.sandbox, intent.text("query"))
    phone.ui.launch("Browser")
    return True


SETTINGS_PAGES = {
    "SETTINGS": "settings/main", "WIFI_SETTINGS": "settings/wifi", "WIRELESS_SETTINGS": "settings/network",
    "AIRPLANE_MODE_SETTINGS": "settings/network", "BLUETOOTH_SETTINGS": "settings/bluetooth",
    "DATA_ROAMING_SETTINGS": "settings/network", "DISPLAY_SETTINGS": "settings/display",
    "SOUND_SETTINGS": "settings/sound", "ZEN_MODE_SETTINGS": "settings/sound", "DATE_SETTINGS": "settings/date",
    "BATTERY_SAVER_SETTINGS": "settings/battery", "LOCATION_SOURCE_SETTINGS": "settings/location",
    "ACCESSIBILITY_SETTINGS": "settings/accessibility", "DEVICE_INFO_SETTINGS": "settings/about",
    "APPLICATION_SETTINGS": "settings/apps", "MANAGE_APPLICATIONS_SETTINGS": "settings/apps",
    "SECURITY_SETTINGS": "settings/security", "NFC_SETTINGS": "settings/network",
    "PRIVACY_SETTINGS": "settings/security",
    "APPLICATION_DEVELOPMENT_SETTINGS": "settings/developer", "NIGHT_DISPLAY_SETTINGS": "settings/display",
}  # fmt: skip
"""`android.settings.*`: page."""


def _settings(phone: "Handset", intent: Intent) -> bool:
    name = intent.action.removeprefix("android.settings.")
    if name == "APPLICATION_DETAILS_SETTINGS":
        package = phone.packages.find(intent.data.partition(":")[2])
        if package is None or package.app is None:
            return False
        phone.ui.launch("Settings")
        phone.ui.open("settings/app", name=package.app.name)
        return True
    page = SETTINGS_PAGES.get(name)
    if page is None:
        return False
    phone.ui.launch("Settings")
    if page != "settings/main":
        phone.ui.open(page)
    return True


_PREFIX = "android.intent.action."
_HANDLERS: dict[str, Handler] = {
    _PREFIX + "SET_ALARM": _set_alarm,
    _PREFIX + "SHOW_ALARMS": _page("Clock", "clock/alarms"),
    _PREFIX + "SET_TIMER": _set_timer,
    _PREFIX + "VIEW": _view,
    _PREFIX + "DIAL": _dial,
    _PREFIX + "CALL": _call,
    _PREFIX + "SENDTO": _send_to,
    _PREFIX + "INSERT": _insert,
    _PREFIX + "SEND": _send,
    _PREFIX + "WEB_SEARCH": _search,
    "android.media.action.MEDIA_PLAY_FROM_SEARCH": _play,
    "android.media.action.STILL_IMAGE_CAMERA": lambda phone, intent: _launched(phone, "Camera"),
    "android.media.action.IMAGE_CAPTURE": lambda phone, intent: _launched(phone, "Camera"),
}


def _launched(phone: "Handset", app: str) -> bool:
    if phone.packages.of_app(app) is None:
        return False
    phone.ui.launch(app)
    return True


def start(phone: "Handset", intent: Intent) -> str:
    """Start what an intent asks for: "" when it opened, else the error that `am` prints."""
    phone.ui.wake()
    if intent.component:
        return _start_component(phone, intent)
    if intent.action == _PREFIX + "MAIN" and "android.intent.category.HOME" in intent.categories:
        phone.ui.home()
        return ""
    if intent.action == _PREFIX + "MAIN" and intent.package:
        found = phone.packages.find(intent.package)
        return _launch(phone, found.label) if found is not None else _unresolved(intent)
    handler = _settings if intent.action.startswith("android.settings.") else _HANDLERS.get(intent.action)
    if handler is None or not handler(phone, intent):
        return _unresolved(intent)
    return ""


def _unresolved(intent: Intent) -> str:
    return f"Error: Activity not started, unable to resolve {intent}"


def _start_component(phone: "Handset", intent: Intent) -> str:
    name, _, activity = intent.component.partition("/")
    package = phone.packages.find(name)
    if package is None or not package.label:
        full = name + activity if activity.startswith(".") else activity
        return f"Error type 3\nError: Activity class {{{name}/{full}}} does not exist."
    handler = _HANDLERS.get(intent.action) if intent.action != _PREFIX + "MAIN" else None
    if handler is not None and handler(phone, intent):
        return ""
    return _launch(phone, package.label)


def _launch(phone: "Handset", label: str) -> str:
    phone.ui.launch(label)
    return ""
