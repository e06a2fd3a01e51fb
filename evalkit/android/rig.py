"""Phones to run tasks on: software phones as processes of their own, or connected phones by their serials.

Software phones get an adb server of their own on a free port, so that nobody else's is touched.
"""

import os
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from device.android.connection.server import Server, adb_path
from device.android.phone import AndroidPhone
from device.handset.client import Control, Served, serve
from evalkit.android.phone import StagedPhone
from runtime.contract import Deadline, InfrastructureError
from runtime.guard import AllowAll

CONNECT_SECONDS = 60.0
CONTROL_SECONDS = 120.0
"""Longest wait for an answer of the control port; eight phones share one process."""


@contextmanager
def open_phones(count: int = 1, serials: Sequence[str] = ()) -> Iterator[list[StagedPhone]]:
    """`count` software phones, or the connected ones that `serials` names; closed with the block."""
    with ExitStack() as stack:
        if serials:
            yield [stack.enter_context(_closing(AndroidPhone(serial, AllowAll()))) for serial in serials]
            return
        server = stack.enter_context(own_server())
        served = stack.enter_context(serve(count))
        yield [stack.enter_context(software(one, server)) for one in served]


@contextmanager
def software(served: Served, server: Server) -> Iterator[StagedPhone]:
    """A software phone over a server, with its control port."""
    answer = server.ask(f"host:connect:{served.serial}", Deadline(CONNECT_SECONDS))
    if "connected to" not in answer:
        raise InfrastructureError(f"adb can't connect to the software phone `{served.serial}`: {answer}")
    phone = AndroidPhone(served.serial, AllowAll(), Server(server.host, server.port))
    with _closing(phone, Control(served.control, CONTROL_SECONDS)) as staged:
        yield staged


@contextmanager
def _closing(phone: AndroidPhone, control: Control | None = None) -> Iterator[StagedPhone]:
    staged = StagedPhone(phone, control)
    try:
        yield staged
    finally:
        staged.close()


@contextmanager
def own_server() -> Iterator[Server]:
    """An adb server of our own, ended with the block."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="pocket-adb-") as home:
        environment = {**os.environ, "HOME": home, "ADB_MDNS_OPENSCREEN": "0"}
        command = [adb_path(), "-P", str(port)]
        subprocess.run([*command, "start-server"], env=environment, capture_output=True, check=True, timeout=120)
        server = Server("127.0.0.1", port)
        try:
            yield server
        finally:
            server.close()
            subprocess.run([*command, "kill-server"], env=environment, capture_output=True, check=False, timeout=120)
