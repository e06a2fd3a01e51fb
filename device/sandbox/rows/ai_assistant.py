"""Settings of the assistant, and what its eye knows about photos of food."""

from dataclasses import dataclass

from device.sandbox.api import Sandbox, plant, row


@row("voice_assistant")
@dataclass(frozen=True, slots=True)
class VoiceAssistant:
    """How the assistant speaks, and whether a session is open."""

    whisper_mode: bool = False
    """Whether it whispers."""
    speech_speed: str = "normal"
    """`slow`, `normal` or `fast`."""
    voice: str = "Nova"
    """Name of the voice."""
    session_open: bool = True
    """Whether it listens."""


@row("smart_perception")
@dataclass(frozen=True, slots=True)
class SmartPerception:
    """Perception of the surroundings."""

    enabled: bool = False
    """Whether it watches and listens for context."""


@row("ai_caption")
@dataclass(frozen=True, slots=True)
class AiCaption:
    """Live captions."""

    enabled: bool = False
    """Whether speech is shown as text."""
    language: str = "English"
    """Of the captions."""


@row("food_photos", key="photo")
@dataclass(frozen=True, slots=True)
class FoodPhoto:
    """A photo on which food was recognised."""

    photo: str
    """Its file name."""
    food: str
    """What it shows."""
    grams: int
    """Estimated weight of the portion."""
    calories: int
    """Estimated kilocalories of the portion."""
    taken: str
    """`YYYY-MM-DD`."""


@plant
def food_photos(phone: Sandbox) -> None:
    """The one photo among the default files that shows food."""
    phone.table(FoodPhoto).insert(FoodPhoto("Birthday_Cake.jpg", "chocolate cake", 120, 445, "2026-02-14"))
