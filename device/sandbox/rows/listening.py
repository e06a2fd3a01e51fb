"""What is listened to besides music: stations, podcast episodes, audiobooks, ambient sounds, recorders."""

from dataclasses import dataclass

from device.sandbox.api import Sandbox, plant, row


@row("stations", key="id")
@dataclass(frozen=True, slots=True)
class Station:
    """One station that the tuner receives."""

    id: str
    """Seeded id, `station_001`."""
    name: str
    """As announced."""
    frequency: str
    """FM megahertz, `101.3`."""
    genre: str
    """Lower case."""


@row("episodes", key="id")
@dataclass(frozen=True, slots=True)
class Episode:
    """One episode of a subscribed podcast."""

    id: str
    """Seeded id, `episode_001`."""
    podcast: str
    """Name of the podcast."""
    number: int
    """Counted from 1; the highest is the latest."""
    title: str
    """Title of the episode."""
    downloaded: bool = False
    """Plays without a network."""


@row("audiobooks", key="id")
@dataclass(frozen=True, slots=True)
class Audiobook:
    """One audiobook on the phone."""

    id: str
    """Seeded id, `book_001`."""
    title: str
    """As on the cover."""
    author: str
    """As on the cover."""
    chapters: int
    """How many."""
    chapter: int = 1
    """Where the listener stands, from 1."""


@row("sounds", key="id")
@dataclass(frozen=True, slots=True)
class AmbientSound:
    """One sound to fall asleep or to work by."""

    id: str
    """Seeded id, `sound_001`."""
    name: str
    """What it sounds like."""


@row("recorders")
@dataclass(frozen=True, slots=True)
class Recorders:
    """What is being recorded; what was recorded is a file."""

    voice_since: str = ""
    """ISO moment at which the running voice recording began; empty: none runs."""
    voice_title: str = ""
    """Its title, where one was said."""
    screen_since: str = ""
    """ISO moment at which the running screen recording began; empty: none runs."""


_STATIONS = (
    ("Classic FM", "100.9", "classical"),
    ("Jazz 24", "88.5", "jazz"),
    ("City News Radio", "97.3", "news"),
    ("Rock Antenna", "101.3", "rock"),
    ("Sunny Pop", "104.6", "pop"),
    ("Country Roads", "92.1", "country"),
)
_EPISODES = (
    ("Heavyweight", 11, "The Bicycle", True),
    ("Heavyweight", 12, "The Letter", True),
    ("Morning Brief", 204, "Markets and Weather", True),
    ("Morning Brief", 205, "Election Night", False),
    ("Science Friday", 37, "Deep Sea Light", True),
    ("Science Friday", 38, "Sleep and Memory", False),
    ("History Hour", 5, "The Silk Road", True),
)
_BOOKS = (
    ("Animal Farm", "George Orwell", 10, 4),
    ("Treasure Island", "Robert Louis Stevenson", 34, 1),
    ("Dracula", "Bram Stoker", 27, 12),
    ("Emma", "Jane Austen", 55, 1),
    ("Pride and Prejudice", "Jane Austen", 61, 20),
    ("The Time Machine", "H. G. Wells", 12, 7),
)
_SOUNDS = ("Rain", "Ocean Waves", "Thunderstorm", "Campfire", "Forest Birds", "Wind", "Fan")


@plant
def listening(phone: Sandbox) -> None:
    """Six stations, four podcasts, six books and seven sounds."""
    for name, frequency, genre in _STATIONS:
        phone.table(Station).insert(Station(phone.new_id("station"), name, frequency, genre))
    for podcast, number, title, downloaded in _EPISODES:
        phone.table(Episode).insert(Episode(phone.new_id("episode"), podcast, number, title, downloaded))
    for title, author, chapters, chapter in _BOOKS:
        phone.table(Audiobook).insert(Audiobook(phone.new_id("book"), title, author, chapters, chapter))
    for name in _SOUNDS:
        phone.table(AmbientSound).insert(AmbientSound(phone.new_id("sound"), name))
