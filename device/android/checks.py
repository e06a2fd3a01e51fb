"""What `pocket doctor` says about real phones: adb, the helper's library, the server, each attached phone.

No server is started for a look: that would leave a process behind on a machine that has no phone.
"""

import socket
import subprocess
from importlib.util import find_spec

from device.android.connection.devices import list_devices
from device.android.connection.server import Server, adb_path
from device.android.errors import BridgeFailure
from device.android.restore.ledger import Ledger, alive
from runtime.contract import Deadline, PocketError

Check = tuple[str, str, bool, str]
"""Name, what was found, whether it is right, what to do."""
_SECONDS = 5.0


def checks() -> list[Check]:
    """Every check, in the order in which a phone needs them."""
    found = [_adb(), _library()]
    try:
        server = Server()
    except PocketError as error:
        return [*found, ("adb server", "its port is wrong", False, str(error))]
    if not _running(server):
        return [*found, ("adb server", "not running", True, "")]
    try:
        version = int(server.ask("host:version", Deadline(_SECONDS)), 16)
        devices = list_devices(server, Deadline(_SECONDS))
    except (BridgeFailure, ValueError) as error:
        return [
            *found,
            ("adb server", f"does not answer: {error}", False, "Restart it: adb kill-server; adb start-server"),
        ]
    found.append(_server(version))
    for device in devices:
        found.append((f"phone {device.serial}", device.state, device.ready, device.advice))
        try:
            left = [lease for lease in Ledger(device.serial).leases() if not alive(lease.owner)]
        except PocketError as error:
            found.append((f"phone {device.serial}", "its notes can't be read", False, str(error)))
            continue
        if left:
            fix = "The next `pocket run --backend android` on it gives it back."
            found.append((f"phone {device.serial}", f"{len(left)} things not given back", False, fix))
    return found


def _adb() -> Check:
    try:
        return "adb", adb_path(), True, ""
    except PocketError as error:
        return "adb", "none", False, f"{error} Only real phones need it."


def _library() -> Check:
    there = find_spec("uiautomator2") is not None
    return (
        "uiautomator2",
        "installed" if there else "none",
        there,
        "pip install -e '.[android]'; only real phones need it",
    )


def _server(version: int) -> Check:
    """A client of another version would kill this server, and with it what others do on their phones."""
    own = _own_version()
    right = own in (0, version)
    fix = f"The server's protocol is {version} and that of `adb` here {own}: use one adb, or the two kill each other's."
    return "adb server", f"version {version}", right, fix


def _own_version() -> int:
    """The protocol version of the `adb` that would be called, 0 where it can't be told: `... version 1.0.41`."""
    try:
        done = subprocess.run([adb_path(), "version"], capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired, PocketError):
        return 0
    words = done.stdout.decode(errors="replace").partition("\n")[0].rpartition(".")[2].strip()
    return int(words) if words.isdecimal() else 0


def _running(server: Server) -> bool:
    try:
        socket.create_connection((server.host, server.port), timeout=1).close()
    except OSError:
        return False
    return True
