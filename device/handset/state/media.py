"""Media keys and sessions over the one player of the sandbox."""

import contextlib

from device.sandbox.rows.music import Player, Song
from device.sandbox.sandbox import Sandbox
from device.sandbox.tools import audio_player
from runtime.contract import ToolFailure


def media_key(phone: Sandbox, name: str) -> None:
    """`MEDIA_PLAY` and its kin; a key that does not fit the state does nothing, as on a phone."""
    state = audio_player.settled(phone).state
    if name == "MEDIA_PLAY_PAUSE":
        name = "MEDIA_PAUSE" if state == "playing" else "MEDIA_PLAY"
    with contextlib.suppress(ToolFailure):
        if name in ("MEDIA_NEXT", "MEDIA_PREVIOUS"):
            audio_player.step(phone, 1 if name == "MEDIA_NEXT" else -1)
        elif name == "MEDIA_STOP":
            audio_player.set_state(phone, "idle")
        elif name in ("MEDIA_PLAY", "MEDIA_PAUSE"):
            audio_player.set_state(phone, "playing" if name == "MEDIA_PLAY" else "paused")


def play_from_search(phone: Sandbox, query: str, wanted: dict[str, str]) -> None:
    """What a music app does with `MEDIA_PLAY_FROM_SEARCH`: a song of the library that fits, else a stream so named."""
    title, artist = wanted.get("title", ""), wanted.get("artist", "")
    for song in phone.table(Song).all():
        fits_title = title.casefold() == song.title.casefold() if title else query.casefold() == song.title.casefold()
        if fits_title and (not artist or artist.casefold() == song.artist.casefold()):
            audio_player.start(phone, "music", song.title, artist=song.artist, queue=(song.id,))
            return
    name = title or artist or query
    extra = {key: value for key, value in wanted.items() if key in ("artist", "album", "genre", "playlist") and value}
    audio_player.start(phone, "music", name, source="stream", **extra)


def playing(phone: Sandbox) -> tuple[Player, int]:
    """The player and the second at which it is."""
    player = audio_player.settled(phone)
    return player, audio_player.position(phone, player)
