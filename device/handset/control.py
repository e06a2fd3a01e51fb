"""The control port: what a test or an evaluation does to the phone from behind, where a person would pick it up.

One JSON object a line: `{"do": "reset", ...}` in, `{"ok": ...}` or `{"error": ...}` out. No client of adb can reach it.
"""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from device.handset.faults import Fault
from device.handset.handset import Handset
from runtime.contract import Deadline, PocketError, ToolCall, WorldSpec


async def serve_control(phone: Handset, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one connection until it ends."""
    while text := await reader.readline():
        writer.write(json.dumps(answer(phone, text)).encode() + b"\n")
        await writer.drain()


def answer(phone: Handset, text: bytes) -> dict[str, Any]:
    """One request."""
    try:
        request = json.loads(text)
        action = _ACTIONS[request.pop("do")]
        return {"ok": action(phone, **request)}
    except (PocketError, LookupError, ValueError, TypeError, AttributeError) as error:
        return {"error": f"{type(error).__name__}: {error}"}


def _reset(phone: Handset, world: dict[str, Any] | None = None) -> None:
    phone.reset(WorldSpec.model_validate(world or {}))


def _diff(phone: Handset, since: str) -> Any:
    return phone.sandbox.diff(since).model_dump(mode="json")


def _rows(phone: Handset, table: str) -> list[dict[str, Any]]:
    kind = phone.sandbox.catalogue.kinds[table]
    return [kind.to_json(row) for row in phone.sandbox.table(kind.cls).all()]


def _call(phone: Handset, name: str, arguments: dict[str, Any]) -> Any:
    call = ToolCall(id="control", name=name, arguments=arguments)
    return phone.sandbox.execute(call, Deadline(10.0)).model_dump(mode="json")


def _fault(phone: Handset, **values: Any) -> None:
    phone.faults.add(Fault(**values))


def _clear(phone: Handset, kind: str = "") -> None:
    phone.faults.clear(kind)


def _drop(phone: Handset) -> int:
    lines = list(phone.connections)
    for line in lines:
        line.drop()
    return len(lines)


def _commands(phone: Handset, clear: bool = False) -> list[list[str]]:
    found = [list(words) for words in phone.commands]
    if clear:
        phone.commands.clear()
    return found


def _screen(phone: Handset) -> dict[str, Any]:
    route = phone.ui.route
    window = phone.ui.active()
    return {
        "name": route.name,
        "args": route.args,
        "fields": route.fields,
        "package": window.package,
        "rotation": phone.ui.rotation,
        "step": getattr(phone.ui, "at", None),
        "missed": getattr(phone.ui, "missed", None),
        "keyboard": phone.ui.keyboard_shown,
        "shade": phone.ui.shade,
    }


def _open(phone: Handset, name: str, args: dict[str, str] | None = None) -> None:
    phone.ui.open(name, **(args or {}))


def _install(phone: Handset, package: str) -> None:
    phone.packages.helpers[package] = ""


def _allow(phone: Handset) -> int:
    return sum(line.allow_waiting_key() for line in phone.connections)


_ACTIONS: dict[str, Callable[..., Any]] = {
    "reset": _reset,
    "snapshot": lambda phone: phone.sandbox.snapshot(),
    "diff": _diff,
    "rows": _rows,
    "call": _call,
    "fault": _fault,
    "clear": _clear,
    "drop": _drop,
    "commands": _commands,
    "screen": _screen,
    "open": _open,
    "launch": lambda phone, app: phone.ui.launch(app),
    "home": lambda phone: phone.ui.home(),
    "rotate": lambda phone, rotation: phone.ui.rotate(rotation),
    "allow": _allow,
    "advance": lambda phone, seconds: phone.sandbox.advance(seconds).isoformat(),
    "install": _install,
    "passed": lambda phone: phone.faults.passed,
    "helper": lambda phone: phone.agent.running,
    "kill_agent": lambda phone: phone.agent.stop(),
    "reboot": lambda phone: phone.restart(),
}
