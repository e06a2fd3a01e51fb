"""The other end of the control port, and the start of phones as a process: for tests and evaluations.

`with serve(2) as phones:` starts `pocket phone serve --count 2` and gives two `Phone`s with a serial and a control.
"""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runtime.contract import InfrastructureError

START_SECONDS = 120.0


class Control:
    """A connection to one phone's control port; any attribute is a request of that name."""

    def __init__(self, port: int, timeout: float = 30.0) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file = self._socket.makefile("rb")

    def ask(self, do: str, **values: Any) -> Any:
        """One request; raises `InfrastructureError` with the phone's reason."""
        try:
            self._socket.sendall(json.dumps({"do": do, **values}).encode() + b"\n")
            line = self._file.readline()
        except OSError as error:
            raise InfrastructureError(f"the software phone did not answer `{do}`: {error}") from None
        if not line:
            raise InfrastructureError("the software phone has ended, or this is another port than its control port")
        try:
            reply = json.loads(line)
        except ValueError:
            reply = None
        if not isinstance(reply, dict):
            raise InfrastructureError("what listens there is no software phone; use the control port that it printed")
        if "error" in reply:
            raise InfrastructureError(f"the software phone can't `{do}`: {reply['error']}")
        return reply["ok"]

    def reset(self, world: Any = None) -> None:
        """Take the state of a `WorldSpec`, or of its JSON."""
        self.ask("reset", world=world.model_dump(mode="json") if hasattr(world, "model_dump") else world)

    def rows(self, table: str) -> list[dict[str, Any]]:
        """All rows of a table."""
        found: list[dict[str, Any]] = self.ask("rows", table=table)
        return found

    def call(self, name: str, **arguments: Any) -> Any:
        """Run a tool of the sandbox behind the phone's back."""
        return self.ask("call", name=name, arguments=arguments)

    def fault(self, kind: str, **values: Any) -> None:
        """Have something go wrong from now on."""
        self.ask("fault", kind=kind, **values)

    def clear(self, kind: str = "") -> None:
        """Take faults back."""
        self.ask("clear", kind=kind)

    def close(self) -> None:
        """End the connection; the phone goes on."""
        self._file.close()
        self._socket.close()


@dataclass(frozen=True, slots=True)
class Served:
    """One phone of a started process."""

    serial: str
    """What `adb connect` takes."""
    control: int
    """Its control port."""


@contextmanager
def serve(count: int = 1, *options: str) -> Iterator[list[Served]]:
    """Phones in a process of their own, ended with the block; raises `InfrastructureError` when it can't start."""
    with _started(("serve", "--count", str(count), *options), count) as found:
        yield found


@contextmanager
def serve_recording(folder: Path) -> Iterator[list[Served]]:
    """One phone that shows a recording."""
    with _started(("replay", str(folder)), 1) as found:
        yield found


@contextmanager
def _started(words: Sequence[str], count: int) -> Iterator[list[Served]]:
    command = [sys.executable, "-m", "device.handset.cli", *words, "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        found = []
        for _ in range(count):
            line = process.stdout.readline() if process.stdout is not None else ""
            if not line:
                raise InfrastructureError("the software phone did not start; run `pocket phone serve` to see why")
            values = json.loads(line)
            found.append(Served(values["serial"], values["control"]))
        yield found
    finally:
        process.terminate()
        process.wait(timeout=START_SECONDS)
        if process.stdout is not None:
            process.stdout.close()
