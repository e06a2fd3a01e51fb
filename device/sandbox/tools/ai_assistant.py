"""The assistant itself: how it speaks, what it perceives, what it sees on a photo of food."""

from typing import Literal

from device.sandbox.api import (
    Domain,
    Effect,
    Json,
    OnOff,
    Sandbox,
    Text,
    bad_argument,
    conflict,
    folded,
    not_found,
    tool,
)
from device.sandbox.knowledge.speech import LANGUAGES, language
from device.sandbox.rows.ai_assistant import AiCaption, FoodPhoto, SmartPerception, VoiceAssistant
from device.sandbox.rows.storage import File
from device.sandbox.rows.system_settings import Battery
from device.sandbox.tools.finding import named

VOICES = ("Nova", "Orion", "Luna", "Atlas")
"""Voices that the assistant has."""
SPEEDS = ("slow", "normal", "fast")
"""How fast it may speak."""
_SPEED_WORDS = {
    "slower": "slow", "slowly": "slow", "low": "slow", "default": "normal", "medium": "normal", "regular": "normal",
    "faster": "fast", "quick": "fast", "quicker": "fast", "quickly": "fast", "high": "fast",
}  # fmt: skip
_SWITCH = {
    "on": True, "enable": True, "enabled": True, "true": True, "yes": True, "off": False, "disable": False,
    "disabled": False, "false": False, "no": False,
}  # fmt: skip


@tool(
    Domain.ASSISTANT,
    phrases=(
        "talk a bit slower",
        "start whispering please",
        "use the Luna voice",
        "stop whispering",
        "which voice are you using",
        "talk a little quicker",
    ),
)
def manage_voice_assistant(
    phone: Sandbox, setting: Literal["whisper_mode", "speech_speed", "voice"], value: Text | None = None
) -> Json:
    """Assistant voice, speed and whispering."""
    if value is None:
        return {"setting": setting, "value": getattr(phone.one(VoiceAssistant), setting)}
    read = _read_setting(setting, folded(value))
    if read is None:
        valid = {"whisper_mode": ["on", "off"], "speech_speed": list(SPEEDS), "voice": list(VOICES)}[setting]
        raise bad_argument(f"`value` is `{value}`; `{setting}` takes {', '.join(valid)}", argument="value", valid=valid)
    phone.change(VoiceAssistant, **{setting: read})
    return {"setting": setting, "value": read}


def _read_setting(setting: str, said: str) -> bool | str | None:
    """The value that is meant, None where there is no such one."""
    if setting == "whisper_mode":
        return _SWITCH.get(said)
    if setting == "speech_speed":
        speed = _SPEED_WORDS.get(said, said)
        return speed if speed in SPEEDS else None
    return next((voice for voice in VOICES if voice.casefold() == said.removesuffix(" voice")), None)


@tool(
    Domain.ASSISTANT,
    permission="smart_perception",
    phrases=(
        "turn on smart perception",
        "stop watching my surroundings",
        "is smart perception active",
        "let the phone notice what's around me",
    ),
)
def manage_smart_perception(phone: Sandbox, action: OnOff) -> Json:
    """Smart perception of surroundings."""
    if action == "enable" and phone.one(Battery).mode == "super_saving":
        raise conflict("super power saving is on; set another mode with `manage_battery` first", mode="super_saving")
    if action != "query":
        phone.change(SmartPerception, enabled=action == "enable")
    return {"enabled": phone.one(SmartPerception).enabled}


@tool(
    Domain.ASSISTANT,
    phrases=(
        "show live captions",
        "turn captions off",
        "caption this video in Spanish",
        "are captions on",
    ),
)
def manage_ai_caption(phone: Sandbox, action: OnOff, language: Text | None = None) -> Json:
    """Live captions."""
    if action == "query":
        return _captions(phone)
    changes: Json = {"enabled": action == "enable"}
    if language is not None and action == "enable":
        changes["language"] = _caption_language(language)
    phone.change(AiCaption, **changes)
    return _captions(phone)


def _captions(phone: Sandbox) -> Json:
    row = phone.one(AiCaption)
    return {"enabled": row.enabled, "language": row.language}


def _caption_language(said: str) -> str:
    found = language(said)
    if found is None:
        raise bad_argument(
            f"`language` is `{said}`; captions come in {', '.join(LANGUAGES)}",
            argument="language",
            valid=list(LANGUAGES),
        )
    return found


@tool(
    Domain.ASSISTANT,
    permission="photos",
    effects=Effect.READ,
    phrases=(
        "how many calories are in this meal",
        "count the calories in my lunch photo",
        "is this cake very fattening, check the picture",
        "what am I eating here, in calories",
    ),
)
def identify_food_calories(phone: Sandbox, photo: Text | None = None) -> Json:
    """Calories from a photo."""
    rows = phone.table(FoodPhoto).all()
    if photo is not None:
        rows = named(rows, photo.rsplit(".", 1)[0].replace("_", " "), _photo_name)
        if not rows and (images := named(phone.table(File).find(kind="image"), photo, lambda row: row.name)):
            return {"photo": images[0].name, "found": False, "message": "no food was recognised on this photo"}
    if not rows:
        known = [row.photo for row in phone.table(FoodPhoto).all()]
        raise not_found(
            f"no photo `{photo or 'of food'}`; photos of food are {', '.join(known) or 'none'}", candidates=known
        )
    if len(rows) > 1 and photo is not None:
        raise conflict(f"several photos match `{photo}`; say which one", candidates=[row.photo for row in rows])
    seen = max(rows, key=lambda row: row.taken)
    return {"photo": seen.photo, "found": True, "food": seen.food, "grams": seen.grams, "calories": seen.calories}


def _photo_name(row: FoodPhoto) -> str:
    return f"{row.photo.rsplit('.', 1)[0].replace('_', ' ')} {row.food}"


@tool(
    Domain.ASSISTANT,
    phrases=(
        "that's all, goodbye",
        "stop listening now",
        "close the assistant",
        "we're done here",
        "end this session",
    ),
)
def close_voice_assistant_session(phone: Sandbox) -> Json:
    """End the voice session."""
    if not phone.one(VoiceAssistant).session_open:
        raise conflict("the voice session is closed already; nothing is left to do")
    phone.change(VoiceAssistant, session_open=False)
    return {"session": "closed"}
