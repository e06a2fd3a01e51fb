"""Playlists: make one, put something on it, take it off, read it."""

from typing import Literal

from device.sandbox.api import Domain, Json, Sandbox, Text, bad_argument, conflict, folded, not_found, same, tool
from device.sandbox.rows.music import Player, Playlist, PlaylistItem, Song
from device.sandbox.tools.lookup import bare_playlist, matches, only


@tool(
    Domain.AUDIO,
    phrases=(
        "add this track to my dinner playlist",
        "make a new playlist for the gym",
        "take Wonderwall off road trip",
        "what's on my focus playlist",
        "put Bob Marley on Anna's party list",
        "which playlists do I have",
        "save this song to Summer Vibes",
    ),
)
def manage_playlist(
    phone: Sandbox,
    *,
    action: Literal["add", "remove", "create", "query"],
    playlist: Text | None = None,
    song: Text | None = None,
    artist: Text | None = None,
    itemType: Text | None = None,
    owner: Text | None = None,
) -> Json:
    """Playlists."""
    if playlist is None:
        if action != "query":
            raise bad_argument(f"`playlist` is missing: which one to {action}", argument="playlist")
        return {"playlists": [_brief(phone, p) for p in _owned(phone, owner)]}
    if action == "create":
        return _create(phone, playlist, owner)
    found = only(_owned(phone, owner), bare_playlist(playlist), lambda p: p.name, "playlist")
    if action == "query":
        items = phone.table(PlaylistItem).find(playlist_id=found.id)
        return _brief(phone, found) | {"items": [{"title": i.title, "artist": i.artist} for i in items]}
    title, performer = _wanted(phone, song, artist, action)
    return (_add if action == "add" else _remove)(phone, found, title, performer)


def _owned(phone: Sandbox, owner: str | None) -> list[Playlist]:
    """All playlists, or those of `owner`; "my" and "our" are the user's own."""
    every = phone.table(Playlist).all()
    if owner is None:
        return every
    mine = folded(owner) in {"my", "me", "mine", "our"}
    named = folded(owner.removesuffix("'s").removesuffix("’s"))
    return [p for p in every if (p.belongs_to == "me" if mine else folded(p.belongs_to) == named)]


def _brief(phone: Sandbox, row: Playlist) -> Json:
    return {"name": row.name, "owner": row.belongs_to, "songs": len(phone.table(PlaylistItem).find(playlist_id=row.id))}


def _create(phone: Sandbox, name: str, owner: str | None) -> Json:
    table = phone.table(Playlist)
    if any(same(p.name, name) for p in table.all()):
        raise conflict(f"a playlist `{name}` is there already; add to it, or choose another name")
    mine = owner is None or folded(owner) in {"my", "me", "mine", "our"}
    made = table.insert(Playlist(phone.new_id("playlist"), name, "me" if mine or owner is None else owner))
    return {"message": f"created playlist {name}", "playlist": made}


def _wanted(phone: Sandbox, song: str | None, artist: str | None, action: str) -> tuple[str, str]:
    """Title and performer that are meant; without either, what plays now."""
    if song is None and artist is None:
        player = phone.one(Player)
        if player.kind != "music" or player.state == "idle":
            raise bad_argument(f"no music plays; name the `song` or `artist` to {action}", argument="song")
        return player.title, player.artist
    if song is None:
        return "", artist or ""
    known = matches(phone.table(Song).all(), song, lambda s: s.title)
    known = [s for s in known if same(s.title, song) and (artist is None or same(s.artist, artist))]
    return (known[0].title, known[0].artist) if known else (song, artist or "")


def _add(phone: Sandbox, row: Playlist, title: str, artist: str) -> Json:
    table = phone.table(PlaylistItem)
    shown = title or artist
    if any(same(i.title, title) and same(i.artist, artist) for i in table.find(playlist_id=row.id)):
        raise conflict(f"`{shown}` is on playlist `{row.name}` already")
    item = table.insert(PlaylistItem(phone.new_id("track"), row.id, title, artist))
    return {"message": f"added {shown} to {row.name}", "item": item}


def _remove(phone: Sandbox, row: Playlist, title: str, artist: str) -> Json:
    table = phone.table(PlaylistItem)
    items = table.find(playlist_id=row.id)
    hits = [i for i in items if same(i.title, title)] if title else [i for i in items if same(i.artist, artist)]
    if not hits:
        there = [i.title or i.artist for i in items]
        raise not_found(f"`{title or artist}` is not on playlist `{row.name}`", candidates=there)
    for item in hits:
        table.delete(item)
    return {"message": f"took {title or artist} off {row.name}", "removed": len(hits)}
