"""Files on the shared storage: every path by `find -print0`, sizes and times by `stat`, so that no name is ambiguous.

`/sdcard/Android` belongs to the apps and is left out. toybox's `find` and `stat` (Android 10 to 16).
"""

import posixpath
from datetime import UTC, datetime

from device.android.state.people import zone
from device.android.state.reading import Reading, Rows
from device.android.state.tables import table

SHARED = "/sdcard"
_APPS = f"{SHARED}/Android"
FOLDER_NAMES = {"Download": "Downloads", "Movies": "Videos"}
"""What people call Android's folders."""
_BATCH = 200
_KINDS = {
    "image": ("jpg", "jpeg", "png", "webp", "gif", "heic"),
    "audio": ("mp3", "m4a", "ogg", "wav", "flac", "opus"),
    "video": ("mp4", "mkv", "webm", "3gp", "mov"),
}


def paths(reading: Reading, kind: str) -> list[str]:
    """All files (`f`) or folders (`d`) of the shared storage."""
    found = reading.text("find", SHARED, "-mindepth", "1", "-type", kind, "-print0").split("\0")
    return sorted(path for path in found if path and path != _APPS and not path.startswith(_APPS + "/"))


def kind_of(name: str) -> str:
    """image, audio, video or document, by the extension."""
    extension = name.rpartition(".")[2].lower()
    return next((kind for kind, known in _KINDS.items() if extension in known), "document")


def folder_of(path: str) -> str:
    """The folder under the shared storage, as people call it."""
    inside = posixpath.dirname(path).removeprefix(SHARED).strip("/")
    first, slash, rest = inside.partition("/")
    return FOLDER_NAMES.get(first, first) + slash + rest


@table("files")
def files(reading: Reading) -> Rows:
    """A row for each file, by its path."""
    found: Rows = {}
    all_paths = paths(reading, "f")
    where = zone(reading)
    for start in range(0, len(all_paths), _BATCH):
        batch = all_paths[start : start + _BATCH]
        lines = reading.text("stat", "-c", "%s/%Y", *batch).splitlines()
        if len(lines) != len(batch):
            lines = [reading.text("stat", "-c", "%s/%Y", path) or "0/0" for path in batch]
        for path, line in zip(batch, lines, strict=True):
            size, _, changed = line.partition("/")
            day = datetime.fromtimestamp(int(changed or 0), UTC).astimezone(where).strftime("%Y-%m-%d")
            name = posixpath.basename(path)
            found[path] = {
                "name": name,
                "kind": kind_of(name),
                "size_mb": round(int(size or 0) / 1_000_000, 2),
                "folder": folder_of(path),
                "modified": day,
            }
    return found


@table("folders")
def folders(reading: Reading) -> Rows:
    """A row for each folder, by its path."""
    return {path: {"name": folder_of(path + "/x")} for path in paths(reading, "d")}


@table("storage")
def storage(reading: Reading) -> Rows:
    """One row: the data partition, from `df -k`."""
    fields = reading.text("df", "-k", "/data").splitlines()[-1].split()
    total, used = int(fields[1]), int(fields[2])
    return {"phone": {"total_gb": round(total * 1024 / 1e9, 1), "used_gb": round(used * 1024 / 1e9, 1)}}
