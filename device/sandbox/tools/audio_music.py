"""Music: play it from the library or a stream, set the play mode, keep opinions, name what is heard."""

import re
from typing import Literal

from device.sandbox.api import Domain, Effect, Json, Sandbox, Text, bad_argument, folded, not_found, same, tool
from device.sandbox.rows.music import Player, Playlist, PlaylistItem, Song, Taste
from device.sandbox.tools.audio_player import need_loaded, now_playing, start
from device.sandbox.tools.lookup import bare_playlist, matches, need_online, only
from device.spoken.text import plain

_LOCAL = frozenset({"library", "local", "phone", "my library", "my music", "downloads"})
_SORTS = {
    "newest": ("new", "newest", "latest", "recent", "last", "most recent"),
    "oldest": ("old", "oldest", "earliest", "first"),
    "popular": ("popular", "top", "best", "greatest", "good", "favorite", "favourite", "most", "hits", "highest"),
}
_DECADES = {
    "tens": 1910, "twenties": 1920, "thirties": 1930, "forties": 1940, "fourties": 1940, "fifties": 1950,
    "sixties": 1960, "seventies": 1970, "eighties": 1980, "nineties": 1990, "noughties": 2000,
}  # fmt: skip


@tool(
    Domain.AUDIO,
    phrases=(
        "put on some jazz",
        "play the new single by Dua Lipa",
        "I want to hear Hotel California",
        "start my road trip playlist",
        "play eighties hits on Spotify",
        "let's have the best of Fleetwood Mac",
        "some music to cook by",
        "play the album Thriller",
    ),
)
def play_music(
    phone: Sandbox,
    *,
    song: Text | None = None,
    artist: Text | None = None,
    album: Text | None = None,
    genre: Text | None = None,
    playlist: Text | None = None,
    service: Text | None = None,
    year: Text | None = None,
    sort: Text | None = None,
) -> Json:
    """Play songs, artists and playlists."""
    local = service is None or folded(service) in _LOCAL
    order = _order(sort) if sort else ""
    span = _years(year) if year else None
    if playlist is not None and local:
        songs = _of_playlist(phone, playlist, song, artist)
    else:
        songs = [s for s in phone.table(Song).all() if local and _fits(s, song, artist, album, genre)]
    if span:
        songs = [s for s in songs if span[1] <= s.year <= span[2]]
    asked = {"album": album, "genre": genre, "playlist": playlist, "period": span and span[0], "order": order}
    fields = {name: value for name, value in asked.items() if value}
    if songs:
        songs = _sorted(songs, order)
        queue = tuple(s.id for s in songs)
        return start(phone, "music", songs[0].title, artist=songs[0].artist, queue=queue, **fields)
    if service is not None and local and not playlist:
        raise not_found("the library has no such music; leave `service` out to stream it")
    need_online(phone, "stream music")
    title = song or _stream_title(artist, album, playlist, genre, span[0] if span else None)
    return start(phone, "music", title, artist=artist or "", source=service or "stream", **fields)


def _fits(row: Song, song: str | None, artist: str | None, album: str | None, genre: str | None) -> bool:
    wanted = ((song, row.title), (artist, row.artist), (album, row.album), (genre, row.genre))
    return all(said is None or folded(said) == folded(has) for said, has in wanted)


def _of_playlist(phone: Sandbox, said: str, song: str | None, artist: str | None) -> list[Song]:
    """Songs of a playlist on the phone that the library holds, in its order."""
    found = only(phone.table(Playlist).all(), bare_playlist(said), lambda p: p.name, "playlist")
    songs = {(folded(s.title), folded(s.artist)): s for s in phone.table(Song).all()}
    items = phone.table(PlaylistItem).find(playlist_id=found.id)
    held = [songs[key] for i in items if (key := (folded(i.title), folded(i.artist))) in songs]
    held = [s for s in held if _fits(s, song, artist, None, None)]
    if not held:
        raise not_found(f"playlist `{found.name}` has none of that on this phone; add songs with `manage_playlist`")
    return held


def _stream_title(
    artist: str | None, album: str | None, playlist: str | None, genre: str | None, year: str | None
) -> str:
    """What a stream is called when no song was named."""
    return f"{artist or album or playlist or genre or year or 'hits'} - track 1"


def _order(said: str) -> str:
    """newest, oldest or popular; 400 for any other order."""
    words = set(folded(said).split())
    for order, names in _SORTS.items():
        if words & set(names):
            return order
    raise bad_argument(f"`sort` {said} is unknown; say newest, oldest or popular", argument="sort")


def _sorted(songs: list[Song], order: str) -> list[Song]:
    if order == "popular":
        return sorted(songs, key=lambda s: -s.plays)
    return sorted(songs, key=lambda s: s.year, reverse=order == "newest") if order else songs


def _years(said: str) -> tuple[str, int, int]:
    """The canonical text of a year or decade and its first and last year; 400 when unreadable."""
    for text in (said.lower().strip(), plain(said)):
        if match := re.fullmatch(r"(?:the )?(\d{4})", text):
            return match[1], int(match[1]), int(match[1])
        if match := re.fullmatch(r"(?:the )?(?:(\d\d))?'?(\d)0'?s", text):
            first = int(match[1] or 19) * 100 + int(match[2]) * 10
            return f"{first}s", first, first + 9
        if first := _DECADES.get(text.removeprefix("the "), 0):
            return f"{first}s", first, first + 9
    raise bad_argument(f"`year` {said} is neither a year such as 1986 nor a decade such as 1980s", argument="year")


@tool(
    Domain.AUDIO,
    phrases=(
        "shuffle my songs",
        "keep repeating this one",
        "play them in order again",
        "loop the whole album",
        "stop shuffling",
        "put this track on repeat",
    ),
)
def set_music_play_mode(phone: Sandbox, mode: Literal["shuffle", "repeat_one", "repeat_all", "sequential"]) -> Json:
    """Shuffle and repeat."""
    phone.change(Player, mode=mode)
    return {"message": f"play mode is {mode}", "mode": mode}


@tool(
    Domain.AUDIO,
    phrases=(
        "this one is a keeper, I love it",
        "thumbs down for this one",
        "remember that I like reggae",
        "I can't stand country music",
        "add Nina Simone to my favourites",
        "never play this band again",
    ),
)
def rate_music(
    phone: Sandbox,
    opinion: Literal["like", "dislike"],
    song: Text | None = None,
    artist: Text | None = None,
    genre: Text | None = None,
) -> Json:
    """Save taste in music."""
    named = {"song": song, "artist": artist, "genre": genre}
    subject, name = next(((kind, said) for kind, said in named.items() if said), ("", ""))
    if not subject:
        player = phone.one(Player)
        if player.kind != "music" or player.state == "idle":
            raise bad_argument("no music plays; name the `song`, `artist` or `genre`", argument="song")
        subject, name = "song", player.title
    table = phone.table(Taste)
    old = [row for row in table.find(subject=subject) if same(row.name, name)]
    if old:
        taste = table.update(old[0], opinion=opinion)
    else:
        taste = table.insert(Taste(phone.new_id("taste"), subject, name, opinion))
    return {"message": f"noted: {opinion} {name}", "taste": taste}


@tool(
    Domain.AUDIO,
    effects=Effect.READ,
    permission="microphone",
    phrases=(
        "what's the name of the song I hear",
        "who is singing right now",
        "name that tune",
        "which band is this",
        "who made Take Five",
        "what album is Clocks on",
    ),
)
def identify_music(phone: Sandbox, song: Text | None = None, artist: Text | None = None) -> Json:
    """Which song is this."""
    songs = phone.table(Song).all()
    if song is not None or artist is not None:
        found = matches(songs, song, lambda s: s.title) if song else songs
        found = matches(found, artist, lambda s: s.artist) if artist else found
        if not found:
            raise not_found(f"the library knows no song `{song or artist}`; `search_media` looks further")
        return {"songs": [_facts(s) for s in found[:5]], "total": len(found)}
    player = need_loaded(phone)
    known = [s for s in songs if player.kind == "music" and folded(s.title) == folded(player.title)]
    return {"playing": now_playing(phone), **({"song": _facts(known[0])} if known else {})}


def _facts(song: Song) -> Json:
    return {"title": song.title, "artist": song.artist, "album": song.album, "genre": song.genre, "year": song.year}
