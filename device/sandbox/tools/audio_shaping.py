"""How what plays sounds and ends: equaliser, headphones, sleep timer, and the songs that come next."""

from datetime import timedelta
from typing import Literal

from device.sandbox.api import Domain, Duration, Json, Sandbox, Text, bad_argument, conflict, not_found, tool
from device.sandbox.rows.audio_settings import Equalizer, HeadphoneNoise, SleepTimer
from device.sandbox.rows.music import Player, Song
from device.sandbox.rows.surroundings import BluetoothDevice
from device.sandbox.tools.audio_player import need_loaded, settled
from device.sandbox.tools.lookup import matches, only


@tool(
    Domain.AUDIO,
    permission="sound_settings",
    phrases=(
        "more bass in my music",
        "set the equalizer to rock",
        "which equalizer preset is active",
        "make voices clearer with the EQ",
        "equalizer back to flat",
        "boost the treble",
    ),
)
def manage_equalizer(
    phone: Sandbox,
    action: Literal["set", "query"],
    preset: Literal["flat", "bass_boost", "treble_boost", "vocal", "rock", "jazz", "classical"] | None = None,
) -> Json:
    """Equalizer presets."""
    if action == "set":
        if preset is None:
            raise bad_argument("`preset` is missing: flat, bass_boost, treble_boost, vocal, ...", argument="preset")
        phone.change(Equalizer, preset=preset)
    return {"preset": phone.one(Equalizer).preset}


def need_headphones(phone: Sandbox, what: str) -> BluetoothDevice:
    """The connected headphones; 409 without any."""
    own = phone.table(BluetoothDevice).find(kind="headphones")
    linked = [device for device in own if device.connected]
    if not linked:
        known = ", ".join(device.name for device in own) or "none"
        raise conflict(
            f"no headphones are connected for {what}; connect them with `manage_bluetooth` first (known: {known})"
        )
    return linked[0]


@tool(
    Domain.AUDIO,
    permission="sound_settings",
    phrases=(
        "block out the noise with my headphones",
        "let me hear what's around me through the earbuds",
        "headphones to transparency",
        "noise cancelling off",
        "are my headphones cancelling noise",
    ),
)
def control_headphone_noise(
    phone: Sandbox, action: Literal["noise_cancelling", "transparency", "off", "query"]
) -> Json:
    """Headphones: noise cancelling or transparency."""
    device = need_headphones(phone, "noise control")
    if action != "query":
        phone.change(HeadphoneNoise, mode=action)
    return {"headphones": device.name, "noise_mode": phone.one(HeadphoneNoise).mode}


@tool(
    Domain.AUDIO,
    phrases=(
        "set a sleep timer for half an hour",
        "sleep timer off",
        "how long until the sleep timer stops my audio",
        "I'm falling asleep, end the audiobook in 20 minutes",
        "cancel the music's sleep timer",
    ),
)
def manage_sleep_timer(
    phone: Sandbox, action: Literal["start", "cancel", "query"], duration: Duration | None = None
) -> Json:
    """Sleep timer that stops playback."""
    ends = phone.one(SleepTimer).ends_at
    runs = ends > phone.now.isoformat(timespec="seconds")
    if action == "start":
        if settled(phone).state != "playing":
            raise conflict("nothing is playing that a sleep timer could stop; start something first")
        if duration is None:
            raise bad_argument("`duration` is missing: after how long", argument="duration")
        ends = (phone.now + timedelta(seconds=duration)).isoformat(timespec="seconds")
        phone.change(SleepTimer, ends_at=ends)
        return {"message": "sleep timer is running", "ends_at": ends, "playing": phone.one(Player).title}
    if action == "cancel":
        if not runs:
            raise conflict("no sleep timer is running; nothing was changed")
        phone.change(SleepTimer, ends_at="")
        return {"message": "sleep timer cancelled", "running": False}
    return {"running": runs, **({"ends_at": ends} if ends else {}), "player": settled(phone).state}


@tool(
    Domain.AUDIO,
    phrases=(
        "add this song to the queue",
        "play Wonderwall after this one",
        "what song comes up next",
        "empty the play queue",
        "take Hurt out of the queue",
        "queue up one more track",
    ),
)
def manage_play_queue(
    phone: Sandbox,
    action: Literal["add", "play_next", "remove", "clear", "query"],
    song: Text | None = None,
) -> Json:
    """Songs waiting in the queue."""
    player = need_loaded(phone)
    if player.kind != "music" or not player.queue:
        raise conflict(f"`{player.title}` plays without a queue; start songs of the library with `play_music` first")
    if action == "query":
        return _waiting(phone, player)
    if action == "clear":
        player = phone.change(Player, queue=(player.queue[player.index],), index=0)
        return {"message": "the queue is empty", **_waiting(phone, player)}
    if song is None:
        raise bad_argument(f"`song` is missing: which one to {action}", argument="song")
    queue = (_without if action == "remove" else _with)(phone, player, action, song)
    return {"message": f"{action}: done", **_waiting(phone, phone.change(Player, queue=queue))}


def _waiting(phone: Sandbox, player: Player) -> Json:
    """What plays and what comes after it."""
    return {"playing": player.title, "next": [_title(phone, key) for key in player.queue[player.index + 1 :]]}


def _title(phone: Sandbox, key: str) -> str:
    song = phone.table(Song).get(key)
    return song.title if song else key


def _with(phone: Sandbox, player: Player, action: str, said: str) -> tuple[str, ...]:
    """The queue with a song of the library at its end, or next."""
    key = only(phone.table(Song).all(), said, lambda s: s.title, "song of the library").id
    at = player.index + 1 if action == "play_next" else len(player.queue)
    return (*player.queue[:at], key, *player.queue[at:])


def _without(phone: Sandbox, player: Player, _: str, said: str) -> tuple[str, ...]:
    """The queue without a waiting song."""
    places = range(player.index + 1, len(player.queue))
    found = matches(places, said, lambda place: _title(phone, player.queue[place]))
    if not found:
        waiting = _waiting(phone, player)["next"]
        raise not_found(f"`{said}` does not wait in the queue; there is {', '.join(waiting) or 'none'}")
    return player.queue[: found[0]] + player.queue[found[0] + 1 :]
