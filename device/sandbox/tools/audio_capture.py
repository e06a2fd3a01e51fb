"""Games, finding media, camera and recorders."""

from datetime import datetime
from typing import Literal

from device.sandbox.api import (
    Domain,
    Effect,
    Json,
    Sandbox,
    Text,
    bad_argument,
    conflict,
    folded,
    not_found,
    tool,
)
from device.sandbox.rows.apps import App
from device.sandbox.rows.listening import Audiobook, Episode, Recorders
from device.sandbox.rows.music import Song
from device.sandbox.rows.network import online
from device.sandbox.rows.privacy import need_sensor
from device.sandbox.rows.storage import File
from device.sandbox.tools.audio_player import stamp
from device.sandbox.tools.lookup import matches, only

_SCREENPLAYS = (
    ("Breaking Bad", "tv show"), ("The Crown", "tv show"), ("Doctor Who", "tv show"), ("Planet Earth", "tv show"),
    ("The Godfather", "movie"), ("Spirited Away", "movie"), ("Casablanca", "movie"), ("Amelie", "movie"),
    ("Dune", "book"), ("Little Women", "book"), ("The Hobbit", "book"), ("The Night Watch", "painting"),
)  # fmt: skip
_KINDS = {
    "tv show": ("tv show", "tv series", "television show", "series", "show", "programme", "program", "saga"),
    "movie": ("movie", "film", "trailer"),
    "song": ("song", "track", "tune", "single", "music", "soundtrack"),
    "album": ("album", "record", "ep"),
    "book": ("book", "novel", "audiobook"),
    "podcast": ("podcast",),
    "game": ("game", "video game"),
    "painting": ("painting", "picture", "photograph"),
}


@tool(
    Domain.AUDIO,
    phrases=(
        "a round of chess, please",
        "open Candy Crush",
        "I'm bored, start a game",
        "launch Minecraft",
        "fire up my puzzle game",
    ),
)
def launch_game(phone: Sandbox, game: Text | None = None) -> Json:
    """Play a game."""
    table = phone.table(App)
    games = table.find(lambda app: app.category == "game")
    if game is None:
        there = [app.name for app in games if app.installed]
        raise bad_argument(f"`game` is missing: one of {', '.join(there)}", argument="game", valid=there)
    app = only(games, game, lambda app: app.name, "game")
    if not app.installed:
        raise conflict(f"`{app.name}` is not installed; use `install_app` first", app=app.name)
    return {"message": f"playing {app.name}", "app": table.update(app, running=True).name}


@tool(
    Domain.AUDIO,
    effects=Effect.READ,
    phrases=(
        "find the movie Spirited Away",
        "look up the series The Crown",
        "is there a book called Dune",
        "search for a game named Chess",
        "where can I get the song Clocks",
        "show me the trailer for Casablanca",
        "look for the painting Starry Night",
        "get me the Earthsea saga",
    ),
)
def search_media(phone: Sandbox, title: Text, mediaType: Text | None = None) -> Json:
    """Find a show, book, song or game."""
    kind = _kind(mediaType)
    here = [item for item in _held(phone) if kind is None or item[1] == kind]
    found = matches(here, title, lambda item: item[0])
    items = [{"title": name, "mediaType": sort, "where": where} for name, sort, where in found[:5]]
    if not items and not online(phone):
        raise not_found(f"`{title}` is not on this phone and the phone is offline; use `manage_wifi` first")
    if not items:
        items = [{"title": title, "mediaType": kind or mediaType or "unknown", "where": "online store"}]
    return {"items": items, "total": len(items)}


def _kind(said: str | None) -> str | None:
    """The kind of media that `said` names; None when it names none of them."""
    if said is None:
        return None
    return next((kind for kind, names in _KINDS.items() if folded(said).rstrip("s") in names), None)


def _held(phone: Sandbox) -> list[tuple[str, str, str]]:
    """(title, kind, where) of all that the phone and the subscribed services hold."""
    songs = phone.table(Song).all()
    held = [(song.title, "song", "music library") for song in songs]
    held += [(album, "album", "music library") for album in dict.fromkeys(song.album for song in songs)]
    held += [(book.title, "book", "audiobooks") for book in phone.table(Audiobook).all()]
    held += [(name, "podcast", "podcasts") for name in dict.fromkeys(e.podcast for e in phone.table(Episode).all())]
    if online(phone):
        held += [(title, kind, "streaming" if kind != "book" else "book store") for title, kind in _SCREENPLAYS]
    return held


@tool(
    Domain.AUDIO,
    permission="camera",
    phrases=(
        "take a picture",
        "selfie time",
        "snap a photo of this",
        "use the back camera and shoot",
        "photograph us with the front camera",
    ),
)
def take_photo(phone: Sandbox, camera: Literal["front", "back"] = "back") -> Json:
    """Take a photo."""
    need_sensor(phone, "camera", "take a photo")
    key = phone.new_id("file")
    name = f"IMG_{phone.now:%Y%m%d}_{key[5:]}_{camera}.jpg"
    photo = phone.table(File).insert(File(key, name, "image", 3.5, "Pictures", f"{phone.now:%Y-%m-%d}"))
    return {"message": f"took a photo with the {camera} camera", "photo": photo}


@tool(
    Domain.AUDIO,
    permission="screen_capture",
    phrases=(
        "record my screen",
        "stop the screen recording",
        "am I recording the screen",
        "capture a video of what I do here",
        "end screen capture",
    ),
)
def control_screen_recorder(phone: Sandbox, action: Literal["start", "stop", "query"]) -> Json:
    """Screen recording."""
    return _record(phone, "screen", action, None)


@tool(
    Domain.AUDIO,
    permission="microphone",
    phrases=(
        "start a voice memo",
        "record this lecture",
        "stop recording and call it interview",
        "which voice recordings do I have",
        "tape what she says",
        "finish the memo",
    ),
)
def manage_sound_recorder(phone: Sandbox, action: Literal["start", "stop", "query"], title: Text | None = None) -> Json:
    """Voice recordings."""
    return _record(phone, "voice", action, title)


_RECORDERS = {
    "screen": ("control_screen_recorder", "video", "Videos", ".mp4", 1.2),
    "voice": ("manage_sound_recorder", "audio", "Recordings", ".m4a", 0.016),
}
"""By what is recorded: tool, kind and folder of the file, its ending, megabytes a second."""


def _record(phone: Sandbox, what: str, action: str, title: str | None) -> Json:
    """Start, stop or list recordings; at most one of each kind runs."""
    name, kind, folder, _, _ = _RECORDERS[what]
    since = getattr(phone.one(Recorders), f"{what}_since")
    if action == "query":
        files = phone.table(File).find(lambda file: file.kind == kind and file.folder == folder)
        kept = matches(files, title, _stem) if title else files
        return {"recording": bool(since), "since": since, "recordings": kept}
    if action == "start":
        if since:
            raise conflict(f"a {what} recording is running since {since}; `{name}` with action stop ends it")
        if what == "voice":
            need_sensor(phone, "microphone", "record")
        titled = {"voice_title": title or ""} if what == "voice" else {}
        phone.change(Recorders, **{f"{what}_since": stamp(phone)}, **titled)
        return {"message": f"{what} recording is running", "recording": True}
    if not since:
        raise conflict(f"no {what} recording is running; `{name}` with action start begins one")
    return {"message": f"{what} recording saved", "file": _save(phone, what, since, title)}


def _stem(file: File) -> str:
    return file.name.rpartition(".")[0].replace("_", " ")


def _save(phone: Sandbox, what: str, since: str, title: str | None) -> File:
    """End the recording and keep it as a file, named by its title or by number."""
    _, kind, folder, ending, rate = _RECORDERS[what]
    key = phone.new_id("file")
    label = title or (phone.one(Recorders).voice_title if what == "voice" else "") or f"{what} {key[5:]}"
    seconds = (phone.now - datetime.fromisoformat(since)).total_seconds()
    cleared = {"voice_title": ""} if what == "voice" else {}
    phone.change(Recorders, **{f"{what}_since": ""}, **cleared)
    name = label.replace(" ", "_").capitalize() + ending
    size = round(0.1 + rate * seconds, 1)
    return phone.table(File).insert(File(key, name, kind, size, folder, f"{phone.now:%Y-%m-%d}"))
