"""The files of a pack in memory, read from a folder or an archive that nobody trusts.

    folder | .zip | .tar, .tar.gz, .tar.bz2, .tar.xz  ->  {"slug/SKILL.md": bytes, ...}

1. Everything is counted while it is read, whatever a header claims: a bomb ends at the limit, not at the disk's.
2. Plain files alone: a link, a device, an absolute name, `..`, a backslash or a name that two files share ends it.
3. Nothing is written here, and nothing of a pack is ever run.
"""

import bz2
import gzip
import io
import lzma
import os
import stat
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast

from runtime.contract import UserError

MAX_FILES = 200
MAX_FILE = 256 * 1024
MAX_TOTAL = 2 * 1024 * 1024
MAX_NAME = 200
MAX_ARCHIVE = 8 * 1024 * 1024
"""Bytes of an archive on the disk: its list of entries is read whole."""
MAX_DEPTH = 8
"""Folders in each other."""
TAR_EXTRA = 2 * MAX_FILES * 1024
"""Room for the headers of a tar archive beside its files."""
JUNK = ("__MACOSX/", ".DS_Store", "Thumbs.db", ".git/")
"""What other programs put beside files; it is left out."""
BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError,
    OSError, ValueError,
)  # fmt: skip
"""What the libraries raise on archives that are damaged or of a kind that they can't read."""


class Collected:
    """Files under the limits, by name."""

    def __init__(self, pack: Path) -> None:
        self.pack, self.files, self.total = pack, dict[str, bytes](), 0
        self._folded: set[str] = set()

    def add(self, name: str, stream: IO[bytes]) -> None:
        """Read one file; whatever breaks a limit is a `UserError`."""
        safe_name(self.pack, name)
        if junk(name):
            return
        if len(self.files) >= MAX_FILES:
            raise refused(self.pack, f"it has more than {MAX_FILES} files")
        folded = unicodedata.normalize("NFKC", name).casefold()
        if folded in self._folded:
            raise refused(self.pack, f"two of its files are called `{name}`")
        data = stream.read(MAX_FILE + 1)
        self.total += len(data)
        if len(data) > MAX_FILE:
            raise refused(self.pack, f"`{name}` is larger than {MAX_FILE // 1024} KiB")
        if self.total > MAX_TOTAL:
            raise refused(self.pack, f"it is larger than {MAX_TOTAL // 1024 // 1024} MiB")
        self._folded.add(folded)
        self.files[name] = data


def refused(pack: Path, why: str) -> UserError:
    """A pack that is not taken."""
    return UserError(f"the pack `{pack}` is refused: {why}. Nothing was installed.")


def files_of(pack: Path) -> dict[str, bytes]:
    """All files of a pack by their names in it; a `UserError` says what is refused."""
    if pack.is_symlink():
        raise refused(pack, "it is a link; name what it leads to")
    if pack.is_dir():
        return _of_folder(pack)
    if not pack.is_file():
        raise UserError(f"there is no pack `{pack}`. Name a folder, a .zip or a .tar archive.")
    if pack.stat().st_size > MAX_ARCHIVE:
        raise refused(pack, f"it is larger than {MAX_ARCHIVE // 1024 // 1024} MiB")
    try:
        with pack.open("rb") as stream:
            if zipfile.is_zipfile(stream):
                return _of_zip(pack, stream)
            stream.seek(0)
            return _of_tar(pack, stream)
    except BROKEN as error:
        why = str(error).strip() or type(error).__name__
        raise refused(pack, f"it can't be read as a .zip or .tar archive ({why[:120]})") from None


def safe_name(pack: Path, name: str) -> None:
    """A `UserError` for a name that could lead out of its folder, or means another one elsewhere."""
    parts = name.split("/")
    if not name or len(name) > MAX_NAME or any(ord(letter) < 32 or ord(letter) == 127 for letter in name):
        raise refused(pack, f"a name of {len(name)} characters, or with control characters, is no name")
    if name.startswith("/") or "\\" in name or ":" in name or any(part in ("", ".", "..") for part in parts):
        raise refused(pack, f"the name `{name[:80]}` could lead out of its folder")


def junk(name: str) -> bool:
    """Whether other programs put it there."""
    return any(f"/{name}".endswith(f"/{one}") or (f"/{one}" in f"/{name}" and one.endswith("/")) for one in JUNK)


def _of_folder(pack: Path) -> dict[str, bytes]:
    found = Collected(pack)
    for path in _walked(pack, pack):
        name = path.relative_to(pack).as_posix()
        try:
            # not followed, and not waited for: a file may have become a link or a pipe since it was listed
            number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            raise refused(pack, f"`{name}` can't be read ({error.strerror})") from None
        with os.fdopen(number, "rb") as stream:
            if not stat.S_ISREG(os.fstat(number).st_mode):
                raise refused(pack, f"`{name}` is no plain file")
            found.add(name, stream)
    return found.files


def _walked(pack: Path, folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        name = path.relative_to(pack).as_posix()
        if path.is_symlink():
            raise refused(pack, f"`{name}` is a link")
        if name.count("/") >= MAX_DEPTH:
            raise refused(pack, f"its folders stand more than {MAX_DEPTH} deep")
        if path.is_dir():
            if not junk(f"{name}/"):
                yield from _walked(pack, path)
        elif path.is_file():
            yield path
        else:
            raise refused(pack, f"`{name}` is no plain file")


def _of_zip(pack: Path, stream: BinaryIO) -> dict[str, bytes]:
    found = Collected(pack)
    with zipfile.ZipFile(stream) as archive:
        if len(archive.infolist()) > 4 * MAX_FILES:
            raise refused(pack, f"it has {len(archive.infolist()):,} entries")
        for entry in archive.infolist():
            mode = entry.external_attr >> 16
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise refused(pack, f"`{entry.filename[:80]}` is a link or no plain file")
            if entry.flag_bits & 1:
                raise refused(pack, "it is encrypted")
            if entry.is_dir():
                safe_name(pack, entry.filename.rstrip("/") or "/")
                continue
            with archive.open(entry) as data:
                found.add(entry.filename, data)
    return found.files


def _of_tar(pack: Path, stream: BinaryIO) -> dict[str, bytes]:
    """A tar archive: unpacked under a limit first, so that no header can make the library read more."""
    plain = _decompressed(stream).read(MAX_TOTAL + TAR_EXTRA + 1)
    if len(plain) > MAX_TOTAL + TAR_EXTRA:
        raise refused(pack, f"it is larger than {MAX_TOTAL // 1024 // 1024} MiB")
    found = Collected(pack)
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
        for entry in archive:
            name = entry.name.removeprefix("./")
            if entry.isdir():
                if name not in ("", "."):
                    safe_name(pack, name.rstrip("/"))
                continue
            if not entry.isreg() or entry.issparse():
                raise refused(pack, f"`{name[:80]}` is a link or no plain file")
            data = archive.extractfile(entry)
            if data is not None:
                found.add(name, data)
    return found.files


def _decompressed(stream: BinaryIO) -> BinaryIO:
    start = stream.read(6)
    stream.seek(0)
    if start.startswith(b"\x1f\x8b"):
        return cast(BinaryIO, gzip.GzipFile(fileobj=stream))
    if start.startswith(b"BZh"):
        return cast(BinaryIO, bz2.BZ2File(stream))
    if start.startswith(b"\xfd7zXZ\x00"):
        return cast(BinaryIO, lzma.LZMAFile(stream))
    return stream
