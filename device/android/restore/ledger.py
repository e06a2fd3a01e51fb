"""The ledger of what is borrowed: written and synced before anything is changed, so that a crash at any moment leaves a
note of what to put back.

1. A lease says what kind of thing it is, how it was before, what we set it to, and which process did it.
2. `give_back` returns them in reverse order at the end of a run; `recover` does the same at the start for the leases of
   processes that are dead.
3. A thing that no longer is as we set it was changed by somebody else since: it is left alone, and said.
4. Of a list that belongs to several (accessibility services, keyboards) only our own entry is taken out.

One file for each phone, rewritten whole and renamed, mode 0600, under a lock.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import quote

import platformdirs

from device.android.connection.server import Server
from device.android.errors import BridgeFailure
from device.android.shell import Shell
from runtime.contract import Deadline, ErrorCode, InfrastructureError

Kind = Literal["setting", "service", "input_method", "forward", "helper", "file"]
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Lease:
    """One thing that is borrowed."""

    kind: Kind
    """setting, service (accessibility), input_method, forward, helper (UiAutomation), file."""
    name: str
    """`system/accelerometer_rotation`, a component, a port, a path."""
    before: str
    """How it was; empty: it was not there."""
    taken: str
    """What we made of it."""
    owner: str
    """`pid:start` of the process that took it."""


class Ledger:
    """The leases of one phone."""

    def __init__(self, serial: str, folder: Path | None = None) -> None:
        base = folder or leases_folder()
        self.path = base / f"{quote(serial, safe='')}.json"  # no two serials share a file
        self.owner = process_mark(os.getpid())

    def leases(self) -> list[Lease]:
        """All that is noted, oldest first."""
        with self._locked():
            return self._read()

    def borrow(self, kind: Kind, name: str, before: str, taken: str) -> Lease:
        """Note a lease; durable when this returns, and only then may the thing be changed."""
        lease = Lease(kind, name, before, taken, self.owner)
        with self._locked():
            self._write([*self._read(), lease])
        return lease

    def forget(self, lease: Lease) -> None:
        """It has been given back."""
        with self._locked():
            self._write([one for one in self._read() if one != lease])

    def give_back(self, shell: Shell, server: Server, deadline: Deadline) -> list[str]:
        """Give back what this process borrowed; what became of each."""
        mine = [lease for lease in self.leases() if lease.owner == self.owner]
        return self._return(mine, shell, server, deadline)

    def recover(self, shell: Shell, server: Server, deadline: Deadline) -> list[str]:
        """Give back what dead processes borrowed."""
        dead = [lease for lease in self.leases() if not alive(lease.owner)]
        return self._return(dead, shell, server, deadline)

    def _return(self, leases: list[Lease], shell: Shell, server: Server, deadline: Deadline) -> list[str]:
        from device.android.restore.undo import undo

        done = []
        for lease in reversed(leases):
            if lease.kind not in KINDS:
                done.append(f"{lease.kind} `{lease.name}` is noted by another version of this program; it stays noted")
                continue
            try:
                done.append(undo(lease, shell, server, deadline))
            except BridgeFailure as failure:
                done.append(f"{lease.kind} `{lease.name}` could not be given back: {failure.message}")
                if failure.code in (ErrorCode.OFFLINE, ErrorCode.TIMEOUT, ErrorCode.CANCELLED):
                    break
                continue
            self.forget(lease)
        return done

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = self.path.with_suffix(".lock").open("w")
        except OSError as error:
            where = f"`{self.path.parent}`, where what is borrowed from a phone is noted,"
            raise InfrastructureError(f"{where} can't be written: {error.strerror}. Set `POCKET_HOME`.") from None
        with file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _read(self) -> list[Lease]:
        try:
            leases = [Lease(**one) for one in json.loads(self.path.read_text(encoding="utf-8"))]
            if not all(isinstance(part, str) for lease in leases for part in asdict(lease).values()):
                raise ValueError
            return leases
        except FileNotFoundError:
            return []
        except (ValueError, TypeError):
            self.path.replace(self.path.with_suffix(".damaged"))
            return []

    def _write(self, leases: list[Lease]) -> None:
        fresh = self.path.with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump([asdict(lease) for lease in leases], file, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)


def leases_folder() -> Path:
    """Under `POCKET_HOME` where that is set, else the user's data folder."""
    home = os.environ.get("POCKET_HOME")
    return (Path(home) / "data" if home else Path(platformdirs.user_data_dir("pocketplanner"))) / "leases"


def process_mark(pid: int) -> str:
    """A process and when it began, so that a number that is used again is not taken for it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    except OSError:
        return f"{pid}:"
    return f"{pid}:{fields[19]}"


def alive(owner: str) -> bool:
    """Whether the process of a lease still runs."""
    pid, _, started = owner.partition(":")
    if not pid.isdecimal():
        return False
    if Path("/proc").is_dir():
        return bool(started) and process_mark(int(pid)) == owner
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
