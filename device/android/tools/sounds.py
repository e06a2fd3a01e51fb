"""Sound: volumes on Android's steps, sound mode, do not disturb, vibration, tones.

`cmd media_session volume` (`MediaShellCommand`, Android 11 on; 10 has it as `media volume`), `cmd audio` (Android 12),
`cmd notification` (`NotificationShellCmd`).
"""

from typing import Any

from device.android.errors import bad_argument, conflict, not_found, unsupported
from device.android.state.looks import INTENSITY, STREAMS, TONES, tones, volume_range
from device.android.state.tables import SINGLE
from device.android.tools.registry import offered
from device.android.tools.switches import number
from device.android.work import Answer, Work
from device.sandbox.tools.levels import level_after
from device.spoken import fold_text

_SETTINGS = "WRITE_SECURE_SETTINGS"
_WORDS = {
    "media": "media music video audio sound multimedia player speaker podcast", "ring": "ring ringer ringtone ringing",
    "notification": "notification notifications message messages", "alarm": "alarm alarms",
    "call": "call calls voice earpiece conversation",
}  # fmt: skip


@offered("adjust_volume", since=11, needs="MODIFY_AUDIO_SETTINGS")
def adjust_volume(
    phone: Work, action: str, level: int | str | None = None, stream: str | None = None, duration: int | None = None
) -> Answer:
    """A percentage, on the nearest step of the stream."""
    if duration is not None:
        raise unsupported("Android's shell can't end a silence by itself; leave `duration` out", argument="duration")
    names = _streams(stream)
    phone.watch("volumes")
    if action == "query":
        return lambda seen: {"volumes": [row for name, row in seen["volumes"].items() if not stream or name in names]}
    for name in names:
        _set_volume(phone, name, action, level)
    return lambda seen: {"volumes": [seen["volumes"][name] for name in names]}


def _set_volume(phone: Work, stream: str, action: str, level: int | str | None) -> None:
    at, least, top = volume_range(phone.look(), stream)
    if action == "unmute":
        if at > least:
            return
        wanted = 50
    else:
        wanted = 0 if action == "mute" else level_after(action, level, round(at * 100 / top))
    if wanted == 0 and least > 0:
        raise unsupported(f"Android keeps `{stream}` audible: its lowest step is {least} of {top}; set a level instead")
    step = max(least, round(wanted * top / 100))
    phone.run("cmd", "media_session", "volume", "--stream", str(STREAMS[stream]), "--set", str(step))
    phone.expect("volumes", stream, percent=round(step * 100 / top), muted=step == 0)


def _streams(said: str | None) -> list[str]:
    if said is None:
        return ["media"]
    words = fold_text(said).removesuffix(" volume").split()
    if not words or words[0] in ("all", "everything", "every"):
        return list(STREAMS)
    for stream, known in _WORDS.items():
        if {words[0], words[-1]} & set(known.split()):
            return [stream]
    raise bad_argument(f"`stream` {said} is unknown; say {', '.join(STREAMS)} or all", argument="stream")


@offered("set_sound_mode", since=12, needs="MODIFY_AUDIO_SETTINGS")
def set_sound_mode(phone: Work, mode: str) -> Answer:
    """Ring, vibrate, silent."""
    phone.watch("sound")
    word = {"ring": "NORMAL", "vibrate": "VIBRATE", "silent": "SILENT"}[mode]
    phone.run("cmd", "audio", "set-ringer-mode", word)
    phone.expect("sound", mode=mode)
    return lambda seen: {"mode": seen["sound"][SINGLE]["mode"]}


@offered("manage_dnd", needs="MANAGE_NOTIFICATIONS")
def manage_dnd(phone: Work, action: str, duration: int | None = None) -> Answer:
    """Do not disturb, without an end."""
    if duration is not None:
        raise unsupported("Android's shell can't end do not disturb by itself; leave `duration` out")
    phone.watch("sound")
    if action != "query":
        phone.run("cmd", "notification", "set_dnd", "on" if action == "enable" else "off")
        phone.expect("sound", dnd=action == "enable")
    return lambda seen: {"enabled": seen["sound"][SINGLE]["dnd"]}


@offered("manage_vibration", needs=_SETTINGS)
def manage_vibration(phone: Work, action: str, event: str | None = None, intensity: str | None = None) -> Answer:
    """By event, and the strength."""
    phone.watch("vibration")
    keys = {
        "calls": "vibrate_when_ringing",
        "notifications": "notification_vibration_intensity",
        "touch": "haptic_feedback_enabled",
    }
    if action != "query":
        shown = action == "enable"
        strength = INTENSITY[intensity] if intensity else "2"
        for name in [event] if event else list(keys):
            value = strength if name == "notifications" and shown else number(shown)
            phone.put("system", keys[name], value)
            phone.expect("vibration", **{name: shown})
        if intensity is not None:
            for key in ("haptic_feedback_intensity", "ring_vibration_intensity", "notification_vibration_intensity"):
                phone.put("system", key, strength)
            phone.expect("vibration", intensity=intensity)
    return lambda seen: dict(seen["vibration"][SINGLE])


@offered("set_ringtone", needs=_SETTINGS)
def set_ringtone(phone: Work, ringtone: str, contact: str | None = None) -> Answer:
    """One of the phone's own tones, for all calls."""
    if contact is not None:
        raise unsupported("a contact's own ringtone is not open to the shell; leave `contact` out", argument="contact")
    return _tone(phone, ringtone, "is_ringtone", "ringtone", "ringtone")


@offered("set_notification_sound", needs=_SETTINGS)
def set_notification_sound(phone: Work, sound: str, appName: str | None = None) -> Answer:
    """One of the phone's own tones, for all apps."""
    if appName is not None:
        raise unsupported("an app's own sound is not open to the shell; leave `appName` out", argument="appName")
    return _tone(phone, sound, "is_notification", "notification_sound", "sound")


def _tone(phone: Work, said: str, kind: str, key: str, column: str) -> Answer:
    phone.watch("tone_settings")
    there = [tone for tone in tones(phone.look()) if tone[kind] == "1"]
    wanted = fold_text(said)
    found = [tone for tone in there if fold_text(tone["title"]) == wanted]
    found = found or [tone for tone in there if wanted in fold_text(tone["title"])]
    if not found:
        raise not_found(f"no tone is called `{said}`", candidates=[tone["title"] for tone in there][:20])
    if len(found) > 1:
        raise conflict(f"`{said}` could be several tones", candidates=[tone["title"] for tone in found])
    phone.put("system", key, f"{TONES}/{found[0]['_id']}")
    phone.expect("tone_settings", **{column: found[0]["title"]})

    def answer(seen: dict[str, Any]) -> dict[str, Any]:
        return {column: seen["tone_settings"][SINGLE][column]}

    return answer
