"""Accessibility, debugging, and setting everything back."""

from typing import Literal

from device.sandbox.api import Domain, Effect, Json, OnOff, Sandbox, bad_argument, tool
from device.sandbox.rows.ai_assistant import AiCaption, SmartPerception, VoiceAssistant
from device.sandbox.rows.audio_settings import Equalizer, HeadphoneNoise, SoundOutput, Vibration, VolumeLimit
from device.sandbox.rows.display_sound import Display, SoundSettings, Volume
from device.sandbox.rows.network import Radios
from device.sandbox.rows.notifications import GameManager
from device.sandbox.rows.screen_settings import EyeComfortSchedule, Magnifier, Panel, ToneSettings
from device.sandbox.rows.surroundings import BluetoothDevice, WifiNetwork
from device.sandbox.rows.system_settings import Battery, CoolingFan, SelectToSpeak, StatusBar, Talkback, UsbDebug


@tool(
    Domain.SYSTEM,
    permission="developer_options",
    effects={"enable": Effect.GRANT},
    phrases=(
        "enable USB debugging",
        "turn USB debugging off again",
        "is USB debugging on",
        "I want to debug over the cable",
    ),
)
def manage_usb_debug(phone: Sandbox, action: OnOff) -> Json:
    """USB debugging."""
    if action == "enable":
        phone.change(UsbDebug, enabled=True, developer_options=True)
    elif action == "disable":
        phone.change(UsbDebug, enabled=False)
    debug = phone.one(UsbDebug)
    return {"usb_debug_enabled": debug.enabled, "developer_options_enabled": debug.developer_options}


@tool(
    Domain.SYSTEM,
    permission="accessibility",
    phrases=(
        "turn on the screen reader",
        "TalkBack off please",
        "read out what I touch",
        "is TalkBack running",
    ),
)
def manage_talkback(phone: Sandbox, action: OnOff) -> Json:
    """Screen reader."""
    if action != "query":
        return {"enabled": phone.change(Talkback, enabled=action == "enable").enabled}
    row = phone.one(Talkback)
    feedback = {"sound_feedback": row.sound_feedback, "vibration_feedback": row.vibration_feedback}
    return {"enabled": row.enabled, "settings": {"pitch": row.pitch, "speech_rate": row.speech_rate, **feedback}}


@tool(
    Domain.SYSTEM,
    permission="accessibility",
    phrases=(
        "turn on select to speak",
        "stop reading the text I tap",
        "is select to speak enabled",
        "let me tap words to hear them",
    ),
)
def manage_select_to_speak(phone: Sandbox, action: OnOff) -> Json:
    """Select to speak."""
    if action != "query":
        return {"enabled": phone.change(SelectToSpeak, enabled=action == "enable").enabled}
    row = phone.one(SelectToSpeak)
    spoken = {"speech_rate": row.speech_rate, "read_in_background": row.read_in_background}
    return {"enabled": row.enabled, "settings": {"highlight_color": row.highlight_color, **spoken}}


VOLUMES = {"media": 50, "ring": 70, "notification": 60, "alarm": 80, "call": 60}
"""Volumes of a new phone, percent."""


@tool(
    Domain.SYSTEM,
    permission="reset",
    effects=Effect.DELETE,
    phrases=(
        "reset the network settings",
        "put the sound back to default",
        "restore the display defaults",
        "reset all settings on this phone",
    ),
)
def reset_settings(phone: Sandbox, scope: Literal["network", "display", "sound", "all"] | None = None) -> Json:
    """Reset settings to defaults."""
    scopes = ("network", "display", "sound", "all")
    if scope is None:
        raise bad_argument(f"`reset_settings` needs `scope`: {', '.join(scopes)}", argument="scope", valid=list(scopes))
    done = [name for name in scopes[:3] if scope in (name, "all")]
    if "network" in done:
        _reset_network(phone)
    if "display" in done:
        for shown in (Display(), Panel(), Magnifier(), EyeComfortSchedule()):
            _restore(phone, shown)
    if "sound" in done:
        for heard in (
            SoundSettings(),
            Equalizer(),
            HeadphoneNoise(),
            SoundOutput(),
            Vibration(),
            VolumeLimit(),
            ToneSettings(),
        ):
            _restore(phone, heard)
        for volume in phone.table(Volume).all():
            new = Volume(volume.stream, VOLUMES.get(volume.stream, 50))
            if new != volume:
                phone.table(Volume).update(volume, percent=new.percent, muted=False, muted_until="")
    if scope == "all":
        keep = phone.one(Battery)
        _restore(phone, Battery(keep.level, keep.charging))
        for row in (
            Talkback(),
            SelectToSpeak(),
            UsbDebug(),
            CoolingFan(),
            StatusBar(),
            SmartPerception(),
            AiCaption(),
            GameManager(),
        ):
            _restore(phone, row)
        _restore(phone, VoiceAssistant(session_open=phone.one(VoiceAssistant).session_open))
    return {"reset": [*done, "system"] if scope == "all" else done}


def _restore(phone: Sandbox, default: object) -> None:
    """Give a singleton the columns of `default`, where they differ."""
    kind = type(default)
    if phone.one(kind) != default:
        phone.change(kind, **{name: getattr(default, name) for name in default.__slots__})  # type: ignore[attr-defined]


def _reset_network(phone: Sandbox) -> None:
    """Radios as on a new phone that knows no network and no device."""
    _restore(phone, Radios(wifi_network=""))
    for network in phone.table(WifiNetwork).find(saved=True):
        phone.table(WifiNetwork).update(network, saved=False)
    for device in phone.table(BluetoothDevice).find(paired=True):
        phone.table(BluetoothDevice).update(device, paired=False, connected=False)
