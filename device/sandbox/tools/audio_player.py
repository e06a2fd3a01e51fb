"""How every tool of this domain drives the one player: start something, move in it, tell what plays."""

from dataclasses import replace
from datetime import datetime

from device.sandbox.api import Json, Sandbox, conflict
from device.sandbox.rows.audio_settings import SleepTimer
from device.sandbox.rows.music import Player, Song

_SHOWN = ("title", "artist", "album", "genre", "playlist", "period", "order", "source", "mode")


def stamp(phone: Sandbox) -> str:
    """The phone's moment as ISO text to the second."""
    return phone.now.isoformat(timespec="seconds")


def start(phone: Sandbox, kind: str, title: str, **fields: object) -> Json:
    """Let `title` play in place of whatever played; `fields` are those of `Player` that are not at their default."""
    mode = phone.one(Player).mode
    fresh = Player(mode=mode, kind=kind, title=title, state="playing", since=stamp(phone))
    values = {name: getattr(fresh, name) for name in Player.__dataclass_fields__}
    phone.change(Player, **(values | fields))
    return now_playing(phone)


def position(phone: Sandbox, player: Player) -> int:
    """Seconds into what plays: the clock runs on while it plays."""
    if player.state != "playing" or not player.since:
        return player.position_s
    passed = phone.now - datetime.fromisoformat(player.since)
    return player.position_s + int(passed.total_seconds())


def settled(phone: Sandbox) -> Player:
    """The player as it is now: paused at the moment at which a sleep timer ran out while it played."""
    player, ends = phone.one(Player), phone.one(SleepTimer).ends_at
    since = player.since or ends
    if player.state != "playing" or not ends or not since <= ends <= stamp(phone):
        return player
    played = datetime.fromisoformat(ends) - datetime.fromisoformat(since)
    at = player.position_s + int(played.total_seconds())
    return replace(player, state="paused", position_s=at, since=ends)


def now_playing(phone: Sandbox) -> Json:
    """The player as the planner reads it; empty fields are left out."""
    player = settled(phone)
    said = {name: value for name in _SHOWN if (value := getattr(player, name)) not in ("", None)}
    return {"state": player.state, "kind": player.kind, **said, "position_s": position(phone, player)}


def need_loaded(phone: Sandbox) -> Player:
    """The player with something in it; 409 when nothing was started."""
    player = settled(phone)
    if player.state == "idle":
        raise conflict("nothing is playing; start something with `play_music`, `play_radio` or `play_podcast` first")
    return player


def set_state(phone: Sandbox, state: str) -> Json:
    """Pause, resume or stop; the place in it is kept, except when stopped."""
    player = need_loaded(phone)
    if player.state == state:
        raise conflict(f"`{player.title}` is already {state}", state=state)
    at = 0 if state == "idle" else position(phone, player)
    phone.change(Player, state=state, position_s=at, since=stamp(phone))
    return now_playing(phone)


def step(phone: Sandbox, by: int) -> Json:
    """The next (`by` 1) or previous (-1) in the queue, as the play mode has it; a stream has no end."""
    player = need_loaded(phone)
    if player.kind not in ("music", "podcast"):
        raise conflict(f"`{player.title}` is {player.kind}; only music and podcasts have a next and a previous one")
    if player.queue:
        return _step_in_queue(phone, player, by)
    if player.index + by < 0:
        raise conflict(f"`{player.title}` is the first; there is no previous one")
    index = player.index + by
    about = player.artist or player.genre or player.playlist or player.album or player.title.split(" - track ")[0]
    title = f"{about} - track {index + 1}"
    phone.change(Player, index=index, title=title, state="playing", position_s=0, since=stamp(phone))
    return now_playing(phone)


def _step_in_queue(phone: Sandbox, player: Player, by: int) -> Json:
    """Move within known songs or episodes; only `repeat_all` goes round."""
    count = len(player.queue)
    index = player.index + by
    if player.mode == "shuffle" and by > 0 and count > 1:
        others = [n for n in range(count) if n != player.index]
        index = phone.chance("shuffle", player.title, stamp(phone)).choice(others)
    elif player.mode == "repeat_all":
        index %= count
    if not 0 <= index < count:
        which = "last" if by > 0 else "first"
        raise conflict(f"`{player.title}` is the {which} of {count}; `set_music_play_mode` repeat_all goes round")
    titled = {"title": player.queue[index], "artist": player.artist}
    if song := phone.table(Song).get(player.queue[index]):
        titled = {"title": song.title, "artist": song.artist}
    phone.change(Player, index=index, state="playing", position_s=0, since=stamp(phone), **titled)
    return now_playing(phone)
