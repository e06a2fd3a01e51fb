"""Files and small things: what toybox does (`external/toybox/toys`, Android 9 to 15)."""

import base64
import hashlib
import re
from datetime import UTC, datetime

from device.handset.shell.io import ERR
from device.handset.shell.registry import Call, command, commands
from device.handset.state.files import Entry, FileError

_POSIX, _OTHER = "external/toybox/toys/posix/", "external/toybox/toys/other/"


def _path(call: Call, name: str) -> str:
    return call.phone.files.resolve(name, call.shell.directory)


def _split(call: Call) -> tuple[str, list[str]]:
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


@command("toybox", source="external/toybox/main.c")
async def toybox(call: Call) -> int:
    """`toybox NAME ...`."""
    known = commands().get(call.arg(0))
    if known is None:
        call.err(f'toybox: Unknown command {call.arg(0)} (see "toybox --help")')
        return 127
    result = known.function(Call(call.shell, call.io, known.name, call.args[1:]))
    status = result if isinstance(result, int) or result is None else await result
    return status or 0


@command("md5sum", "sha1sum", "sha256sum", source=_OTHER + "md5sum.c")
async def md5sum(call: Call) -> int:
    """Digest and name of each file."""
    _, names = _split(call)
    status = 0
    for name in names or ["-"]:
        try:
            data = await call.io.read_all() if name == "-" else call.phone.files.read(_path(call, name))
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
    for name in _split(call)[1] or ["-"]:
        try:
            call.out(await call.io.read_all() if name == "-" else call.phone.files.read(_path(call, name)))
        except FileError as error:
            call.err(f"cat: {name}: {str(error).rpartition(': ')[2]}")
            status = 1
    return status


@command("ls", source=_POSIX + "ls.c")
def ls(call: Call) -> int:
    """Names, with `-l` what they are, with `-a` hidden ones, with `-d` the folder itself."""
    letters, names = _split(call)
    status = 0
    for name in names or ["."]:
        entry = call.phone.files.stat(_path(call, name))
        if entry is None:
            call.err(f"ls: {name}: No such file or directory")
            status = 1
            continue
        folder = entry.folder and "d" not in letters
        if len(names) > 1 and folder:
            call.line(f"{name}:")
        rows = call.phone.files.entries(_path(call, name)) if folder else [entry]
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
        entry = call.phone.files.stat(_path(call, name))
        if entry is None:
            call.err(f"stat: '{name}': No such file or directory")
            return 1
        values = {"s": entry.size, "Y": entry.mtime, "n": name, "a": f"{entry.permissions:o}",
                  "F": "directory" if entry.folder else "regular file"}  # fmt: skip
        call.line(re.sub(r"%([sYnaF])", lambda found, v=values: str(v[found[1]]), form))
    return 0


@command("rm", "unlink", source=_POSIX + "rm.c")
def rm(call: Call) -> int:
    """Files, with `-r` folders."""
    letters, names = _split(call)
    status = 0
    for name in names:
        entry = call.phone.files.stat(_path(call, name))
        if entry is None:
            if "f" not in letters:
                call.err(f"rm: {name}: No such file or directory")
                status = 1
        elif entry.folder and not set(letters) & {"r", "R"}:
            call.err(f"rm: {name}: is directory")
            status = 1
        else:
            call.phone.files.remove(_path(call, name))
    return status


@command("rmdir", source=_POSIX + "rmdir.c")
def rmdir(call: Call) -> int:
    """Empty folders."""
    for name in _split(call)[1]:
        entry = call.phone.files.stat(_path(call, name))
        if entry is None or call.phone.files.entries(_path(call, name)):
            why = "No such file or directory" if entry is None else "Directory not empty"
            call.err(f"rmdir: '{name}': {why}")
            return 1
        call.phone.files.remove(_path(call, name))
    return 0


@command("mkdir", source=_POSIX + "mkdir.c")
def mkdir(call: Call) -> int:
    """Folders, with `-p` those above and those that are there already."""
    letters, names = _split(call)
    status = 0
    for name in names:
        try:
            call.phone.files.make_folder(_path(call, name), parents="p" in letters)
        except FileError as error:
            call.err(f"mkdir: {error}")
            status = 1
    return status


@command("mv", source=_POSIX + "cp.c")
def mv(call: Call) -> int:
    """Rename or move."""
    _, names = _split(call)
    if len(names) < 2:
        call.err("mv: Needs 1 argument")
        return 1
    status = 0
    for name in names[:-1]:
        try:
            call.phone.files.move(_path(call, name), _path(call, names[-1]))
        except FileError as error:
            call.err(f"mv: {error}")
            status = 1
    return status


@command("cp", source=_POSIX + "cp.c")
def cp(call: Call) -> int:
    """Copy files."""
    _, names = _split(call)
    if len(names) < 2:
        call.err("cp: Needs 1 argument")
        return 1
    files = call.phone.files
    target = _path(call, names[-1])
    there = files.stat(target)
    for name in names[:-1]:
        entry = files.stat(_path(call, name))
        if entry is None or entry.folder:
            call.err(f"cp: {name}: {'No such file or directory' if entry is None else 'Skipped dir'}")
            return 1
        files.write(f"{target}/{entry.name}" if there and there.folder else target, files.read(_path(call, name)))
    return 0


@command("touch", source=_POSIX + "touch.c")
def touch(call: Call) -> int:
    """Empty files."""
    for name in _split(call)[1]:
        if call.phone.files.stat(_path(call, name)) is None:
            call.phone.files.write(_path(call, name), b"")
    return 0


@command("chmod", "chown", source=_POSIX + "chmod.c")
def chmod(call: Call) -> int:
    """Taken and without effect: permissions are not kept apart here."""
    return 0


@command("find", source="external/toybox/toys/posix/find.c")
def find(call: Call) -> int:
    """`find FOLDER [-name PATTERN] [-type f|d]`."""
    import fnmatch

    options = {
        call.args[i]: call.args[i + 1]
        for i in range(len(call.args) - 1)
        if call.args[i] in ("-name", "-type", "-iname")
    }
    top = call.arg(0, ".") if not call.arg(0).startswith("-") else "."

    def walk(shown: str) -> None:
        entry = call.phone.files.stat(_path(call, shown))
        if entry is None:
            call.err(f"find: '{shown}': No such file or directory")
            return
        kind = "d" if entry.folder else "f"
        name = options.get("-name", "*")
        if fnmatch.fnmatchcase(entry.name, name) and options.get("-type", kind) == kind:
            call.line(shown)
        for child in call.phone.files.entries(_path(call, shown)) if entry.folder else ():
            walk(f"{shown.rstrip('/')}/{child.name}")

    walk(top)
    return 0


@command("df", source=_POSIX + "df.c")
def df(call: Call) -> int:
    """The shared storage."""
    from device.sandbox.rows.storage import File, Storage

    row = call.phone.sandbox.one(Storage)
    used = (
        row.system_gb * 1e6
        + (row.cache_mb + row.trash_mb + sum(f.size_mb for f in call.phone.sandbox.table(File).all())) * 1e3
    )
    total = int(row.total_gb * 1e6)
    call.line("Filesystem     1K-blocks     Used Available Use% Mounted on")
    call.line(
        f"/dev/fuse      {total:>9} {int(used):>8} {total - int(used):>9} {round(used * 100 / total):>3}% /storage/emulated"
    )
    return 0


@command("date", source=_POSIX + "date.c")
def date(call: Call) -> int:
    """The phone's clock; `+FORMAT`."""
    now = call.phone.sandbox.now
    form = next((arg[1:] for arg in call.args if arg.startswith("+")), "%a %b %e %H:%M:%S %Y")
    call.line(now.replace(tzinfo=UTC).strftime(form))
    return 0


@command("id", source=_POSIX + "id.c")
def id_(call: Call) -> int:
    """The shell's user."""
    call.line(
        "2000" if call.arg(0) == "-u" else "uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log)"
    )
    return 0


@command("whoami", source="external/toybox/toys/posix/id.c")
def whoami(call: Call) -> int:
    """Its name."""
    call.line("shell")
    return 0


@command("uname", source=_POSIX + "uname.c")
def uname(call: Call) -> int:
    """Kernel."""
    call.line("Linux localhost 6.1.99-android14 #1 SMP PREEMPT aarch64 Toybox" if "a" in _split(call)[0] else "Linux")
    return 0


@command("base64", source=_OTHER + "base64.c")
async def base64_(call: Call) -> int:
    """`-d` decodes, `-w 0` does not fold."""
    letters, names = _split(call)
    names = [name for name in names if not name.isdigit()]
    data = call.phone.files.read(_path(call, names[0])) if names else await call.io.read_all()
    if "d" in letters:
        call.out(base64.b64decode(data))
        return 0
    text = base64.b64encode(data).decode()
    call.line(text if "w" in letters else "\n".join(text[i : i + 76] for i in range(0, len(text), 76)))
    return 0


@command("head", "tail", source=_POSIX + "head.c")
async def head(call: Call) -> int:
    """The first or last lines."""
    count, names, args = 10, [], list(call.args)
    while args:
        arg = args.pop(0)
        if arg == "-n" and args:
            count = int(args.pop(0))
        elif re.fullmatch(r"-n?\d+", arg):
            count = int(arg.lstrip("-n"))
        else:
            names.append(arg)
    data = call.phone.files.read(_path(call, names[0])) if names else await call.io.read_all()
    lines = data.splitlines(keepends=True)
    call.out(b"".join(lines[:count] if call.name == "head" else lines[-count:]))
    return 0


@command("grep", "egrep", "fgrep", source=_POSIX + "grep.c")
async def grep(call: Call) -> int:
    """Lines that match; -i, -v, -c, -o, -q, -F, -E, -m."""
    letters, rest = _split(call)
    if not rest:
        call.err("grep: no REGEX")
        return 2
    pattern = re.escape(rest[0]) if "F" in letters or call.name == "fgrep" else rest[0]
    rule = re.compile(pattern.encode(errors="surrogateescape"), re.IGNORECASE if "i" in letters else 0)
    data = call.phone.files.read(_path(call, rest[1])) if len(rest) > 1 else await call.io.read_all()
    hits = [line for line in data.splitlines() if bool(rule.search(line)) != ("v" in letters)]
    if "c" in letters:
        call.line(str(len(hits)))
    elif "q" not in letters:
        shown = [m for line in hits for m in rule.findall(line)] if "o" in letters else hits
        call.out(b"".join(line + b"\n" for line in shown))
    return 0 if hits else 1


@command("wc", source=_POSIX + "wc.c")
async def wc(call: Call) -> int:
    """Lines, words, bytes."""
    letters, names = _split(call)
    data = call.phone.files.read(_path(call, names[0])) if names else await call.io.read_all()
    counts = {"l": data.count(b"\n"), "w": len(data.split()), "c": len(data)}
    call.line(" ".join(str(counts[letter]) for letter in (letters or "lwc") if letter in counts))
    return 0


@command("tr", "sed", "awk", "cut", "sort", "uniq", "xargs", "tee", source="external/toybox/toys")
def not_here(call: Call) -> int:
    """Filters that this phone leaves to the host."""
    call.io.write(ERR, f"{call.name}: not on this phone; filter on the host\n")
    return 127


@command("uptime", source=_OTHER + "uptime.c")
def uptime(call: Call) -> int:
    """Since the boot."""
    call.line(f" {call.phone.sandbox.now:%H:%M:%S} up 3 days, 2:11, 0 users,  load average: 0.42, 0.38, 0.35")
    return 0


@command("nc", source="external/toybox/toys/net/netcat.c")
async def nc(call: Call) -> int:
    """`nc HOST PORT` on the phone itself: through what `adb reverse` opened."""
    address = f"tcp:{call.arg(1)}"
    destination = call.phone.reversed.get(address)
    line = next((line for line in call.phone.connections if line.online), None)
    if destination is None or line is None:
        call.err("nc: connect: Connection refused")
        return 1
    far = line.open_to_host(destination)
    await far.write(await call.io.read_all())
    while data := await far.read():
        call.out(data)
        await call.io.flush()
    return 0


@command("ifconfig", source="external/toybox/toys/net/ifconfig.c")
def ifconfig(call: Call) -> int:
    """wlan0 while Wi-Fi is connected."""
    from device.sandbox.rows.network import Radios

    radios = call.phone.sandbox.one(Radios)
    if call.arg(0, "wlan0") != "wlan0" or not (radios.wifi and radios.wifi_network):
        call.err(f"ifconfig: {call.arg(0)}: No such device")
        return 1
    call.line("wlan0     Link encap:Ethernet  HWaddr 02:00:00:44:55:66  Driver cnss_pci")
    call.line("          inet addr:192.168.1.57  Bcast:192.168.1.255  Mask:255.255.255.0")
    call.line("          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1")
    return 0
