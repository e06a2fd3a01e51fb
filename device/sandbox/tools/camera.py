"""The camera's settings, filming, and the gallery's albums."""

import re
from datetime import datetime
from typing import Literal

from device.sandbox.api import (
    Domain,
    Effect,
    Json,
    Sandbox,
    Text,
    bad_argument,
    conflict,
    folded,
    not_found,
    tool,
)
from device.sandbox.rows.camera import AlbumItem, CameraSettings, PhotoAlbum, VideoCamera
from device.sandbox.rows.listening import Recorders
from device.sandbox.rows.privacy import need_sensor
from device.sandbox.rows.storage import File
from device.sandbox.rows.system_settings import Battery
from device.sandbox.tools.audio_player import stamp
from device.sandbox.tools.audio_video import stem
from device.sandbox.tools.by_name import named, only
from device.spoken.text import plain

_MB_PER_SECOND = {"720p": 1.0, "1080p": 2.1, "4k": 6.0}


@tool(
    Domain.AUDIO,
    permission="camera",
    phrases=(
        "film this",
        "start recording a video with the camera",
        "stop filming",
        "shoot a video of the kids",
        "record myself with the front camera",
        "is the camera recording",
    ),
)
def record_video(
    phone: Sandbox, action: Literal["start", "stop", "query"], camera: Literal["front", "back"] | None = None
) -> Json:
    """Film with the camera."""
    now = phone.one(VideoCamera)
    if action == "query":
        return {"recording": bool(now.since), "since": now.since, "quality": phone.one(CameraSettings).video_quality}
    if action == "stop":
        if not now.since:
            raise conflict("no video is being recorded; `record_video` with action start begins one")
        return {"message": "video saved", "file": _saved(phone, now)}
    if now.since:
        raise conflict(f"a video has been recorded since {now.since}; stop it first with action stop")
    need_sensor(phone, "camera", "film")
    if phone.one(Recorders).voice_since:
        raise conflict("a voice recording has the microphone; stop it with `manage_sound_recorder` first")
    made = phone.change(VideoCamera, since=stamp(phone), camera=camera or "back")
    return {"message": "recording", "camera": made.camera, "quality": phone.one(CameraSettings).video_quality}


def _saved(phone: Sandbox, now: VideoCamera) -> File:
    """End the recording and keep it as a file; its size follows length and quality."""
    key = phone.new_id("file")
    seconds = (phone.now - datetime.fromisoformat(now.since)).total_seconds()
    size = round(0.1 + _MB_PER_SECOND[phone.one(CameraSettings).video_quality] * seconds, 1)
    phone.change(VideoCamera, since="")
    name = f"VID_{phone.now:%Y%m%d}_{key[5:]}_{now.camera}.mp4"
    return phone.table(File).insert(File(key, name, "video", size, "Videos", f"{phone.now:%Y-%m-%d}"))


_OPTIONS = {
    "mode": ("photo", "portrait", "night", "panorama", "macro"),
    "flash": ("auto", "on", "off"),
    "timer": ("off", "3", "5", "10"),
    "grid": ("on", "off"),
    "video_quality": ("720p", "1080p", "4k"),
}


@tool(
    Domain.AUDIO,
    permission="camera",
    phrases=(
        "camera flash off",
        "self-timer of ten seconds",
        "switch the camera to portrait mode",
        "record videos in 4K",
        "show grid lines in the camera",
        "how is my camera set",
    ),
)
def manage_camera_settings(
    phone: Sandbox,
    action: Literal["set", "query"],
    setting: Literal["mode", "flash", "timer", "grid", "video_quality"] | None = None,
    value: Text | None = None,
) -> Json:
    """Camera mode, flash, timer, grid, quality."""
    if action == "query":
        return {"camera": phone.one(CameraSettings)}
    for name, given in (("setting", setting), ("value", value)):
        if given is None:
            raise bad_argument(f"`{name}` is missing: mode, flash, timer, grid or video_quality and what it shall be",
                               argument=name)  # fmt: skip
    wanted = _option(str(setting), str(value))
    if setting == "video_quality" and phone.one(VideoCamera).since:
        raise conflict("a video is being recorded; stop it with `record_video` before you change its quality")
    if wanted == "4k" and phone.one(Battery).mode == "super_saving":
        raise conflict("super saving allows no 4k; use `manage_battery` with mode normal first")
    return {"camera": phone.change(CameraSettings, **{str(setting): wanted})}


def _option(setting: str, said: str) -> str:
    """The option that is meant; 400 with those that there are."""
    words = folded(said).removesuffix(" mode")
    if setting == "timer" and (number := re.search(r"\d+", plain(said))):
        words = number[0]
    words = {"none": "off", "no": "off", "automatic": "auto", "hd": "720p", "full hd": "1080p"}.get(words, words)
    if words not in _OPTIONS[setting]:
        raise bad_argument(
            f"`value` {said} does not fit {setting}; say {', '.join(_OPTIONS[setting])}",
            argument="value", valid=list(_OPTIONS[setting]),
        )  # fmt: skip
    return words


@tool(
    Domain.AUDIO,
    permission="storage",
    effects={"delete": Effect.DELETE},
    phrases=(
        "make a photo album called Italy",
        "put the sunset picture into the holiday album",
        "which albums are in my gallery",
        "delete the old album",
        "take this photo out of the family album",
        "what's in the holidays album",
    ),
)
def manage_album(
    phone: Sandbox,
    action: Literal["create", "add", "remove", "delete", "query"],
    album: Text | None = None,
    photo: Text | None = None,
) -> Json:
    """Photo albums of the gallery."""
    table = phone.table(PhotoAlbum)
    if album is None:
        if action != "query":
            raise bad_argument(f"`album` is missing: which one to {action}", argument="album")
        return {"albums": [{"name": a.name, "count": len(_items(phone, a))} for a in table.all()]}
    if action == "create":
        if table.find(name=album):
            raise conflict(f"there is an album {album} already; add to it, or choose another name")
        return {"message": "album created", "album": table.insert(PhotoAlbum(phone.new_id("album"), album))}
    names = [a.name for a in table.all()]
    found = only(named(table.all(), album, lambda a: a.name, "album", "photo"), "album", album, lambda a: a.name, names)
    if action == "query":
        return {"album": found.name, "files": [phone.table(File).need(i.file_id).name for i in _items(phone, found)]}
    if action == "delete":
        return _drop(phone, found)
    if photo is None:
        raise bad_argument(f"`photo` is missing: which one to {action}", argument="photo")
    return (_add if action == "add" else _remove)(phone, found, photo)


def _items(phone: Sandbox, album: PhotoAlbum) -> list[AlbumItem]:
    """What is in it; files that were deleted have left it."""
    return [i for i in phone.table(AlbumItem).find(album_id=album.id) if phone.table(File).get(i.file_id)]


def _drop(phone: Sandbox, album: PhotoAlbum) -> Json:
    """Delete an album; the files stay."""
    for item in phone.table(AlbumItem).find(album_id=album.id):
        phone.table(AlbumItem).delete(item)
    phone.table(PhotoAlbum).delete(album)
    return {"message": f"album {album.name} deleted; its pictures stay in the gallery"}


def _pictures(phone: Sandbox, said: str) -> tuple[list[File], list[str]]:
    """The pictures and videos that are named, several with commas or and; and the names that fit none."""
    rows = phone.table(File).find(lambda file: file.kind in ("image", "video"))
    found: list[File] = []
    missing = []
    for part in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", said):
        hits = [f for f in rows if f.name.casefold() == part.casefold()]
        hits = hits or named(rows, part, stem, "photo", "picture", "image", "video", "pic")
        if hits:
            found.append(only(hits, "picture", part, lambda f: f.name))
        else:
            missing.append(part)
    if not found:
        raise not_found(f"no picture or video matches {said}; look for it with `local_file_search`", missing=missing)
    return found, missing


def _add(phone: Sandbox, album: PhotoAlbum, said: str) -> Json:
    """Put pictures in; those that fit no file are named, the others are added."""
    files, missing = _pictures(phone, said)
    held = {item.file_id for item in _items(phone, album)}
    for file in files:
        if file.id not in held:
            phone.table(AlbumItem).insert(AlbumItem(phone.new_id("albumitem"), album.id, file.id))
    left = {"not_found": missing} if missing else {}
    return {"album": album.name, "added": [file.name for file in files], **left}


def _remove(phone: Sandbox, album: PhotoAlbum, said: str) -> Json:
    """Take pictures out; they stay in the gallery."""
    files, missing = _pictures(phone, said)
    inside = {item.file_id: item for item in _items(phone, album)}
    taken = [file for file in files if file.id in inside]
    if not taken:
        raise not_found(f"{said} is not in the album {album.name}; see its content with action query")
    for file in taken:
        phone.table(AlbumItem).delete(inside[file.id])
    missing += [file.name for file in files if file.id not in inside]
    return {"album": album.name, "removed": [f.name for f in taken], **({"not_found": missing} if missing else {})}
