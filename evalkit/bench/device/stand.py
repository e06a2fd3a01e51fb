"""A software phone in a process of its own, an adb server of its own, and the bridge on it: what the device bench
measures with. Nobody else's adb server is touched."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from device.android.connection.server import Server, reconnect
from device.android.phone import AndroidPhone
from device.android.restore.ledger import Ledger
from device.handset.client import Control, serve, serve_recording
from evalkit.android.rig import own_server
from runtime.contract import Deadline, InfrastructureError
from runtime.guard import AllowAll

CONNECT_SECONDS = 60.0


@dataclass(frozen=True)
class Stand:
    """One phone and the ways to it."""

    server: Server
    """The adb server."""
    serial: str
    """The phone there."""
    control: Control
    """The phone from behind."""

    def phone(self) -> AndroidPhone:
        """The bridge, opened anew."""
        return AndroidPhone(self.serial, AllowAll(), Server(self.server.host, self.server.port))

    def phone_ledger(self) -> Ledger:
        """What is noted as borrowed from the phone."""
        return Ledger(self.serial)

    def wait(self, deadline: Deadline) -> None:
        """Until the phone is there again after a drop."""
        reconnect(self.server, self.serial, deadline)


@contextmanager
def stand(recording: Path | None = None) -> Iterator[Stand]:
    """A phone in the default world, or one that shows a recording."""
    phones = serve(1) if recording is None else serve_recording(recording)
    with own_server() as server, phones as (served, *_):
        said = server.ask(f"host:connect:{served.serial}", Deadline(CONNECT_SECONDS))
        if "connected to" not in said:
            raise InfrastructureError(f"adb can't connect to the software phone `{served.serial}`: {said}")
        control = Control(served.control, CONNECT_SECONDS)
        made = Stand(server, served.serial, control)
        ledger = made.phone_ledger()
        try:
            yield made
        finally:
            control.close()
            for file in ledger.path.parent.glob(f"{ledger.path.stem}.*"):
                file.unlink(missing_ok=True)
