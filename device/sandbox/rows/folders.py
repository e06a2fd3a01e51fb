"""Folders, what lies in the trash, what archives hold, and which files other people see."""

from dataclasses import dataclass

from device.sandbox.api import Sandbox, plant, row


@row("folders", key="name")
@dataclass(frozen=True, slots=True)
class Folder:
    """One folder of the phone's storage."""

    name: str
    """`Documents`."""
    system: bool = False
    """Whether the system needs it; such a one keeps its name."""


@row("trashed_files", key="id")
@dataclass(frozen=True, slots=True)
class TrashedFile:
    """A deleted file that the trash still holds."""

    id: str
    """Seeded id, `trash_001`."""
    name: str
    """With its ending."""
    kind: str
    """`document`, `image`, `audio` or `video`."""
    size_mb: float
    """Megabytes."""
    folder: str
    """Where it lay, and goes back to."""
    modified: str
    """`YYYY-MM-DD`."""


@row("archive_entries", key="id")
@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """One file inside a zip archive."""

    id: str
    """Seeded id, `entry_001`."""
    archive: str
    """Name of the archive's file."""
    name: str
    """With its ending."""
    kind: str
    """`document`, `image`, `audio` or `video`."""
    size_mb: float
    """Megabytes when extracted."""
    modified: str
    """`YYYY-MM-DD`."""


@row("file_shares", key="id")
@dataclass(frozen=True, slots=True)
class FileShare:
    """One file that one person reaches through the cloud."""

    id: str
    """Seeded id, `fileshare_001`."""
    file: str
    """Name of the file."""
    person: str
    """Id of the contact."""
    access: str
    """`view` or `edit`."""
    state: str = "uploading"
    """`uploading`, or `waiting_for_wifi` where the file is large and there is mobile data alone."""
    ready_at: str = ""
    """ISO second from which the person can open it; empty while it waits."""


_FOLDERS = ("Documents", "Downloads", "Music", "Pictures", "Recordings", "Videos")
_TRASHED = (
    ("Old_Slides.pptx", "document", 14.5, "Documents", "2025-09-18"),
    ("Blurry_Dog.jpg", "image", 3.5, "Pictures", "2026-02-09"),
    ("Concert_Clip.mp4", "video", 347.0, "Videos", "2025-12-05"),
)


@plant
def folders(phone: Sandbox) -> None:
    """Six folders of the system; three files of 365 MB in the trash."""
    for name in _FOLDERS:
        phone.table(Folder).insert(Folder(name, system=True))
    for columns in _TRASHED:
        phone.table(TrashedFile).insert(TrashedFile(phone.new_id("trash"), *columns))
