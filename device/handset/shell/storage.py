"""Files and folders: what toybox does with them (`external/toybox/toys`, Android 9 to 15)."""

import fnmatch
import hashlib
import re
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise

from device.handset.shell.registry import Call, command
from device.handset.state.files import Entry, FileError

_POSIX, _OTHER = "external/toybox/toys/posix/", "external/toybox/toys/other/"


def path_of(call: Call, name: str) -> str:
    """An argument as an absolute path."""
    return call.phone.files.resolve(name, call.shell.directory)


def split_options(call: Call) -> tuple[str, list[str]]:
    """Letters of the options, and the rest."""
    letters, rest, ended = "", [], False
    for arg in call.args:
        if arg == "--" and not ended:
            ended = True
        elif arg.startswith("-") and len(arg) > 1 and not ended:
            letters += arg[1:]
        else:
            rest.append(arg)
    return letters, rest


@command("md5sum", "sha1sum", "sha256sum", source=_OTHER + "md5sum.c")
async def md5sum(call: Call) -> int:
    """Digest and name of each file."""
    _, names = split_options(call)
    status = 0
    for name in names or ["-"]:
        try:
            data = await call.io.read_all() if name == "-" else call.phone.files.read(path_of(call, name))
        except FileError:
            call.err(f"{call.name}: {name}: No such file or directory")
            status = 1
            continue
        call.line(f"{hashlib.new(call.name.removesuffix('sum'), data).hexdigest()}  {name}")
    return status


@command("cat", source=_POSIX + "cat.c")
async def cat(call: Call) -> int:
    """Files one after the other."""
    status = 0
    for name in split_options(call)[1] or ["-"]:
        try:
            call.out(await call.io.read_all() if name == "-" else call.phone.files.read(path_of(call, name)))
        except FileError as error:
            call.err(f"cat: {name}: {str(error).rpartition(': ')[2]}")
            status = 1
    return status


@command("ls", source=_POSIX + "ls.c")
def ls(call: Call) -> int:
    """Names, with `-l` what they are, with `-a` hidden ones, with `-d` the folder itself."""
    letters, names = split_options(call)
    status = 0
    for name in names or ["."]:
        entry = call.phone.files.stat(path_of(call, name))
        if entry is None:
            call.err(f"ls: {name}: No such file or directory")
            status = 1
            continue
        folder = entry.folder and "d" not in letters
        if len(names) > 1 and folder:
            call.line(f"{name}:")
        rows = call.phone.files.entries(path_of(call, name)) if folder else [entry]
        if "l" in letters and folder:
            call.line(f"total {sum((row.size + 4095) // 4096 * 4 for row in rows)}")
        for row in rows:
            shown = row.name if folder else name
            if not shown.startswith(".") or "a" in letters or not folder:
                call.line(_long(row, shown) if "l" in letters else shown)
    return status


def _long(row: Entry, name: str) -> str:
    bits = "".join(letter if row.permissions >> (8 - n) & 1 else "-" for n, letter in enumerate("rwxrwxrwx"))
    moment = datetime.fromtimestamp(row.mtime, UTC).strftime("%Y-%m-%d %H:%M")
    return f"{'d' if row.folder else '-'}{bits} {2 if row.folder else 1} shell shell {row.size:>8} {moment} {name}"


@command("stat", source=_OTHER + "stat.c")
def stat(call: Call) -> int:
    """`stat -c FORMAT FILE` with %s, %Y, %n, %F, %a."""
    form = call.arg(1, "%n") if call.arg(0) == "-c" else "%n %s"
    for name in call.args[2:] if call.arg(0) == "-c" else call.args:
        entry = call.phone.files.stat(path_of(call, name))
        if entry is None:
            call.err(f"stat: '{name}': No such file or directory")
            return 1
        values = {"s": entry.size, "Y": entry.mtime, "n": name, "a": f"{entry.permissions:o}",
                  "F": "directory" if entry.folder else "regular file"}  # fmt: skip
        call.line(re.sub(r"%([sYnaF])", partial(_value, values), form))
    return 0


def _value(values: dict[str, object], found: re.Match[str]) -> str:
    return str(values[found[1]])


@command("rm", "unlink", source=_POSIX + "rm.c")
def rm(call: Call) -> int:
    """Files, with `-r` folders."""
    letters, names = split_options(call)
    status = 0
    for name in names:
        entry = call.phone.files.stat(path_of(call, name))
        if entry is None:
            if "f" not in letters:
                call.err(f"rm: {name}: No such file or directory")
                status = 1
        elif entry.folder and not set(letters) & {"r", "R"}:
            call.err(f"rm: {name}: is directory")
            status = 1
        else:
            call.phone.files.remove(path_of(call, name))
    return status


@command("rmdir", source=_POSIX + "rmdir.c")
def rmdir(call: Call) -> int:
    """Empty folders."""
    for name in split_options(call)[1]:
        entry = call.phone.files.stat(path_of(call, name))
        if entry is None or call.phone.files.entries(path_of(call, name)):
            why = "No such file or directory" if entry is None else "Directory not empty"
            call.err(f"rmdir: '{name}': {why}")
            return 1
        call.phone.files.remove(path_of(call, name))
    return 0


@command("mkdir", source=_POSIX + "mkdir.c")
def mkdir(call: Call) -> int:
    """Folders, with `-p` those above and those that are there already."""
    letters, names = split_options(call)
    status = 0
    for name in names:
        try:
            call.phone.files.make_folder(path_of(call, name), parents="p" in letters)
        except FileError as error:
            call.err(f"mkdir: {error}")
            status = 1
    return status


@command("mv", source=_POSIX + "cp.c")
def mv(call: Call) -> int:
    """Rename or move; `-n` leaves what is there."""
    letters, names = split_options(call)
    if len(names) < 2:
        call.err("mv: Needs 1 argument")
        return 1
    status = 0
    for name in names[:-1]:
        there = call.phone.files.stat(path_of(call, names[-1]))
        if "n" in letters and there is not None and not there.folder:
            continue
        try:
            call.phone.files.move(path_of(call, name), path_of(call, names[-1]))
        except FileError as error:
            call.err(f"mv: {error}")
            status = 1
    return status


@command("cp", source=_POSIX + "cp.c")
def cp(call: Call) -> int:
    """Copy files."""
    _, names = split_options(call)
    if len(names) < 2:
        call.err("cp: Needs 1 argument")
        return 1
    files = call.phone.files
    target = path_of(call, names[-1])
    there = files.stat(target)
    for name in names[:-1]:
        entry = files.stat(path_of(call, name))
        if entry is None or entry.folder:
            call.err(f"cp: {name}: {'No such file or directory' if entry is None else 'Skipped dir'}")
            return 1
        files.copy(path_of(call, name), f"{target}/{entry.name}" if there and there.folder else target)
    return 0


@command("touch", source=_POSIX + "touch.c")
def touch(call: Call) -> int:
    """Empty files."""
    for name in split_options(call)[1]:
        if call.phone.files.stat(path_of(call, name)) is None:
            call.phone.files.write(path_of(call, name), b"")
    return 0


@command("chmod", "chown", source=_POSIX + "chmod.c")
def chmod(call: Call) -> int:
    """Taken and without effect: permissions are not kept apart here."""
    return 0


@command("find", source="external/toybox/toys/posix/find.c")
def find(call: Call) -> int:
    """`find FOLDER [-mindepth N] [-maxdepth N] [-name PATTERN] [-iname PATTERN] [-type f|d] [-print0]`."""
    args = call.args
    valued = ("-name", "-type", "-iname", "-mindepth", "-maxdepth")
    options = {name: value for name, value in pairwise(args) if name in valued}
    end = "\0" if "-print0" in args else "\n"
    least, most = int(options.get("-mindepth", 0)), int(options.get("-maxdepth", 99))
    status = 0

    def walk(shown: str, depth: int) -> None:
        nonlocal status
        entry = call.phone.files.stat(path_of(call, shown))
        if entry is None:
            call.err(f"find: '{shown}': No such file or directory")
            status = 1
            return
        if depth >= least and _fits(entry, options):
            call.out(shown + end)
        for child in call.phone.files.entries(path_of(call, shown)) if entry.folder and depth < most else ():
            walk(f"{shown.rstrip('/')}/{child.name}", depth + 1)

    walk(args[0] if args and not args[0].startswith("-") else ".", 0)
    return status


def _fits(entry: Entry, options: dict[str, str]) -> bool:
    kind = "d" if entry.folder else "f"
    if options.get("-type", kind) != kind or not fnmatch.fnmatchcase(entry.name, options.get("-name", "*")):
        return False
    return fnmatch.fnmatch(entry.name.casefold(), options.get("-iname", "*").casefold())
