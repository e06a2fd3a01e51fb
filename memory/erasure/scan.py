"""Looks for what was erased in every file under some folders, byte by byte, and into what is packed.

1. Each file is looked at as it lies on the disk, so that free pages of a database, its log and half-written files
   count.
2. What is packed is unpacked: gzip, bzip2, xz, zip (also `.npz`), and the zlib blobs in SQLite files.
3. Numbers in JSON are looked for without the spaces between them, and as the `id` fields of generated tokens.
4. Forms that can't be looked into (`.parquet`, `.zst`) are named, and links are not followed.
"""

import bz2
import gzip
import io
import lzma
import mmap
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from memory.erasure.finder import Data, Finder
from memory.erasure.needles import Needle
from memory.sqlite import module

SQLITE = b"SQLite format 3\x00"
MODELS = {".gguf", ".onnx", ".safetensors", ".pt", ".bin"}
"""Files of weights: only looked at as they lie."""
OPAQUE = {".parquet", ".zst", ".lz4", ".7z"}
"""Files that can't be looked into."""
UNPACKED: tuple[tuple[bytes, Callable[[bytes], bytes]], ...] = (
    (b"\x1f\x8b", gzip.decompress),
    (b"BZh", bz2.decompress),
    (b"\xfd7zXZ\x00", lzma.decompress),
)
"""First bytes of packed files, and what unpacks them."""
_SPACES = b" \t\r\n"
_TOKEN = re.compile(rb'"id":(\d+),"logprob"')


class Hit(NamedTuple):
    """A needle in a file."""

    path: Path
    """The file."""
    needle: Needle
    """What stands in it."""


class Scan(NamedTuple):
    """What a look at the files found."""

    hits: tuple[Hit, ...]
    """Needles with their files."""
    files: dict[Path, int]
    """All files that were looked at, with their sizes."""
    opaque: tuple[Path, ...]
    """Files that can't be looked into, or not be read."""


def scan(
    roots: Sequence[Path],
    needles: Sequence[Needle],
    also: Sequence[Path] = (),
    skip: Callable[[Path], bool] = lambda path: False,
) -> Scan:
    """Look for needles in all files under `roots`, and in the files `also`, less those to `skip`."""
    finder = Finder(needles)
    hits: list[Hit] = []
    sizes: dict[Path, int] = {}
    opaque: list[Path] = []
    for path in files_under(roots, also):
        if skip(path):
            continue
        try:
            sizes[path] = path.stat().st_size
            hits += [Hit(path, needle) for needle in sorted(_in_file(path, finder))]
        except FileNotFoundError:
            sizes.pop(path, None)  # it went while we looked
            continue
        except OSError:
            opaque.append(path)
            continue
        if path.suffix in OPAQUE:
            opaque.append(path)
    return Scan(tuple(hits), sizes, tuple(opaque))


def files_under(roots: Sequence[Path], also: Sequence[Path] = ()) -> Iterator[Path]:
    """Every regular file under some folders, once, also where one folder lies in another; links are not followed."""
    seen: set[Path] = set()
    for root in roots:
        for folder, folders, names in os.walk(root):
            folders.sort()
            for name in sorted(names):
                path = Path(folder) / name
                if path.is_symlink() or not path.is_file() or path.resolve() in seen:
                    continue
                seen.add(path.resolve())
                yield path
    for path in also:
        if path.is_file() and path.resolve() not in seen:
            yield path


def in_bytes(data: Data, finder: Finder, deep: bool = True) -> set[Needle]:
    """Needles that stand in these bytes, or in what is packed in them."""
    hits = finder.found(data)
    if not deep:
        return hits
    if any(one.numbers for one in finder.needles):
        squeezed = bytes(data[:]).translate(None, _SPACES)
        hits |= finder.found(squeezed, numbers=True)
        hits |= finder.found(b",".join(_TOKEN.findall(squeezed)), numbers=True)
    for unpacked in _inside(data):
        hits |= in_bytes(unpacked, finder)
    return hits


def is_sqlite(path: Path) -> bool:
    """Whether a file is a SQLite database."""
    with path.open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


def _in_file(path: Path, finder: Finder) -> set[Needle]:
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size == 0:
            return set()
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            hits = in_bytes(data, finder, deep=path.suffix not in MODELS)
            database = data[: len(SQLITE)] == SQLITE
    for blob in _blobs(path) if database else ():
        hits |= in_bytes(blob, finder)
    return hits


def _inside(data: Data) -> Iterator[bytes]:
    """What is packed in these bytes; nothing where they only look as if."""
    head = data[:8]
    for magic, unpack in UNPACKED:
        if head.startswith(magic):
            try:
                yield unpack(bytes(data[:]))
            except (OSError, EOFError, zlib.error, lzma.LZMAError):
                return
    if head.startswith(b"PK\x03\x04"):
        try:
            with zipfile.ZipFile(io.BytesIO(bytes(data[:]))) as packed:
                for name in packed.namelist():
                    yield packed.read(name)
        except (zipfile.BadZipFile, OSError, zlib.error, RuntimeError, NotImplementedError):
            return


def _blobs(path: Path) -> Iterator[bytes]:
    """The unpacked zlib blobs of a database."""
    sqlite = module()
    connection = sqlite.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
        for (table,) in tables.fetchall():
            for column in [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]:
                query = (
                    f'SELECT "{column}" FROM "{table}" WHERE typeof("{column}") = \'blob\' '
                    f"AND hex(substr(\"{column}\", 1, 1)) = '78'"
                )
                for (blob,) in connection.execute(query):
                    unpacked = unzipped(blob)
                    if unpacked is not None:
                        yield unpacked
    except sqlite.Error:
        return  # damaged, or locked for good: its bytes were looked at as they lie
    finally:
        connection.close()


def unzipped(blob: bytes) -> bytes | None:
    """A zlib blob unpacked; None where it is none."""
    try:
        return zlib.decompress(blob)
    except zlib.error:
        return None
