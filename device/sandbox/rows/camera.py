"""The camera's settings, the video that it records, and the albums of the gallery."""

from dataclasses import dataclass

from device.sandbox.api import Sandbox, plant, row


@row("camera_settings")
@dataclass(frozen=True, slots=True)
class CameraSettings:
    """How the camera is set: one row."""

    mode: str = "photo"
    """photo, portrait, night, panorama or macro."""
    flash: str = "auto"
    """auto, on or off."""
    timer: str = "off"
    """off, or the seconds until the shot: 3, 5 or 10."""
    grid: str = "off"
    """on or off: lines that help to hold it straight."""
    video_quality: str = "1080p"
    """720p, 1080p or 4k."""


@row("video_camera")
@dataclass(frozen=True, slots=True)
class VideoCamera:
    """The video that is being recorded: one row. A finished one is a file."""

    since: str = ""
    """ISO moment at which it began; empty: none is recorded."""
    camera: str = "back"
    """front or back."""


@row("albums", key="id")
@dataclass(frozen=True, slots=True)
class PhotoAlbum:
    """One album of the gallery."""

    id: str
    """Seeded id, `album_001`."""
    name: str
    """As said at its creation."""


@row("album_items", key="id")
@dataclass(frozen=True, slots=True)
class AlbumItem:
    """One picture or video in an album; the file itself stays where it is."""

    id: str
    """Seeded id, `albumitem_001`."""
    album_id: str
    """Id of the album."""
    file_id: str
    """Id of the file."""


@plant
def albums(phone: Sandbox) -> None:
    """Three albums, one of them with two pictures."""
    made = [phone.table(PhotoAlbum).insert(PhotoAlbum(phone.new_id("album"), name)) for name in
            ("Family", "Holidays", "Receipts")]  # fmt: skip
    for file_id in ("file_007", "file_014"):
        phone.table(AlbumItem).insert(AlbumItem(phone.new_id("albumitem"), made[1].id, file_id))
