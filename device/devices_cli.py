"""Devices: which phones are attached and ready, and those on the network."""

import json as encoder
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from device.android.connection import Device

app = typer.Typer(add_completion=False)
SECONDS = 30.0
COMPARE = "Compare address and port with what the phone shows."
ACCEPT = "Unlock the phone and accept `Allow USB debugging`, then see `pocket devices`."


@app.callback(invoke_without_command=True, epilog="Examples: pocket devices; pocket devices --json")
def devices(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON list instead.")] = False,
) -> None:
    """Which phones are attached, whether each is ready, and what to do if not."""
    if context.invoked_subcommand is not None:
        return
    found = _listed()
    if json:
        shown = [
            {"serial": one.serial, "state": one.state, "ready": one.ready, "model": one.model, "advice": one.advice}
            for one in found
        ]
        typer.echo(encoder.dumps(shown, ensure_ascii=False, indent=2))
        return
    if not found:
        typer.echo(
            "no phone is attached. Switch USB debugging on and plug it in, or `pocket devices connect HOST:PORT`."
        )
    for one in found:
        typer.echo("  ".join(part for part in (one.serial, one.state, one.model, one.advice) if part))


@app.command(epilog="Example: pocket devices connect 192.168.1.20:37123")
def connect(
    address: Annotated[str, typer.Argument(help="HOST:PORT that the phone shows under wireless debugging.")],
) -> None:
    """Connect a phone on the network; one that adb lists as offline is dialled anew."""
    good = ("connected to", "already connected")
    answer = _asked(f"host:connect:{_address(address)}", good)
    if not answer.startswith(good[0]) and any(one.serial == address and one.state == "offline" for one in _listed()):
        _asked(f"host:disconnect:{address}", ("disconnected",))
        answer = _asked(f"host:connect:{address}", good)
    typer.echo(answer)


@app.command(epilog="Example: pocket devices disconnect 192.168.1.20:37123")
def disconnect(address: Annotated[str, typer.Argument(help="HOST:PORT of a connected phone.")]) -> None:
    """Disconnect a phone on the network."""
    typer.echo(_asked(f"host:disconnect:{_address(address)}", ("disconnected",)))


@app.command(epilog="Example: pocket devices pair 192.168.1.20:41001 123456")
def pair(
    address: Annotated[str, typer.Argument(help="HOST:PORT that the phone shows in its pairing dialog.")],
    code: Annotated[str, typer.Argument(help="The six digits of that dialog.")],
) -> None:
    """Pair with a phone on the network, once; its pairing port is not the port to connect to."""
    from runtime.contract import UserError

    if not (code.isascii() and code.isdecimal() and len(code) == 6):
        raise UserError(f"`{code}` is no pairing code; it has the six digits that the phone's pairing dialog shows.")
    typer.echo(_asked(f"host:pair:{code}:{_address(address)}", ("Successfully paired",), secret=code))
    typer.echo("Now connect to the port of the wireless debugging page itself: pocket devices connect HOST:PORT")


def _address(address: str) -> str:
    from runtime.contract import UserError

    host, colon, port = address.rpartition(":")
    plain = address.isascii() and not any(char.isspace() for char in address) and len(address) < 300
    if not (plain and host and colon and port.isdecimal() and len(port) < 6 and 0 < int(port) < 65536):
        raise UserError(f"`{address[:80]}` is no address; write HOST:PORT as the phone shows it (192.168.1.20:37123).")
    return address


def _listed() -> "list[Device]":
    from device.android.connection import Server, list_devices
    from device.android.errors import BridgeFailure
    from runtime.contract import InfrastructureError

    try:
        return list_devices(Server())
    except BridgeFailure as failure:
        raise InfrastructureError(f"the phones can't be listed: {failure.message}. See `pocket doctor`.") from None


def _asked(request: str, good: tuple[str, ...], secret: str = "") -> str:
    """The server's answer, where it is one of those that mean done; `secret` is never shown."""
    from device.android.connection import Server
    from device.android.errors import BridgeFailure
    from runtime.contract import Deadline, InfrastructureError

    try:
        answer = " ".join(Server().ask(request, Deadline(SECONDS)).split())
    except BridgeFailure as failure:
        said = failure.message.replace(secret, "CODE") if secret else failure.message
        unknown = failure.details.get("reason") == "unknown host service"
        raise InfrastructureError(_too_old() if unknown else f"{said}. {COMPARE}") from None
    if not any(answer.startswith(words) for words in good):
        advice = ACCEPT if answer.startswith("failed to authenticate") else COMPARE
        raise InfrastructureError(f"adb says: {answer}. {advice}")
    return answer


def _too_old() -> str:
    """Debian's adb is of version 29, which can't pair; the package `adbutils` brings a newer one."""
    from importlib.util import find_spec

    found = find_spec("adbutils")
    brought = [Path(folder, "binaries", "adb") for folder in (found and found.submodule_search_locations) or ()]
    newer = next((f"{path} start-server" for path in brought if path.is_file()), "that of Google's platform-tools")
    return (
        f"the adb server is too old to pair; that takes adb 30. Stop it: adb kill-server. Start a newer one: {newer}."
    )
