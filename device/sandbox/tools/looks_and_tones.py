"""How the phone looks and what it plays when it calls: wallpaper, theme, ringtone, notification sound."""

from datetime import datetime, timedelta
from typing import Literal

from device.sandbox.api import Contact, Domain, Json, Sandbox, Text, bad_argument, conflict, tool
from device.sandbox.rows.apps import App
from device.sandbox.rows.display_sound import SoundSettings
from device.sandbox.rows.screen_settings import Looks, OwnTone, Theme, Tone, ToneSettings
from device.sandbox.rows.storage import File
from device.sandbox.tools.audio_video import stem
from device.sandbox.tools.by_name import named, only
from device.sandbox.tools.lookup import need_online
from device.sandbox.tools.lookup import only as only_app

_THEME_SECONDS = 90


@tool(
    Domain.DISPLAY,
    permission="display_settings",
    phrases=(
        "use the sunset picture as my wallpaper",
        "change the lock screen background",
        "put this photo on the home screen background",
        "new wallpaper please",
        "birthday cake picture as background",
    ),
)
def set_wallpaper(phone: Sandbox, photo: Text, target: Literal["home", "lock", "both"] = "both") -> Json:
    """Wallpaper of home and lock screen."""
    files = phone.table(File).all()
    pictures = [file for file in files if file.kind == "image"]
    kinds = ("photo", "picture", "image", "pic", "wallpaper", "jpg", "png")
    exact = [file for file in files if file.name.casefold() == photo.casefold()]
    found = exact or named(pictures, photo, stem, *kinds) or named(files, photo, stem)
    file = only(found, "picture", photo, lambda f: f.name, [f.name for f in pictures[:8]])
    if file.kind != "image":
        raise bad_argument(f"{file.name} is no picture; choose one such as {pictures[0].name}", argument="photo")
    sides = ("home", "lock") if target == "both" else (target,)
    looks = phone.change(Looks, **dict.fromkeys(sides, file.name))
    return {"home": looks.home or "theme", "lock": looks.lock or "theme"}


def theme_now(phone: Sandbox) -> str:
    """The theme that is seen: one that was being downloaded takes its place when it is complete."""
    looks = phone.one(Looks)
    return looks.coming if looks.ready_at and datetime.fromisoformat(looks.ready_at) <= phone.now else looks.applied


@tool(
    Domain.DISPLAY,
    permission="display_settings",
    phrases=(
        "apply the Forest theme",
        "I want another theme",
        "which themes are there",
        "give the phone the Midnight look",
        "go back to the Classic theme",
    ),
)
def manage_theme(phone: Sandbox, action: Literal["apply", "query"], theme: Text | None = None) -> Json:
    """Themes of the phone."""
    themes, current = phone.table(Theme).all(), theme_now(phone)
    if action == "query":
        waiting = phone.one(Looks).coming
        pending = {"downloading": waiting} if waiting and waiting != current else {}
        here = [row.name for row in themes if row.installed]
        return {"current": current, **pending, "installed": here, "shop": [t.name for t in themes if not t.installed]}
    if theme is None:
        raise bad_argument("`theme` is missing: which one", argument="theme")
    found = only(named(themes, theme, lambda t: t.name, "theme", "look"), "theme", theme, lambda t: t.name,
                 [t.name for t in themes])  # fmt: skip
    if not found.installed and found.name != current:
        need_online(phone, f"download the theme {found.name}")
        ready = (phone.now + timedelta(seconds=_THEME_SECONDS)).isoformat(timespec="seconds")
        phone.change(Looks, applied=current, coming=found.name, ready_at=ready)
        return {"message": f"{found.name} requested; it follows when its download is complete", "ready_at": ready}
    phone.change(Looks, applied=found.name, coming="", ready_at="", home="", lock="")
    return {"message": f"{found.name} is on, with its own wallpapers", "theme": found.name}


def _tone(phone: Sandbox, said: str, kind: str) -> str:
    """A built-in tone of the kind, or an audio file; 404 with the tones."""
    tones = [tone.name for tone in phone.table(Tone).find(kind=kind)]
    fillers = ("ringtone", "tone", "sound", "song")
    found = named(tones, said, str, *fillers)
    found = found or [f.name for f in named(phone.table(File).find(kind="audio"), said, stem, *fillers)]
    return only(found, kind, said, str, tones)


def _heard(phone: Sandbox) -> Json:
    """Says so where the phone makes no sound now."""
    mode = phone.one(SoundSettings).mode
    return {} if mode == "ring" else {"note": f"the sound mode is {mode}; it is not heard until that is ring"}


def _own(phone: Sandbox, whose: str, tone: str) -> None:
    table = phone.table(OwnTone)
    if table.get(whose):
        table.update(whose, tone=tone)
    else:
        table.insert(OwnTone(whose, tone))


@tool(
    Domain.DISPLAY,
    permission="sound_settings",
    phrases=(
        "change my ringtone to Marimba",
        "give mom her own ringtone",
        "I want the old telephone sound when someone calls",
        "use the rainy evening song as ringtone",
        "a different ring for my boss",
    ),
)
def set_ringtone(phone: Sandbox, ringtone: Text, contact: Contact | None = None) -> Json:
    """Ringtone, for all or one contact."""
    tone = _tone(phone, ringtone, "ringtone")
    if contact is None:
        phone.change(ToneSettings, ringtone=tone)
        return {"ringtone": tone, "for": "all calls", **_heard(phone)}
    person = phone.contact(contact)
    _own(phone, person.id, tone)
    return {"ringtone": tone, "for": person.name, **_heard(phone)}


@tool(
    Domain.DISPLAY,
    permission="sound_settings",
    phrases=(
        "another notification sound please",
        "use the glass sound for notifications",
        "let WhatsApp whistle when a message comes",
        "bamboo sound for Gmail alerts",
        "change the alert tone",
    ),
)
def set_notification_sound(phone: Sandbox, sound: Text, appName: Text | None = None) -> Json:
    """Notification sound, for all or one app."""
    tone = _tone(phone, sound, "notification")
    if appName is None:
        phone.change(ToneSettings, sound=tone)
        return {"sound": tone, "for": "all apps", **_heard(phone)}
    app = only_app(phone.table(App).find(installed=True), appName, lambda a: a.name, "installed app")
    if not app.notifications:
        raise conflict(f"{app.name} may not notify; use `manage_notification` with enable first", app=app.name)
    _own(phone, app.name, tone)
    return {"sound": tone, "for": app.name, **_heard(phone)}
