"""Videos and live television, which play on the one player; and downloads to have them without a network."""

import re
from typing import Literal

from device.sandbox.api import (
    Domain,
    Effect,
    Json,
    Sandbox,
    Text,
    bad_argument,
    conflict,
    denied,
    folded,
    not_found,
    tool,
)
from device.sandbox.rows.apps import App
from device.sandbox.rows.music import Player
from device.sandbox.rows.storage import File
from device.sandbox.rows.watching import Channel, Download, VideoSettings
from device.sandbox.tools.audio_player import need_loaded, start
from device.sandbox.tools.by_name import named
from device.sandbox.tools.by_name import only as only_of
from device.sandbox.tools.lookup import need_online, only
from device.sandbox.tools.offline import begin, complete, on_wifi, shown
from device.spoken.text import plain


def stem(file: File) -> str:
    """A file's name as it is said: `Cat_Jumping.mp4` is Cat Jumping."""
    return file.name.rpartition(".")[0].replace("_", " ")


@tool(
    Domain.AUDIO,
    phrases=(
        "play the video of my graduation",
        "watch a film on Netflix",
        "put that clip on",
        "play a video on YouTube",
        "I want to watch the cat video",
        "stream a movie",
    ),
)
def play_video(phone: Sandbox, title: Text, service: Text | None = None) -> Json:
    """Play videos, films and clips."""
    own = named(phone.table(File).find(kind="video"), title, stem, "video", "clip", "film")
    if service is None and own:
        file = only_of(own, "video", title, stem)
        return start(phone, "video", stem(file), source="gallery")
    if service is None and (kept := [d for d in phone.table(Download).find(name=title) if complete(phone, d)]):
        return start(phone, "video", kept[0].name, source="download")
    app = _service(phone, service or "YouTube")
    need_online(phone, f"stream from {app.name}")
    phone.table(App).update(app, running=True)
    return start(phone, "video", title, source=app.name)


def _service(phone: Sandbox, said: str) -> App:
    """The app that streams; 400 for one that does not, 409 for one that is not installed."""
    app = only(phone.table(App).all(), said, lambda a: a.name, "app")
    if app.category != "video":
        there = [a.name for a in phone.table(App).find(category="video")]
        raise bad_argument(f"{app.name} streams no videos; use {' or '.join(there)}", argument="service", valid=there)
    if not app.installed:
        raise conflict(f"`{app.name}` is not installed; use `install_app` first", app=app.name)
    return app


@tool(
    Domain.AUDIO,
    phrases=(
        "turn on subtitles for the video",
        "watch at double speed",
        "video quality to 4K",
        "slow the video down",
        "English subtitles please",
        "stream in 720p to save data",
    ),
)
def set_video_playback(
    phone: Sandbox, setting: Literal["quality", "speed", "subtitles"], value: Text | None = None
) -> Json:
    """Video quality, speed and subtitles."""
    player = need_loaded(phone)
    if player.kind not in ("video", "tv"):
        raise conflict("no video is open; start one with `play_video` first", kind=player.kind)
    if value is None:
        raise bad_argument(f"`value` is missing: which {setting}", argument="value")
    read = {"quality": _quality, "speed": _speed, "subtitles": _subtitles}[setting]
    video = phone.change(VideoSettings, **{setting: read(phone, value, player)})
    return {"message": f"{setting} is {getattr(video, setting)}", "video": video}


_QUALITIES = {
    "auto": ("auto", "automatic"), "360p": ("360p", "360", "low", "lowest"), "480p": ("480p", "480"),
    "720p": ("720p", "720", "hd"), "1080p": ("1080p", "1080", "full hd"),
    "4k": ("4k", "uhd", "ultra hd", "2160p", "best", "highest"),
}  # fmt: skip


def _quality(phone: Sandbox, said: str, player: Player) -> str:
    """A quality of the player; 4k from a service needs Wi-Fi."""
    words = folded(said).removesuffix(" quality")
    found = next((name for name, names in _QUALITIES.items() if words in names), None)
    if found is None:
        raise bad_argument(f"`value` {said} is no quality; say {', '.join(_QUALITIES)}", argument="value")
    if found == "4k" and player.source not in ("gallery", "download") and not on_wifi(phone):
        raise conflict("4k is streamed over Wi-Fi alone; connect with `manage_wifi` first, or choose 1080p")
    return found


_SPEEDS = (0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0)
_SPEED_WORDS = {"normal": 1.0, "half": 0.5, "double": 2.0, "twice": 2.0, "regular": 1.0}


def _speed(phone: Sandbox, said: str, player: Player) -> float:
    """One of the speeds; live television has only its own."""
    if player.kind == "tv":
        raise conflict(f"`{player.title}` is live; its speed can't be changed")
    words = folded(said).removesuffix(" speed").split()
    number = re.search(r"\d+(?:\.\d+)?", plain(said))
    speed = _SPEED_WORDS.get(words[0] if words else "", float(number[0]) if number else 0.0)
    if speed not in _SPEEDS:
        listed = ", ".join(f"{s:g}" for s in _SPEEDS)
        raise bad_argument(f"`value` {said} is no speed of the player; say {listed}", argument="value")
    return speed


def _subtitles(phone: Sandbox, said: str, player: Player) -> str:
    """off, or a language; on is the language of the phone."""
    words = folded(said).removesuffix(" subtitles")
    languages = ("english", "spanish", "french", "german", "italian", "portuguese", "chinese", "japanese", "korean")
    if words in ("off", "none", "no"):
        return "off"
    if words not in (*languages, "on"):
        raise bad_argument(f"`{player.title}` has no subtitles in {said}; say {', '.join(languages)} or off",
                           argument="value")  # fmt: skip
    return "English" if words == "on" else words.capitalize()


@tool(
    Domain.AUDIO,
    phrases=(
        "put on channel five",
        "watch the sports channel live",
        "turn on the TV news channel",
        "show me live television",
        "switch to Kids Planet",
        "what's on TV, put something on",
    ),
)
def watch_tv(phone: Sandbox, channel: Text | None = None) -> Json:
    """Watch live TV channels."""
    need_online(phone, "show live television")
    found = _channel(phone, channel) if channel else phone.table(Channel).all()[0]
    if not found.subscribed:
        raise denied(f"{found.name} is not in your package; choose another channel", channel=found.name)
    return start(phone, "tv", found.name, source=f"channel {found.number}")


def _channel(phone: Sandbox, said: str) -> Channel:
    """The channel by number or name."""
    channels = phone.table(Channel).all()
    if number := re.search(r"\b\d+\b", plain(said)):
        numbered = [c for c in channels if c.number == int(number[0])]
        if not numbered:
            raise not_found(f"there is no channel {number[0]}; they go from 1 to {channels[-1].number}")
        return numbered[0]
    found = named(channels, said, lambda c: c.name, "channel", "tv")
    return only_of(found, "channel", said, lambda c: c.name, [c.name for c in channels])


@tool(
    Domain.AUDIO,
    permission="storage",
    effects={"delete": Effect.DELETE},
    phrases=(
        "download this playlist for offline listening",
        "save the movie for the flight",
        "is the download of the episode finished",
        "stop downloading that film",
        "remove the offline copy",
        "make my music available offline",
    ),
)
def download_media(
    phone: Sandbox, action: Literal["start", "cancel", "delete", "query"], title: Text | None = None
) -> Json:
    """Music, podcasts and films offline."""
    table = phone.table(Download)
    if action == "query" and title is None:
        return {"downloads": [shown(phone, row) for row in table.all()]}
    if title is None:
        raise bad_argument(f"`title` is missing: what to {action}", argument="title")
    if action == "start":
        made = begin(phone, title)
        return {"message": f"download of {made.name} requested", "id": made.id, "size_mb": made.size_mb}
    row = only_of(named(table.all(), title, lambda d: d.name, "download", "playlist", "podcast"), "download", title,
                  lambda d: d.name, [d.name for d in table.all()])  # fmt: skip
    if action == "query":
        return {"downloads": [shown(phone, row)]}
    if action == "cancel" and complete(phone, row):
        raise conflict(f"`{row.name}` is complete; use action delete to remove it", title=row.name)
    table.delete(row)
    return {"message": f"{row.name} is no longer {'kept' if action == 'delete' else 'downloaded'}"}
