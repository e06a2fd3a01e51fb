"""Downloads for offline listening and watching: what can be had, how far it is, and whether an episode came that way.

Nothing runs in the background: a download has the moment at which it will be complete, and whoever asks compares it
with the phone's clock. Without Wi-Fi a download is accepted and waits.
"""

from datetime import datetime, timedelta

from device.sandbox.api import Json, Sandbox, conflict, folded
from device.sandbox.rows.listening import Episode
from device.sandbox.rows.music import Playlist, PlaylistItem
from device.sandbox.rows.network import Radios
from device.sandbox.rows.watching import Download
from device.sandbox.tools.lookup import bare_playlist, matches, need_online, only

MB_PER_SECOND = 8.0
"""How fast Wi-Fi brings it."""
SONG_MB = 9.0
EPISODE_MB = 60.0


def wanted(phone: Sandbox, said: str) -> tuple[str, str, float]:
    """(title, kind, megabytes) of what `said` names: playlist, podcast, episode; anything else is a video."""
    if lists := matches(phone.table(Playlist).all(), bare_playlist(said), lambda p: p.name):
        playlist = only(lists, bare_playlist(said), lambda p: p.name, "playlist")
        return playlist.name, "playlist", SONG_MB * len(phone.table(PlaylistItem).find(playlist_id=playlist.id))
    bare = folded(said).removesuffix(" podcast")
    episodes = phone.table(Episode).all()
    found = matches(episodes, bare, lambda e: e.podcast) or matches(episodes, bare, lambda e: e.title)
    if found:
        latest = max(found, key=lambda e: e.number)
        if latest.downloaded:
            raise conflict(f"`{latest.title}` of {latest.podcast} is on the phone already; play it with `play_podcast`")
        return latest.title, "episode", EPISODE_MB
    return said, "video", float(phone.chance("video size", folded(said)).randrange(400, 1_800, 20))


def begin(phone: Sandbox, said: str) -> Download:
    """Ask for a download, or for one that waited again now that there is Wi-Fi."""
    need_online(phone, "download anything")
    title, kind, size = wanted(phone, said)
    old = phone.table(Download).find(name=title)
    if old and (old[0].ready_at or not on_wifi(phone)):
        raise conflict(f"`{title}` was asked for already: {state(phone, old[0])}; see `download_media` with query")
    ready = ""
    if on_wifi(phone):
        ready = (phone.now + timedelta(seconds=max(30, round(size / MB_PER_SECOND)))).isoformat(timespec="seconds")
    if old:
        return phone.table(Download).update(old[0], ready_at=ready)
    return phone.table(Download).insert(Download(phone.new_id("download"), title, kind, size, ready))


def on_wifi(phone: Sandbox) -> bool:
    """Whether large things may come: Wi-Fi is on and joined."""
    radios = phone.one(Radios)
    return radios.wifi and radios.wifi_network != ""


def complete(phone: Sandbox, download: Download) -> bool:
    """Whether all of it has come."""
    return bool(download.ready_at) and datetime.fromisoformat(download.ready_at) <= phone.now


def state(phone: Sandbox, download: Download) -> str:
    """complete, downloading or waiting for Wi-Fi."""
    if complete(phone, download):
        return "complete"
    return "downloading" if download.ready_at else "waiting for Wi-Fi"


def shown(phone: Sandbox, download: Download) -> Json:
    """A download as the planner reads it."""
    ready = {"ready_at": download.ready_at} if download.ready_at else {}
    return {"title": download.name, "kind": download.kind, "size_mb": download.size_mb,
            "state": state(phone, download), **ready}  # fmt: skip


def came(phone: Sandbox, episode: Episode) -> bool:
    """Whether the episode is on the phone: as delivered, or downloaded since."""
    return episode.downloaded or any(complete(phone, row) for row in phone.table(Download).find(name=episode.title))
