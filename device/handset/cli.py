"""The commands of the software phone: `serve` starts phones, `fault` makes something go wrong on one."""

import asyncio
import contextlib
import json
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from device.handset.faults import KINDS, SERVICES
from runtime.contract import UserError

if TYPE_CHECKING:
    from device.handset.server import Server
    from runtime.contract import WorldSpec

MOST = 64


def serve(
    count: Annotated[int, typer.Option(help=f"Phones, 1 to {MOST}.")] = 1,
    port: Annotated[int, typer.Option(help="adb port of the first one; the others follow. 0: free ones.")] = 0,
    secure: Annotated[bool, typer.Option("--secure", help="Ask on the screen before a computer may connect.")] = False,
    sdk: Annotated[int, typer.Option(help="API level, 29 to 35.")] = 35,
    world: Annotated[Path | None, typer.Option(help="A WorldSpec as JSON; none: the default world.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object for each phone.")] = False,
) -> None:
    """Start software phones; they run until Ctrl-C."""
    if not 1 <= count <= MOST:
        raise UserError(f"`--count` is {count}; the limit is {MOST}. Start a second process for more.")
    _check_port(port, count)
    if not 29 <= sdk <= 35:
        raise UserError(f"`--sdk` is {sdk}; use 29 (Android 10) to 35 (Android 15).")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(count, port, as_json, {"secure": secure, "sdk": sdk, "world": _read_world(world)}))


def _check_port(port: int, count: int = 1) -> None:
    if port and not 0 < port <= 65536 - count:
        raise UserError(f"`--port` is {port}; {count} phones need ports of 1 to 65535. Use 0 for free ones.")


def _read_world(path: Path | None) -> "WorldSpec | None":
    if path is None:
        return None
    from pydantic import ValidationError

    from runtime.contract import WorldSpec

    try:
        return WorldSpec.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UserError(f"`{path}` can't be read: {error.strerror}. Name a file with a WorldSpec.") from None
    except ValidationError as error:
        first = error.errors()[0]
        raise UserError(f"`{path}` is no WorldSpec: {first['msg']} at `{'.'.join(map(str, first['loc']))}`.") from None


async def _serve(count: int, port: int, as_json: bool, made: dict[str, Any]) -> None:
    from device.handset.handset import Handset
    from device.handset.profile import Profile
    from device.handset.server import Server

    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    servers = []
    for number in range(count):
        profile = Profile(serial=f"POCKET{number + 1:04d}", sdk=made["sdk"])
        server = Server(Handset(profile, made["world"], made["secure"], made.get("recording")))
        try:
            await server.start(port + number if port else 0)
        except OSError as error:
            raise UserError(f"port {port + number} can't be used: {error.strerror}. Choose another `--port`.") from None
        servers.append(server)
        _tell(server, as_json)
    await stopped.wait()
    for server in servers:
        await server.stop()


def _tell(server: "Server", as_json: bool) -> None:
    values = {"serial": server.serial, "control": server.control_port, "model": server.phone.profile.model}
    if as_json:
        print(json.dumps(values), flush=True)
    else:
        connect = f"`pocket devices connect {server.serial}`"
        print(f"{server.serial}: ready. {connect}; control port {server.control_port}", flush=True)


def replay(
    recording: Annotated[Path, typer.Argument(help="A folder with `steps.jsonl`, dumps and pictures.")],
    port: Annotated[int, typer.Option(help="adb port; 0: a free one.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> None:
    """Start a software phone that shows a recording, and goes on when what was recorded is done again."""
    from device.handset.recording import Recording

    _check_port(port)
    made = {"secure": False, "sdk": 35, "world": None, "recording": Recording(recording)}
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(1, port, as_json, made))


def fault(
    control: Annotated[str, typer.Argument(help="The phone's control port, as `serve` printed it.")] = "list",
    kind: Annotated[str, typer.Argument(help="What goes wrong; `clear` takes all back; `list` names all.")] = "list",
    service: Annotated[str, typer.Option(help=f"Of drop, hang, refuse and slow: {', '.join(SERVICES)}.")] = "any",
    skip: Annotated[int, typer.Option(min=0, help="Uses that still work.")] = 0,
    times: Annotated[int, typer.Option(min=0, help="How often; 0: until it is cleared.")] = 0,
    seconds: Annotated[float, typer.Option(min=0, help="How long, for slow and busy.")] = 0.0,
    bytes_: Annotated[int, typer.Option("--bytes", min=0, help="After how many, for drop_at and mid_push.")] = 0,
) -> None:
    """Make something go wrong on a running phone, or take it back; without arguments, list what can."""
    from device.handset.client import Control

    if control != "list" and not (control.isascii() and control.isdecimal() and len(control) < 10):
        raise UserError(f"`{control}` is no control port; `pocket phone serve` prints it behind each phone.")
    if "list" in (control, kind):
        for name, meaning in KINDS.items():
            print(f"{name:<14} {meaning}")
        return
    if kind != "clear" and kind not in KINDS:
        raise UserError(f"there is no fault `{kind}`; `pocket phone fault list` names them.")
    if service not in SERVICES:
        raise UserError(f"there is no service `{service}`; use one of {', '.join(SERVICES)}.")
    try:
        phone = Control(int(control))
    except (OSError, OverflowError):
        raise UserError(
            f"no software phone listens at control port {control}; start one with `pocket phone serve`."
        ) from None
    if kind == "clear":
        phone.clear()
    else:
        phone.fault(kind, service=service, skip=skip, times=times, seconds=seconds, bytes=bytes_)
    phone.close()


if __name__ == "__main__":
    alone = typer.Typer(add_completion=False)
    alone.command()(serve)
    alone.command()(replay)
    try:
        alone(standalone_mode=True)
    except UserError as error:
        print(f"pocket: {error}", file=sys.stderr)
        sys.exit(2)
