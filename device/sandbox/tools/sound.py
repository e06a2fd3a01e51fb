"""Volume per stream, silence, do not disturb."""

from datetime import timedelta
from typing import Literal

from device.sandbox.api import (
    Domain,
    Duration,
    Json,
    OnOff,
    Percent,
    Sandbox,
    Text,
    bad_argument,
    conflict,
    folded,
    tool,
)
from device.sandbox.rows.audio_settings import VolumeLimit
from device.sandbox.rows.display_sound import SoundSettings, Volume
from device.sandbox.tools.levels import level_after

_STREAMS = {
    "media": ("media", "music", "video", "audio", "sound", "multimedia", "player", "speaker", "speakers", "podcast"),
    "ring": ("ring", "ringer", "ringtone", "ringing", "phone"),
    "notification": ("notification", "notifications", "message", "messages", "system"),
    "alarm": ("alarm", "alarms", "alarm clock"),
    "call": ("call", "calls", "voice", "earpiece", "conversation"),
}


def _streams(said: str | None) -> list[str]:
    """The streams that are meant: media unless said otherwise, or all; 400 for an unknown one."""
    if said is None:
        return ["media"]
    words = folded(said).removesuffix(" volume")
    if words in {"all", "everything", "every", "all sounds"}:
        return list(_STREAMS)
    for stream, names in _STREAMS.items():
        if words in names or {words.split(" ")[0], words.split(" ")[-1]} & set(names):
            return [stream]
    raise bad_argument(f"`stream` {said} is unknown; say {', '.join(_STREAMS)} or all", argument="stream")


def _until(phone: Sandbox, seconds: int | None) -> str:
    """The ISO minute at which a duration from now ends; empty without one."""
    return (phone.now + timedelta(seconds=seconds)).isoformat(timespec="minutes") if seconds else ""


@tool(
    Domain.DISPLAY,
    permission="sound_settings",
    phrases=(
        "a bit louder, please",
        "set the alarm volume to sixty",
        "mute everything for an hour",
        "turn it down by twenty percent",
        "how loud is my ringtone",
        "unmute the music",
        "volume to max",
        "make it a bit quieter",
    ),
)
def adjust_volume(
    phone: Sandbox,
    action: Literal["set", "up", "down", "mute", "unmute", "query"],
    level: Percent | None = None,
    stream: Text | None = None,
    duration: Duration | None = None,
) -> Json:
    """Volume."""
    table = phone.table(Volume)
    rows = [table.need(name, "volume stream") for name in _streams(stream)]
    if action == "query":
        return {"volumes": rows if stream else table.all()}
    if action not in {"mute", "down"}:
        _need_audible(phone, rows)
    if action in ("mute", "unmute"):
        until = _until(phone, duration) if action == "mute" else ""
        done = [table.update(row, muted=action == "mute", muted_until=until) for row in rows]
    else:
        levels = [(row, level_after(action, level, row.percent)) for row in rows]
        _need_allowed(phone, levels)
        done = [table.update(row, percent=at, muted=False, muted_until="") for row, at in levels]
    return {"message": f"{action}: {', '.join(row.stream for row in rows)}", "volumes": done}


def _need_allowed(phone: Sandbox, levels: list[tuple[Volume, int]]) -> None:
    """409 for media louder than the limit allows; turning down is always allowed."""
    limit = phone.one(VolumeLimit)
    if limit.enabled and any(row.stream == "media" and max(limit.percent, row.percent) < at for row, at in levels):
        raise conflict(
            f"media may be {limit.percent} percent loud at most; lift it with `manage_volume_limit` first",
            limit=limit.percent,
        )


def _need_audible(phone: Sandbox, rows: list[Volume]) -> None:
    """409 for making the ringer heard while the phone is silent or vibrates."""
    mode = phone.one(SoundSettings).mode
    if mode != "ring" and any(row.stream in ("ring", "notification") for row in rows):
        raise conflict(f"the sound mode is {mode}; use `set_sound_mode` with mode ring first", mode=mode)


@tool(
    Domain.DISPLAY,
    permission="sound_settings",
    phrases=(
        "don't let anyone disturb me",
        "do not disturb for two hours",
        "I can be reached again",
        "is do not disturb on",
        "no interruptions until the meeting ends",
        "switch off dnd",
    ),
)
def manage_dnd(phone: Sandbox, action: OnOff, duration: Duration | None = None) -> Json:
    """Do not disturb."""
    if action == "disable" and duration is not None:
        raise bad_argument("`duration` goes with action enable; leave it out to disable", argument="duration")
    if action != "query":
        until = _until(phone, duration) if action == "enable" else ""
        phone.change(SoundSettings, dnd=action == "enable", dnd_until=until)
    sound = phone.one(SoundSettings)
    return {"enabled": sound.dnd, "until": sound.dnd_until}


@tool(
    Domain.DISPLAY,
    permission="sound_settings",
    phrases=(
        "put the phone on vibrate",
        "make the phone go silent",
        "let it ring again",
        "just buzz, don't ring",
        "ringer back on",
    ),
)
def set_sound_mode(phone: Sandbox, mode: Literal["ring", "vibrate", "silent"]) -> Json:
    """Ring, vibrate or silent."""
    return {"mode": phone.change(SoundSettings, mode=mode).mode}
