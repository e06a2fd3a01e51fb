"""What the assistant's agents keep: what pictures show, its face, practice sessions, and cards with personal data."""

from dataclasses import dataclass

from device.sandbox.api import Sandbox, plant, row


@row("picture_contents", key="photo")
@dataclass(frozen=True, slots=True)
class PictureContent:
    """What one picture shows."""

    photo: str
    """Its file name."""
    caption: str
    """What is seen."""
    text: str = ""
    """What is written on it."""
    operation: str = ""
    """How it was made of another picture; "" for a photo or a generated one."""


@row("avatar")
@dataclass(frozen=True, slots=True)
class Avatar:
    """The face of the assistant."""

    expression: str = "neutral"
    """What it shows."""


@row("multimodal_dialogue")
@dataclass(frozen=True, slots=True)
class MultimodalDialogue:
    """The dialogue over camera, screen and voice."""

    active: bool = False
    """Whether it goes on."""
    topic: str = ""
    """What it is about."""
    turns: int = 0
    """What was said so far."""


@row("coach_sessions", key="id")
@dataclass(frozen=True, slots=True)
class CoachSession:
    """One practice of speaking."""

    id: str
    """`coach_001`."""
    topic: str
    """What is spoken about."""
    exercise: str
    """`pronunciation`, `presentation`, `interview` or `conversation`."""
    language: str
    """Of the practice."""
    state: str = "open"
    """`open` or `ended`."""
    score: int = 0
    """0 to 100, when it has ended."""


@row("coach_turns", key="id")
@dataclass(frozen=True, slots=True)
class CoachTurn:
    """One thing that was said to the coach."""

    id: str
    """`coach_turn_001`."""
    session: str
    """Id of its session."""
    text: str
    """What was said."""
    fillers: int
    """Words such as "um"."""
    score: int
    """0 to 100."""


@row("dialogue_sessions", key="id")
@dataclass(frozen=True, slots=True)
class DialogueSession:
    """One role play."""

    id: str
    """`dialogue_001`."""
    scenario: str
    """Which scene."""
    language: str
    """Spoken in it."""
    reached: tuple[str, ...] = ()
    """Goals of the scene that were reached, in order."""
    turns: int = 0
    """Replies of the user."""
    state: str = "open"
    """`open` or `ended`."""


@row("personal_cards", key="id")
@dataclass(frozen=True, slots=True)
class PersonalCard:
    """One card with a fact about the user."""

    id: str
    """`card_001`."""
    label: str
    """What it is."""
    value: str
    """The fact."""
    category: str = "identity"
    """`identity`, `vehicle`, `travel`, `health` or `home`."""


_PICTURES = (
    ("Beach_Sunset.jpg", "an orange sun over a calm sea, two people on the sand", ""),
    ("Birthday_Cake.jpg", "a chocolate cake with eight candles on a table", "Happy Birthday"),
    ("Whiteboard.png", "a whiteboard with three boxes and arrows", "Launch plan: build, test, ship in May"),
    ("Receipt_Groceries.jpg", "a receipt on a kitchen table", "Total 42.17"),
)
_CARDS = (
    ("passport number", "X2046518", "identity"),
    ("driving licence number", "DL-77-304419", "identity"),
    ("license plate", "RVT 482", "vehicle"),
    ("car insurance policy", "CI-5520-91", "vehicle"),
    ("frequent flyer number", "SJ 330 914 772", "travel"),
    ("health insurance number", "H-881-20-6", "health"),
    ("blood type", "A positive", "health"),
    ("shoe size", "42", "health"),
    ("gate code", "5190#", "home"),
    ("electricity meter number", "EM 0071 3384", "home"),
)


@plant
def agents(phone: Sandbox) -> None:
    """What the four default pictures show, and ten cards; nothing is practised."""
    for photo, caption, text in _PICTURES:
        phone.table(PictureContent).insert(PictureContent(photo, caption, text))
    for label, value, category in _CARDS:
        phone.table(PersonalCard).insert(PersonalCard(phone.new_id("card"), label, value, category))
