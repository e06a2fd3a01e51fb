"""`unzip` over archives: those of the sandbox's tables, and zip files that were pushed."""

import io
import posixpath
import zipfile

from device.handset.shell.registry import Call, command
from device.handset.shell.storage import path_of
from device.sandbox.rows.folders import ArchiveEntry


@command("unzip", source="system/libziparchive/ziptool.cpp", android="11-15")
def unzip(call: Call) -> int:
    """`unzip [-l] [-o] ARCHIVE [-d FOLDER]`."""
    args = list(call.args)
    folder = "."
    if "-d" in args[:-1]:
        place = args.index("-d")
        folder = args[place + 1]
        del args[place : place + 2]
    letters = "".join(arg[1:] for arg in args if arg.startswith("-"))
    name = next((arg for arg in args if not arg.startswith("-")), "")
    if call.phone.files.stat(path_of(call, name)) is None:
        call.err(f"unzip: couldn't open {name}: I/O error")
        return 1
    entries = _entries(call, path_of(call, name))
    if entries is None:
        call.err(f"unzip: couldn't open {name}: Invalid file")
        return 1
    call.line(f"Archive:  {name}")
    if "l" in letters:
        _list(call, entries)
        return 0
    for entry, data in entries:
        target = f"{folder.rstrip('/')}/{entry}"
        if call.phone.files.stat(path_of(call, target)) is not None and "o" not in letters:
            call.err(f"unzip: {target} already exists")
            return 1
        call.line(f"  inflating: {target}")
        if isinstance(data, int):
            call.phone.files.generate(path_of(call, target), data)
        else:
            call.phone.files.write(path_of(call, target), data)
    return 0


def _length(data: bytes | int) -> int:
    return data if isinstance(data, int) else len(data)


def _list(call: Call, entries: list[tuple[str, bytes | int]]) -> None:
    call.line("  Length      Date    Time    Name\n---------  ---------- -----   ----")
    moment = f"{call.phone.sandbox.now:%Y-%m-%d %H:%M}"
    for entry, data in entries:
        call.line(f"{_length(data):>9}  {moment}   {entry}")
    total = sum(_length(data) for _, data in entries)
    call.line(
        "---------                     -------\n"
        f"{total:>9}                     {len(entries)} file{'s' if len(entries) != 1 else ''}"
    )


def _entries(call: Call, path: str) -> list[tuple[str, bytes | int]] | None:
    """Name and bytes of each entry, for one of the sandbox's its size; None for what is no archive."""
    name = posixpath.basename(path)
    rows = [row for row in call.phone.sandbox.table(ArchiveEntry).all() if row.archive == name]
    if rows:
        return [(row.name, int(row.size_mb * 1_000_000)) for row in rows]
    try:
        with zipfile.ZipFile(io.BytesIO(call.phone.files.read(path))) as archive:
            return [(info.filename, archive.read(info)) for info in archive.infolist() if not info.is_dir()]
    except zipfile.BadZipFile:
        return None
