"""The phone's shell: the one place where words become a command line.

1. `command_line` quotes every word; nothing else in this package writes a command. What a planner, a screen or a
   contact's name says is always one word of it, whatever is in it.
2. A command runs under `shell,v2`: output, error output and exit status come apart, and binary output stays whole.
3. The deadline holds for the whole call. A drop after the command was sent says `landed: unknown`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from device.android.connection.server import Server
from device.android.errors import bad_argument, offline, unsupported, whole
from runtime.contract import Deadline

MAX_LINE = 60_000
"""Longest command line in bytes; the kernel of a phone takes 128 KiB for one argument."""
MAX_OUTPUT = 32 * 2**20
"""Most output that is kept."""
_PLAIN = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")
_STDOUT, _STDERR, _EXIT = 1, 2, 3


def command_line(words: Sequence[str]) -> str:
    """The words as one line for `sh`, each of them exactly one word there."""
    line = " ".join(_quoted(word) for word in words)
    if len(line.encode("utf-8", errors="surrogatepass")) > MAX_LINE:
        raise bad_argument(f"the command has {len(line):,} characters; a phone's shell takes {MAX_LINE:,}. Shorten it")
    return line


def _quoted(word: str) -> str:
    if "\0" in word or not whole(word):
        raise bad_argument("a text holds a NUL or half a character, which no shell can take; leave it out")
    if _PLAIN.fullmatch(word):
        return word
    return "'" + word.replace("'", "'\\''") + "'"


@dataclass(frozen=True, slots=True)
class Result:
    """What a command gave."""

    out: bytes
    """Standard output."""
    err: bytes
    """Error output."""
    status: int
    """Exit status."""

    @property
    def text(self) -> str:
        """Standard output as text, without the last line's end."""
        return self.out.decode("utf-8", errors="replace").removesuffix("\n")

    @property
    def said(self) -> str:
        """Output and error output, for messages."""
        both = self.text + "\n" + self.err.decode("utf-8", errors="replace")
        return " ".join(both.split())[:300]


class Shell:
    """Runs commands on one phone."""

    def __init__(self, server: Server, serial: str) -> None:
        self.server = server
        self.serial = serial
        self._checked = False

    def run(self, *words: str, deadline: Deadline) -> Result:
        """Run one command; whatever its status, it ran. Raises `BridgeFailure`."""
        line = command_line(words)
        self._check_features(deadline)
        wire = self.server.open(self.serial, f"shell,v2,raw:{line}", deadline)
        kept: dict[int, bytearray] = {_STDOUT: bytearray(), _STDERR: bytearray()}
        buffer = bytearray()
        try:
            while True:
                got = wire.some(deadline)
                if not got:
                    raise wire.gone()
                buffer += got
                if len(buffer) + sum(map(len, kept.values())) > MAX_OUTPUT:
                    raise offline(f"`{words[0]}` gave more than {MAX_OUTPUT:,} bytes; it was broken off", "unknown")
                while len(buffer) >= 5 and len(buffer) >= 5 + (size := int.from_bytes(buffer[1:5], "little")):
                    kind, body = buffer[0], bytes(buffer[5 : 5 + size])
                    del buffer[: 5 + size]
                    if kind == _EXIT:
                        return Result(bytes(kept[_STDOUT]), bytes(kept[_STDERR]), body[0] if body else 0)
                    if kind in kept:
                        kept[kind] += body
        finally:
            wire.close()

    def raw(self, *words: str, deadline: Deadline) -> bytes:
        """Run one command under `exec:`, for binary output; the end of the stream is the end of the command."""
        wire = self.server.open(self.serial, f"exec:{command_line(words)}", deadline)
        held = bytearray()
        try:
            while got := wire.some(deadline):
                held += got
                if len(held) > MAX_OUTPUT:
                    raise offline(f"`{words[0]}` gave more than {MAX_OUTPUT:,} bytes; it was broken off", "unknown")
        finally:
            wire.close()
        return bytes(held)

    def _check_features(self, deadline: Deadline) -> None:
        if self._checked:
            return
        features = self.server.ask(f"host-serial:{self.serial}:features", deadline).split(",")
        if "shell_v2" not in features:
            raise unsupported(f"`{self.serial}` has no `shell_v2`; Android 10 or newer is needed")
        self._checked = True
