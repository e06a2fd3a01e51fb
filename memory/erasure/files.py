"""Takes what is forgotten out of a file, by its form, and says how.

    a cache, a context file      deleted: it is made anew
    SQLite                       each cell redacted, what was there overwritten, the file rebuilt, its log emptied
    gzip, bzip2, xz, zlib        unpacked, treated as what it is, packed again
    .npz of dialogues            dialogues that hold the token ids are left out; .npy and other arrays: ids become 0
    .jsonl                       lines that hold it are left out
    .json, plain text            redacted in place
    any other bytes              overwritten in place, same length
    weights of a model           never changed: named as left

A file is written beside its place and renamed. What a disk keeps of blocks that were given back is not ours to reach.
"""

import bz2
import gzip
import io
import json
import lzma
import os
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from memory.access.context_files import SUFFIX
from memory.erasure.redact import Array, Redactor, starts
from memory.erasure.scan import MODELS, SQLITE
from memory.sqlite import module

PACKERS: dict[str, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {
    ".gz": (gzip.decompress, gzip.compress),
    ".bz2": (bz2.decompress, bz2.compress),
    ".xz": (lzma.decompress, lzma.compress),
    ".lzma": (lzma.decompress, partial(lzma.compress, format=lzma.FORMAT_ALONE)),
    ".zlib": (zlib.decompress, zlib.compress),
}
BUSY_MS, BRIEF_MS = 5000, 100
"""How long a database that is in use is waited for; and one that was waited for before."""


def clean_file(path: Path, redactor: Redactor, caches: Sequence[Path] = ()) -> str:
    """Take texts and ids out of one file; what was done in a few words, empty where nothing could be.

    `OSError` or SQLite's error where the file can't be written.
    """
    if path.name.endswith(SUFFIX) or any(path.resolve().is_relative_to(cache.resolve()) for cache in caches):
        path.unlink(missing_ok=True)
        return "deleted: it is made anew"
    if path.suffix in MODELS:
        return ""
    with path.open("rb") as file:
        database = file.read(len(SQLITE)) == SQLITE
    if database:
        return f"{clean_database(path, redactor)} cells redacted"
    if path.name.endswith(("-wal", "-shm", "-journal")):
        return ""  # emptied with its database
    data = path.read_bytes()
    cleaned = cleaned_bytes(path.name, data, redactor)
    if cleaned == data:
        return ""
    replace_file(path, cleaned)
    return "redacted"


def cleaned_bytes(name: str, data: bytes, redactor: Redactor) -> bytes:
    """The content of a file of this name without texts and ids."""
    suffix = Path(name).suffix
    if suffix in PACKERS:
        unpack, pack = PACKERS[suffix]
        inner = unpack(data)
        cleaned = cleaned_bytes(name.removesuffix(suffix), inner, redactor)
        return data if cleaned == inner else pack(cleaned)
    if data[:4] == b"PK\x03\x04":
        return _zip(data, redactor)
    if data[:6] == b"\x93NUMPY":
        return _npy(data, redactor)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return redactor.raw(data)
    if "\0" in text:
        return redactor.raw(data)
    if suffix == ".jsonl":
        return redactor.lines(text).encode()
    if suffix == ".json":
        return _json(text, redactor).encode()
    return redactor.text(text).encode()


def clean_database(path: Path, redactor: Redactor) -> int:
    """Redact every cell of a database and rebuild it; how many cells were."""
    connection = _open(path)
    changed = 0
    try:
        connection.execute("BEGIN IMMEDIATE")
        listed = connection.execute("PRAGMA table_list").fetchall()
        for _schema, table, kind, *_rest in listed:
            if kind == "table" and not table.startswith("sqlite_"):
                changed += _clean_table(connection, table, redactor)
        connection.execute("COMMIT")
        if not _rebuild(connection):
            raise module().OperationalError("its log is in use")
    finally:
        connection.close()
    return changed


def rebuild(path: Path, again: bool = False) -> bool:
    """Rebuild a database, so that nothing stays in its free pages, and empty its log; False while others use it.

    `again`: it was waited for before, and is not now.
    """
    try:
        connection = _open(path)
        try:
            if again:
                connection.execute(f"PRAGMA busy_timeout={BRIEF_MS}")
            return _rebuild(connection)
        finally:
            connection.close()
    except module().Error:  # in use, or damaged
        return False


def replace_file(path: Path, data: bytes) -> None:
    """New content under the old name and mode, whole or not at all."""
    mode = stat.S_IMODE(path.stat().st_mode)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.chmod(mode)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _open(path: Path) -> Any:
    connection = module().connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)
    connection.execute(f"PRAGMA busy_timeout={BUSY_MS}")
    connection.execute("PRAGMA secure_delete=ON")
    connection.execute("PRAGMA temp_store=MEMORY")
    return connection


def _rebuild(connection: Any) -> bool:
    connection.execute("VACUUM")
    return bool(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)


def _clean_table(connection: Any, table: str, redactor: Redactor) -> int:
    """Redact the cells of one table; a row whose key holds it is deleted."""
    info = connection.execute(f'PRAGMA table_info("{table}")').fetchall()
    columns = [row[1] for row in info if row[1]]
    keys = [row[1] for row in sorted(info, key=lambda row: row[5]) if row[5]] or ["rowid"]
    named = ", ".join(f'"{name}"' for name in (*keys, *columns))
    where = " AND ".join(f'"{name}" IS ?' for name in keys)
    changed = 0
    for row in connection.execute(f'SELECT {named} FROM "{table}"').fetchall():
        key, cells = tuple(row[: len(keys)]), dict(zip(columns, row[len(keys) :], strict=True))
        new = {name: redactor.cell(value) for name, value in cells.items()}
        differing = [name for name in columns if new[name] != cells[name]]
        if not differing:
            continue
        changed += len(differing)
        if set(differing) & set(keys):
            connection.execute(f'DELETE FROM "{table}" WHERE {where}', key)
            continue
        said = ", ".join(f'"{name}" = ?' for name in differing)
        connection.execute(f'UPDATE "{table}" SET {said} WHERE {where}', (*(new[name] for name in differing), *key))
    return changed


def _zip(data: bytes, redactor: Redactor) -> bytes:
    """A zip archive; the arrays of a corpus belong together."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
        kinds = {one.filename: one.compress_type for one in packed.infolist()}
    cleaned = _corpus(members, redactor) or {
        name: cleaned_bytes(name, member, redactor) for name, member in members.items()
    }
    if cleaned == members:
        return data
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        for name, member in cleaned.items():
            packed.writestr(name, member, compress_type=kinds[name])
    return made.getvalue()


def _corpus(members: dict[str, bytes], redactor: Redactor) -> dict[str, bytes] | None:
    """A corpus (`lengths` of dialogues, else a value a token in each array) without dialogues that hold the ids."""
    if "lengths.npy" not in members or not redactor.ids:
        return None
    arrays = {name: _load(member) for name, member in members.items() if name.endswith(".npy")}
    lengths = arrays.pop("lengths.npy")
    if any(values.shape != (int(lengths.sum()),) for values in arrays.values()):
        return None
    ends = np.cumsum(lengths)
    bad = {
        int(np.searchsorted(ends, at, side="right"))
        for values in arrays.values()
        for ids in redactor.ids
        for at in starts(values, ids)
    }
    if not bad:
        return members
    kept = [place for place in range(len(lengths)) if place not in bad]
    made = {"lengths.npy": lengths[kept]}
    for name, values in arrays.items():
        parts = np.split(values, ends[:-1])
        made[name] = np.concatenate([parts[place] for place in kept]) if kept else values[:0]
    return {name: _dump(made[name]) if name in made else member for name, member in members.items()}


def _npy(data: bytes, redactor: Redactor) -> bytes:
    values = _load(data)
    cleaned = redactor.array(values)
    return data if np.array_equal(values, cleaned) else _dump(cleaned)


def _load(data: bytes) -> Array:
    loaded: Array = np.load(io.BytesIO(data), allow_pickle=False)
    return loaded


def _dump(values: Array) -> bytes:
    made = io.BytesIO()
    np.save(made, values, allow_pickle=False)
    return made.getvalue()


def _json(text: str, redactor: Redactor) -> str:
    try:
        known = json.loads(text)
    except ValueError:
        return redactor.text(text)
    cleaned = redactor.json(known)
    return text if cleaned == known else json.dumps(cleaned, ensure_ascii=False, indent=1) + "\n"
