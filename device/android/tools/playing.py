"""What plays: media buttons to the session in front, and search intents to the music app.

`cmd media_session dispatch` (`MediaShellCommand`, Android 11; 10 has it as `media dispatch`).
"""

from device.android.errors import bad_argument, conflict
from device.android.state.tables import SINGLE
from device.android.tools.registry import offered
from device.android.work import Answer, Work
from device.spoken import fold_text

_EXTRA = "android.intent.extra"
_FOCUS = {
    "song": "vnd.android.cursor.item/audio",
    "album": "vnd.android.cursor.item/album",
    "artist": "vnd.android.cursor.item/artist",
    "genre": "vnd.android.cursor.item/genre",
    "playlist": "vnd.android.cursor.item/playlist",
}
"""What is looked for (`MediaStore`), the finest first."""


@offered("control_playback", since=11, needs="MEDIA_CONTENT_CONTROL")
def control_playback(phone: Work, action: str) -> Answer:
    """Pause, resume, stop, skip."""
    phone.watch("player")
    if phone.row("player")["state"] == "idle":
        raise conflict("nothing is playing, and nothing was paused")
    phone.run("cmd", "media_session", "dispatch", "play" if action == "resume" else action)
    if action in ("pause", "resume"):
        phone.expect("player", state="paused" if action == "pause" else "playing")
    return lambda seen: dict(seen["player"][SINGLE])


@offered("play_music", needs="a music app that answers to MEDIA_PLAY_FROM_SEARCH")
def play_music(
    phone: Work,
    song: str | None = None,
    artist: str | None = None,
    album: str | None = None,
    genre: str | None = None,
    playlist: str | None = None,
    service: str | None = None,
    year: str | None = None,
    sort: str | None = None,
) -> Answer:
    """Search and play; proved by the media session."""
    wanted = {"song": song, "album": album, "artist": artist, "genre": genre, "playlist": playlist}
    given = {name: value for name, value in wanted.items() if value}
    if not given:
        raise bad_argument("one of `song`, `artist`, `album`, `genre`, `playlist` is needed", argument="song")
    phone.watch("player")
    focus = next(name for name in _FOCUS if name in given)
    words = ["--es", "query", " ".join(given.values()), "--es", f"{_EXTRA}.focus", _FOCUS[focus]]
    for name, value in given.items():
        words += ["--es", f"{_EXTRA}.{'title' if name == 'song' else name}", value]
    if service:
        from device.android.tools.apps import package_of

        words += ["-p", package_of(phone, service)]
    phone.run("am", "start", "-a", "android.media.action.MEDIA_PLAY_FROM_SEARCH", *words)
    phone.expect("player", state="playing")

    def answer(seen: dict[str, dict[str, dict[str, object]]]) -> dict[str, object]:
        row = dict(seen["player"][SINGLE])
        fits = song is None or fold_text(song) in fold_text(str(row["title"]))
        return {**row, "asked_for": given, "title_fits": fits}

    return answer
