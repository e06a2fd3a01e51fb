"""What a hand does: buttons, screenshots, the clipboard, text shortcuts, keyboards, photos, the browser."""

import re

from device.android.errors import bad_argument, conflict, not_found, unsupported
from device.android.screen.picture import read_picture
from device.android.state import content
from device.android.state.apps import top
from device.android.state.people import WORDS
from device.android.state.reading import Reading, Rows
from device.android.state.storage import SHARED
from device.android.tools.registry import offered
from device.android.work import Answer, Work
from device.spoken import fold_text
from runtime.contract import Json

_KEYS = {"home": "KEYCODE_HOME", "back": "KEYCODE_BACK", "recents": "KEYCODE_APP_SWITCH", "power": "KEYCODE_POWER"}
_SHOTS = f"{SHARED}/Pictures/Screenshots"
_CAMERA = f"{SHARED}/DCIM/Camera"


def _front(reading: Reading) -> Rows:
    awake = "mWakefulness=Awake" in reading.text("dumpsys", "power")
    return {"phone": {"view": top(reading), "on": awake}}


@offered("press_button", needs="INJECT_EVENTS")
def press_button(phone: Work, button: str) -> Answer:
    """A key; home and power are proved, back and recents show what is in front then."""
    phone.watch_rows("_front", _front)
    phone.run("input", "keyevent", _KEYS[button])
    if button == "power":
        phone.expect("_front", "phone", on=not phone.row("_front", "phone")["on"])
    return lambda seen: {"pressed": button, "view": seen["_front"]["phone"]["view"]}


@offered("take_screenshot", needs="READ_FRAME_BUFFER")
def take_screenshot(phone: Work, mode: str | None = None) -> Answer:
    """A PNG in the screenshots' folder; a black one is called what it is: a secure window."""
    if mode not in (None, "full"):
        raise unsupported(f"the shell takes the whole screen; not `{mode}`", argument="mode")
    picture = read_picture(phone.shell.raw("screencap", "-p", deadline=phone.deadline))
    if picture.black:
        raise conflict("the screen came out black: a secure window (bank, password, video) lets nobody copy it")
    phone.watch("files")
    name = f"Screenshot_{phone.now:%Y%m%d-%H%M%S}.png"
    path = f"{_SHOTS}/{name}"
    phone.run("mkdir", "-p", _SHOTS)
    phone.run("screencap", "-p", path)
    phone.expect("files", path, name=name)
    return {"file": name, "folder": "Pictures/Screenshots", "width": picture.width, "height": picture.height}


@offered("take_photo", needs="a camera app", actions=())
def take_photo(phone: Work, camera: str | None = None) -> Answer:
    """The camera app and its shutter key; proved by a new file."""
    if camera is not None:
        raise unsupported("no intent chooses the camera; leave `camera` out", argument="camera")
    phone.watch("files")
    before = set(phone.before["files"])
    phone.run("am", "start", "-a", "android.media.action.STILL_IMAGE_CAMERA")
    phone.run("input", "keyevent", "KEYCODE_CAMERA")
    phone.watch_rows("_photos", lambda reading: _new_photos(reading, before))
    phone.expect("_photos", "phone", new=1)
    return {"taken": True, "folder": "DCIM/Camera"}


def _new_photos(reading: Reading, before: set[str]) -> Rows:
    listed = reading.text("find", _CAMERA, "-type", "f", "-print0").split("\0")
    return {"phone": {"new": sum(1 for path in listed if path and path not in before)}}


@offered("manage_clipboard", needs="uiautomator2's helper")
def manage_clipboard(phone: Work, action: str, text: str | None = None) -> Answer:
    """The one text that is copied."""
    if action == "copy" and text is None:
        raise bad_argument("`text` is missing: what to copy", argument="text")
    phone.watch_rows("_clipboard", lambda _: _clip(phone))
    if action != "query":
        wanted = text or ""
        phone.landed = "unknown"
        phone.agent.call("setClipboard", [None, wanted], phone.deadline)
        phone.landed = "yes"
        phone.expect("_clipboard", "phone", text=wanted)
    return lambda seen: {"text": seen["_clipboard"]["phone"]["text"]}


def _clip(phone: Work) -> Rows:
    return {"phone": {"text": phone.agent.call("getClipboard", [], phone.deadline) or ""}}


@offered("manage_text_shortcut", needs="WRITE_USER_DICTIONARY")
def manage_text_shortcut(phone: Work, action: str, shortcut: str | None = None, phrase: str | None = None) -> Answer:
    """The user's dictionary, which keyboards read."""
    phone.watch("text_shortcuts")
    rows = phone.before["text_shortcuts"]
    if action == "query":
        return {"shortcuts": [row for row in rows.values() if shortcut in (None, row["shortcut"])]}
    if shortcut is None:
        raise bad_argument("`shortcut` is missing: which short word", argument="shortcut")
    same = [key for key, row in rows.items() if fold_text(row["shortcut"]) == fold_text(shortcut)]
    if action == "delete":
        if not same:
            raise not_found(f"no shortcut is `{shortcut}`", candidates=[row["shortcut"] for row in rows.values()])
        phone.run("content", "delete", "--uri", WORDS, "--where", f"_id={same[0]}")
        phone.expect_gone("text_shortcuts", same[0])
        return {"deleted": rows[same[0]]}
    if phrase is None:
        raise bad_argument("`phrase` is missing: what it becomes", argument="phrase")
    if same:
        raise conflict(f"the shortcut `{shortcut}` exists already", candidates=[rows[same[0]]["phrase"]])
    columns = content.binds(word=phrase, shortcut=shortcut, frequency=250, appid=0)
    phone.run("content", "insert", "--uri", WORDS, *columns)
    phone.watch_rows("_made", lambda reading: _made(reading, shortcut, phrase))
    phone.expect("_made", "phone", count=1)
    return {"shortcut": shortcut, "phrase": phrase}


def _made(reading: Reading, shortcut: str, phrase: str) -> Rows:
    rows = reading.rows(WORDS, ("_id",), ("shortcut", "word"))
    return {"phone": {"count": sum(1 for row in rows if (row["shortcut"], row["word"]) == (shortcut, phrase))}}


@offered("manage_input_method", actions=("query",))
def manage_input_method(phone: Work, action: str, language: str | None = None) -> Answer:
    """Which keyboards are on and which is in use; their languages are their own affair."""
    look = phone.look()
    keyboards = [line for line in look.text("ime", "list", "-s").splitlines() if line]
    return {"keyboards": keyboards, "current": look.setting("secure", "default_input_method")}


@offered("browser_service", needs="a browser", actions=("open", "search"))
def browser_service(phone: Work, action: str, query: str | None = None, url: str | None = None) -> Answer:
    """Open a page or a search; proved by the browser being in front."""
    phone.watch_rows("_front", _front)
    before = phone.row("_front", "phone")["view"]
    if action == "open":
        if url is None:
            raise bad_argument("`url` is missing: which page", argument="url")
        address = url if "://" in url else f"https://{url}"
        if not address.lower().startswith(("http://", "https://")):
            raise bad_argument(f"`url` is `{url[:80]}`; a browser opens http and https", argument="url")
        phone.run("am", "start", "-a", "android.intent.action.VIEW", "-d", address)
    else:
        if query is None:
            raise bad_argument("`query` is missing: what to look for", argument="query")
        phone.run("am", "start", "-a", "android.intent.action.WEB_SEARCH", "--es", "query", query)

    def answer(seen: dict[str, Rows]) -> Json:
        view = seen["_front"]["phone"]["view"]
        return {"view": view, "opened": url or query, "in_front": bool(view) and view != before}

    return answer


@offered("query_location", needs="ACCESS_FINE_LOCATION")
def query_location(phone: Work) -> Answer:
    """The last known place (`dumpsys location`), which may be old."""
    found = re.search(
        r"last (?:coarse )?location=Location\[(\w+) (-?[\d.]+),(-?[\d.]+)", phone.read("dumpsys", "location")
    )
    if found is None:
        raise not_found("the phone knows no place yet; switch location on and wait for a fix")
    return {"latitude": float(found[2]), "longitude": float(found[3]), "source": found[1]}
