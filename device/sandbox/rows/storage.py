"""Files on the phone, and how full it is."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from device.sandbox.registry import plant
from device.sandbox.row import row

if TYPE_CHECKING:
    from device.sandbox.sandbox import Sandbox


@row("files", key="id")
@dataclass(frozen=True, slots=True)
class File:
    """One file."""

    id: str
    """Seeded id, `file_001`."""
    name: str
    """With its ending: `Budget_2026.xlsx`."""
    kind: str
    """`document`, `image`, `audio` or `video`."""
    size_mb: float
    """Megabytes."""
    folder: str
    """`Documents`, `Pictures`, `Downloads`, `Music`, `Recordings` or `Videos`."""
    modified: str
    """`YYYY-MM-DD`."""


@row("storage")
@dataclass(frozen=True, slots=True)
class Storage:
    """How full the phone is, besides files and apps: one row."""

    total_gb: float = 128.0
    """Capacity."""
    system_gb: float = 21.5
    """Taken by the system."""
    cache_mb: float = 1840.0
    """Temporary data of apps."""
    trash_mb: float = 365.0
    """Deleted and not yet gone."""


_DEFAULT = (
    ("Budget_2026.xlsx", "document", 0.4, "Documents", "2026-02-27"),
    ("Meeting_Minutes.docx", "document", 0.2, "Documents", "2026-02-26"),
    ("Lease_Contract.pdf", "document", 1.8, "Documents", "2025-11-03"),
    ("Resume.pdf", "document", 0.3, "Documents", "2026-01-15"),
    ("Boarding_Pass.pdf", "document", 0.5, "Downloads", "2026-02-20"),
    ("Car_Insurance.pdf", "document", 1.1, "Downloads", "2025-12-12"),
    ("Beach_Sunset.jpg", "image", 4.2, "Pictures", "2025-08-16"),
    ("Birthday_Cake.jpg", "image", 3.6, "Pictures", "2026-02-14"),
    ("Whiteboard.png", "image", 2.1, "Pictures", "2026-02-26"),
    ("Receipt_Groceries.jpg", "image", 1.9, "Pictures", "2026-03-01"),
    ("Piano_Practice.m4a", "audio", 12.7, "Recordings", "2026-02-08"),
    ("Lecture_Notes.mp3", "audio", 38.4, "Recordings", "2026-02-24"),
    ("Rainy_Evening.mp3", "audio", 7.9, "Music", "2025-10-30"),
    ("Graduation.mp4", "video", 310.0, "Videos", "2025-06-21"),
    ("Cat_Jumping.mp4", "video", 45.5, "Videos", "2026-02-18"),
)


@plant
def files(phone: "Sandbox") -> None:
    """Fifteen files of four kinds."""
    table = phone.table(File)
    for columns in _DEFAULT:
        table.insert(File(phone.new_id("file"), *columns))
