"""Filters and encodings of toybox (`external/toybox/toys`, Android 9 to 15)."""

import base64
import re

from device.handset.shell.io import ERR
from device.handset.shell.registry import Call, command
from device.handset.shell.storage import path_of, split_options

_POSIX, _OTHER = "external/toybox/toys/posix/", "external/toybox/toys/other/"


@command("base64", source=_OTHER + "base64.c")
async def base64_(call: Call) -> int:
    """`-d` decodes, `-w 0` does not fold."""
    letters, names = split_options(call)
    names = [name for name in names if not name.isdigit()]
    data = call.phone.files.read(path_of(call, names[0])) if names else await call.io.read_all()
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
    data = call.phone.files.read(path_of(call, names[0])) if names else await call.io.read_all()
    lines = data.splitlines(keepends=True)
    call.out(b"".join(lines[:count] if call.name == "head" else lines[-count:]))
    return 0


@command("grep", "egrep", "fgrep", source=_POSIX + "grep.c")
async def grep(call: Call) -> int:
    """Lines that match; -i, -v, -c, -o, -q, -F, -E, -m."""
    letters, rest = split_options(call)
    if not rest:
        call.err("grep: no REGEX")
        return 2
    pattern = re.escape(rest[0]) if "F" in letters or call.name == "fgrep" else rest[0]
    rule = re.compile(pattern.encode(errors="surrogateescape"), re.IGNORECASE if "i" in letters else 0)
    data = call.phone.files.read(path_of(call, rest[1])) if len(rest) > 1 else await call.io.read_all()
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
    letters, names = split_options(call)
    data = call.phone.files.read(path_of(call, names[0])) if names else await call.io.read_all()
    counts = {"l": data.count(b"\n"), "w": len(data.split()), "c": len(data)}
    call.line(" ".join(str(counts[letter]) for letter in (letters or "lwc") if letter in counts))
    return 0


@command("tr", "sed", "awk", "cut", "sort", "uniq", "xargs", "tee", source="external/toybox/toys")
def not_here(call: Call) -> int:
    """Filters that this phone leaves to the host."""
    call.io.write(ERR, f"{call.name}: not on this phone; filter on the host\n")
    return 127
