"""What is watched: channels of live television, how videos are shown, and what is kept to be seen or heard offline."""

from dataclasses import dataclass

from device.sandbox.api import Sandbox, plant, row


@row("video_settings")
@dataclass(frozen=True, slots=True)
class VideoSettings:
    """How the video player shows what it plays: one row."""

    quality: str = "auto"
    """auto, 360p, 480p, 720p, 1080p or 4k."""
    speed: float = 1.0
    """Times the usual speed, 0.5 to 2."""
    subtitles: str = "off"
    """off, or their language."""


@row("tv_channels", key="id")
@dataclass(frozen=True, slots=True)
class Channel:
    """One channel of live television."""

    id: str
    """Seeded id, `channel_001`."""
    number: int
    """Its place on the remote control."""
    name: str
    """As announced."""
    subscribed: bool = True
    """False: not part of the user's package."""


@row("offline_downloads", key="id")
@dataclass(frozen=True, slots=True)
class Download:
    """Something that shall be seen or heard without a network."""

    id: str
    """Seeded id, `download_001`."""
    name: str
    """Title of the playlist, episode, film or show."""
    kind: str
    """playlist, episode or video."""
    size_mb: float
    """Megabytes."""
    ready_at: str = ""
    """ISO moment at which it is complete; empty while it waits for Wi-Fi."""


_CHANNELS = (
    (1, "First News", True), (2, "World Report", True), (3, "Sports Arena", True), (4, "Sports Live", True),
    (5, "Kids Planet", True), (6, "Wild Nature", True), (7, "Movie Palace", True), (8, "Cinema Gold", False),
    (9, "Comedy Corner", True), (10, "Cooking Today", True), (11, "History Vault", True), (12, "Music Box", False),
)  # fmt: skip


@plant
def channels(phone: Sandbox) -> None:
    """Twelve channels, two of them outside the package."""
    for number, name, subscribed in _CHANNELS:
        phone.table(Channel).insert(Channel(phone.new_id("channel"), number, name, subscribed))
