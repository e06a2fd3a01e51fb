"""The phone's storage as a tree of paths.

1. `/sdcard` shows the sandbox's files: a folder for each of its folders (Android calls `Downloads` `Download`), a file
   for each row. What is pushed, moved or deleted there changes those rows; the sandbox has no folders in folders, so
   that a file in one counts to the folder at the top, and where it is shown is kept here.
2. Everything else (`/data/local/tmp` and what the system shows) is kept here and lives as long as the phone runs.
3. A row has a size and no content; its bytes are a pattern made from its first name, so that a pull is long enough and
   the same each time, and a copy equals what it was made of.
"""

import hashlib
import posixpath
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from device.sandbox.rows.folders import Folder
from device.sandbox.rows.storage import File
from device.sandbox.rows.system_settings import Device

if TYPE_CHECKING:
    from device.sandbox.sandbox import Sandbox

SHARED = "/sdcard"
_ALIASES = ("/storage/emulated/0", "/storage/self/primary", "/mnt/sdcard")
_ANDROID_NAMES = {"Downloads": "Download", "Videos": "Movies"}
_SANDBOX_NAMES = {android: name for name, android in _ANDROID_NAMES.items()}
_KINDS = {
    "image": ("jpg", "jpeg", "png", "webp", "gif", "heic"),
    "audio": ("mp3", "m4a", "ogg", "wav", "flac"),
    "video": ("mp4", "mkv", "webm", "3gp"),
}
_FOLDERS = (
    "/", "/data", "/data/local", "/data/local/tmp", "/data/app", "/system", "/system/bin", "/storage",
    "/storage/emulated", SHARED, f"{SHARED}/Android", f"{SHARED}/Android/data",
    f"{SHARED}/DCIM", f"{SHARED}/DCIM/Camera",
)  # fmt: skip
_PROC = ("/proc/meminfo",)
_READ_ONLY = ("/system", "/vendor", "/product", "/proc")


class FileError(Exception):
    """What a command prints after its name: `cat: /x: No such file or directory`."""


@dataclass(slots=True)
class Entry:
    """One name in a folder."""

    name: str
    """Without its folder."""
    folder: bool
    """Whether it holds others."""
    size: int
    """Bytes."""
    mtime: int
    """Seconds since 1970."""
    permissions: int = 0o660
    """Bits below the kind."""

    @property
    def mode(self) -> int:
        """As `st_mode`."""
        return (stat.S_IFDIR if self.folder else stat.S_IFREG) | self.permissions

    @property
    def inode(self) -> int:
        """A number made of the name."""
        return int.from_bytes(hashlib.blake2b(self.name.encode(), digest_size=4).digest(), "big")


@dataclass(slots=True)
class _Held:
    data: bytes
    permissions: int
    mtime: int


class Files:
    """Paths to entries and bytes."""

    def __init__(self, sandbox: "Sandbox") -> None:
        self.sandbox = sandbox
        self._held: dict[str, _Held] = {"/system/build.prop": _Held(b"ro.build.version.release=15\n", 0o600, 0)}
        self._folders = set(_FOLDERS)
        self._places: dict[str, str] = {}
        self._content: dict[str, str] = {}

    def resolve(self, path: str, directory: str = "/") -> str:
        """An absolute path without `.` and `..`, links followed."""
        whole = posixpath.normpath(posixpath.join(directory, path))
        whole = "/" + whole.lstrip("/")
        for alias in _ALIASES:
            if whole == alias or whole.startswith(alias + "/"):
                return SHARED + whole[len(alias) :]
        return whole

    def stat(self, path: str) -> Entry | None:
        """The entry at a path, or None."""
        path = self.resolve(path)
        name = posixpath.basename(path) or "/"
        if path in self._folders or self._top_folder(path) is not None:
            return Entry(name, True, 3452, self._now(), 0o771)
        if path in _PROC:
            return Entry(name, False, 0, self._now(), 0o444)
        held, row = self._held.get(path), self._row(path)
        if row is None and self._owner(posixpath.dirname(path)) is not None:
            return None  # the row is gone, whatever was pushed there once
        if held is not None:
            return Entry(name, False, len(held.data), held.mtime, held.permissions)
        return None if row is None else Entry(name, False, _bytes_of(row), _seconds(row.modified))

    def entries(self, path: str) -> list[Entry]:
        """What a folder holds, by name."""
        path = self.resolve(path)
        head = path.rstrip("/") + "/"
        inner = [p for p in (*self._folders, *self._held) if p.startswith(head) and p != path]
        names = {p[len(head) :].split("/")[0] for p in inner}
        if path == SHARED:
            names |= {_ANDROID_NAMES.get(folder.name, folder.name) for folder in self.sandbox.table(Folder).all()}
        names |= {row.name for row in self.sandbox.table(File).all() if self._place(row) == path}
        found = [self.stat(head + name) for name in sorted(names) if name]
        return [entry for entry in found if entry is not None]

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises `FileError`."""
        return b"".join(self.chunks(path, 1 << 20))

    def chunks(self, path: str, size: int) -> Iterator[bytes]:
        """The bytes of a file, in pieces."""
        entry = self.stat(path)
        if entry is None:
            raise FileError(f"{path}: No such file or directory")
        if entry.folder:
            raise FileError(f"{path}: Is a directory")
        if self.resolve(path) in _PROC:
            yield self._memory()
            return
        held = self._held.get(self.resolve(path))
        if held is not None:
            for start in range(0, len(held.data), size):
                yield held.data[start : start + size]
            return
        row = self._row(self.resolve(path))
        line = (self._content.get(row.id, row.name) if row is not None else entry.name).encode() + b"\n"
        pattern, at = line * (size // len(line) + 2), 0
        while at < entry.size:
            length = min(size, entry.size - at)
            yield pattern[at % len(line) :][:length]
            at += length

    def write(self, path: str, data: bytes, permissions: int = 0o644, mtime: int = 0) -> None:
        """Create or replace a file, with the folders on its way; raises `FileError`."""
        path = self.resolve(path)
        if path in ("/dev/null", "/dev/stdout"):
            return
        if path.startswith(_READ_ONLY):
            raise FileError(f"{path}: Read-only file system")
        folder = posixpath.dirname(path)
        if self.stat(path) is not None and path in self._folders:
            raise FileError(f"{path}: Is a directory")
        own = self._owner(folder)
        if own is not None:
            self._write_row(own, path, len(data))
        elif not folder.startswith((SHARED, "/data/local/tmp")):
            raise FileError(f"{path}: Permission denied")
        else:
            self.make_folder(folder, parents=True)
        self._held[path] = _Held(data, permissions, mtime or self._now())

    def remove(self, path: str) -> bool:
        """Delete a file or a folder with all in it; False where there is none."""
        path = self.resolve(path)
        entry = self.stat(path)
        if entry is None:
            return False
        for inner in self.entries(path) if entry.folder else ():
            self.remove(f"{path}/{inner.name}")
        row = self._row(path)
        if row is not None:
            self.sandbox.table(File).delete(row)
        own = self._top_folder(path)
        if own is not None:
            self.sandbox.table(Folder).delete(own)
        self._held.pop(path, None)
        self._folders.discard(path)
        return True

    def make_folder(self, path: str, parents: bool = False) -> None:
        """Create a folder; raises `FileError`."""
        path = self.resolve(path)
        if self.stat(path) is not None:
            if parents:
                return
            raise FileError(f"'{path}': File exists")
        parent, name = posixpath.split(path)
        if self.stat(parent) is None:
            if not parents:
                raise FileError(f"'{path}': No such file or directory")
            self.make_folder(parent, parents=True)
        if not path.startswith((SHARED, "/data/local/tmp")):
            raise FileError(f"'{path}': Permission denied")
        if parent == SHARED:
            self.sandbox.table(Folder).insert(Folder(_SANDBOX_NAMES.get(name, name)))
        else:
            self._folders.add(path)

    def move(self, source: str, target: str) -> None:
        """Rename a file, or move it into a folder; raises `FileError`."""
        source, target = self.resolve(source), self.resolve(target)
        entry = self.stat(source)
        if entry is None:
            raise FileError(f"bad '{source}': No such file or directory")
        there = self.stat(target)
        if there is not None and there.folder:
            target = f"{target}/{entry.name}"
        if entry.folder:
            self._move_folder(source, target)
            return
        folder = self._owner(posixpath.dirname(target))
        row = self._row(source)
        if row is not None and folder is not None:
            self._content.setdefault(row.id, row.name)
            self.sandbox.table(File).update(row, name=posixpath.basename(target), folder=folder)
            self._places[row.id] = posixpath.dirname(target)
            if source in self._held:
                self._held[target] = self._held.pop(source)
            return
        self.write(target, self.read(source), entry.permissions, entry.mtime)
        self.remove(source)

    def copy(self, source: str, target: str) -> None:
        """A file a second time, with the same bytes; raises `FileError`."""
        source, target = self.resolve(source), self.resolve(target)
        entry, row = self.stat(source), self._row(source)
        if entry is None:
            raise FileError(f"{source}: No such file or directory")
        if self._owner(posixpath.dirname(target)) is None or row is None or source in self._held:
            self.write(target, self.read(source))
            return
        made = self.generate(target, entry.size)
        if made is not None:
            self._content[made.id] = self._content.get(row.id, row.name)

    def generate(self, path: str, size: int) -> File | None:
        """A file of the shared storage that has a size and a pattern for its bytes; None where it can't lie there."""
        path = self.resolve(path)
        own = self._owner(posixpath.dirname(path))
        return None if own is None else self._write_row(own, path, size)

    def _move_folder(self, source: str, target: str) -> None:
        """A folder with all that lies in it; raises `FileError` for one that can't move."""
        if target == source or target.startswith(source + "/"):
            raise FileError(f"'{source}' to '{target}': Invalid argument")
        if self.stat(target) is not None:
            raise FileError(f"'{source}' to '{target}': File exists")
        if source in (SHARED, *_FOLDERS):
            raise FileError(f"'{source}' to '{target}': Permission denied")
        table, own = self.sandbox.table(File), self._top_folder(source)
        inside = [(row, place) for row in table.all() if _under(place := self._place(row), source)]
        self.make_folder(target, parents=True)
        for row, place in inside:
            moved = target + place[len(source) :]
            table.update(row, folder=self._owner(moved) or row.folder)
            self._places[row.id] = moved
        for path in [path for path in self._held if _under(path, source)]:
            self._held[target + path[len(source) :]] = self._held.pop(path)
        for path in [path for path in self._folders if _under(path, source)]:
            self._folders.discard(path)
            self._folders.add(target + path[len(source) :])
        if own is not None:
            self.sandbox.table(Folder).delete(own)

    def _write_row(self, folder: str, path: str, size: int) -> File:
        place, name = posixpath.split(path)
        megabytes = round(size / 1_000_000, 3)
        today = self.sandbox.now.date().isoformat()
        table = self.sandbox.table(File)
        known = self._row(path)
        if known is not None:
            return table.update(known, size_mb=megabytes, modified=today)
        self.make_folder(place, parents=True)
        ending = name.rpartition(".")[2].lower()
        kind = next((kind for kind, endings in _KINDS.items() if ending in endings), "document")
        row = table.insert(File(self.sandbox.new_id("file"), name, kind, megabytes, folder, today))
        self._places[row.id] = place
        return row

    def _top_folder(self, path: str) -> str | None:
        """The sandbox's name of a folder that lies in the shared storage itself, or None."""
        name = path.removeprefix(SHARED + "/")
        if name == path or "/" in name:
            return None
        name = _SANDBOX_NAMES.get(name, name)
        return name if self.sandbox.table(Folder).get(name) is not None else None

    def _owner(self, path: str) -> str | None:
        """The sandbox's folder of the files in a folder, however deep; what the camera writes counts as pictures."""
        if not path.startswith(SHARED + "/"):
            return None
        first = path.removeprefix(SHARED + "/").split("/")[0]
        return self._top_folder(f"{SHARED}/{'Pictures' if first == 'DCIM' else first}")

    def _place(self, row: File) -> str:
        """The folder in which a row is shown."""
        place = self._places.get(row.id, "")
        if place and self._owner(place) == row.folder:
            return place
        return f"{SHARED}/{_ANDROID_NAMES.get(row.folder, row.folder)}"

    def _row(self, path: str) -> File | None:
        folder, name = posixpath.split(path)
        rows = self.sandbox.table(File).all()
        return next((row for row in rows if row.name == name and self._place(row) == folder), None)

    def _memory(self) -> bytes:
        """As `fs/proc/meminfo.c` of the kernel prints it."""
        row = self.sandbox.one(Device)
        total = row.memory_gb * 1024 * 1024
        free = int((row.memory_gb - row.memory_used_gb) * 1024 * 1024)
        lines = {"MemTotal": total, "MemFree": free // 3, "MemAvailable": free}
        return "".join(f"{name + ':':<16}{value:>8} kB\n" for name, value in lines.items()).encode()

    def _now(self) -> int:
        return int(self.sandbox.now.replace(tzinfo=UTC).timestamp())


def _under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def _bytes_of(row: File) -> int:
    return int(row.size_mb * 1_000_000)


def _seconds(day: str) -> int:
    found = date.fromisoformat(day)
    return int(datetime(found.year, found.month, found.day, tzinfo=UTC).timestamp())
