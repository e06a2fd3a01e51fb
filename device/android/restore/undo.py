"""How each kind of lease is given back, and how rows of a snapshot are put back."""

import posixpath
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from device.android.connection.server import Server
from device.android.restore.ledger import Lease, Ledger
from device.android.shell import Shell
from device.android.state.reading import Reading
from device.android.state.system import services
from runtime.contract import Deadline, Json, StateDiff, ToolCall

if TYPE_CHECKING:
    from device.android.phone import AndroidPhone

_NULL = "null"


def undo(lease: Lease, shell: Shell, server: Server, deadline: Deadline) -> str:
    """Give one lease back; says what became of it. Raises `BridgeFailure` where the phone can't be reached."""
    return _UNDO[lease.kind](lease, shell, server, deadline)


def _setting(lease: Lease, shell: Shell, server: Server, deadline: Deadline) -> str:
    namespace, _, key = lease.name.partition("/")
    now = _get(shell, namespace, key, deadline)
    if now == lease.before:
        return f"setting `{lease.name}` was as before"
    if now != lease.taken:
        return f"setting `{lease.name}` was changed by somebody else meanwhile; left as it is"
    if lease.before:
        shell.run("settings", "put", namespace, key, lease.before, deadline=deadline)
    else:
        shell.run("settings", "delete", namespace, key, deadline=deadline)
    return f"setting `{lease.name}` given back"


def _service(lease: Lease, shell: Shell, server: Server, deadline: Deadline) -> str:
    listed = services(Reading(shell, deadline))
    if lease.name not in listed or lease.before:
        return f"accessibility service `{lease.name}` was as before"
    rest = [name for name in listed if name != lease.name]
    shell.run("settings", "put", "secure", "enabled_accessibility_services", ":".join(rest), deadline=deadline)
    if not rest:
        shell.run("settings", "put", "secure", "accessibility_enabled", "0", deadline=deadline)
    return f"accessibility service `{lease.name}` given back"


def _input_method(lease: Lease, shell: Shell, server: Server, deadline: Deadline) -> str:
    """`before` is the keyboard that was in use; `name` the one that we put in its place."""
    if _get(shell, "secure", "default_input_method", deadline) == lease.name and lease.before:
        shell.run("ime", "set", lease.before, deadline=deadline)
    if lease.taken == "enabled":
        shell.run("ime", "disable", lease.name, deadline=deadline)
    return f"input method `{lease.name}` given back"


def _forward(lease: Lease, shell: Shell, server: Server, deadline: Deadline) -> str:
    there = server.ask(f"host-serial:{shell.serial}:list-forward", deadline).splitlines()
    if f"{shell.serial} {lease.name} {lease.taken}" in there:
        server.tell(f"host-serial:{shell.serial}:killforward:{lease.name}", deadline)
        return f"forward `{lease.name}` given back"
    return f"forward `{lease.name}` was gone"


def _helper(lease: Lease, shell: Shell, server: Server, deadline: Deadline) -> str:
    """The helper ends with the connection that started it; one that outlived it is ended by its number."""
    lines = shell.run("ps", "-A", "-o", "PID,ARGS", deadline=deadline).text.splitlines()
    for line in lines:
        number, _, words = line.strip().partition(" ")
        if lease.name in words and number.isdecimal():
            shell.run("kill", number, deadline=deadline)
    return f"helper `{lease.name}` given back"


def _file(lease: Lease, shell: Shell, server: Server, deadline: Deadline) -> str:
    shell.run("rm", "-f", lease.name, deadline=deadline)
    return f"file `{posixpath.basename(lease.name)}` removed"


_UNDO: dict[str, Callable[[Lease, Shell, Server, Deadline], str]] = {
    "setting": _setting,
    "service": _service,
    "input_method": _input_method,
    "forward": _forward,
    "helper": _helper,
    "file": _file,
}


def borrow_setting(ledger: Ledger, shell: Shell, namespace: str, key: str, value: str, deadline: Deadline) -> Lease:
    """Set one of Android's settings for as long as we run."""
    before = _get(shell, namespace, key, deadline)
    lease = ledger.borrow("setting", f"{namespace}/{key}", before, value)
    shell.run("settings", "put", namespace, key, value, deadline=deadline)
    return lease


def borrow_service(ledger: Ledger, shell: Shell, service: str, deadline: Deadline) -> Lease:
    """Add an accessibility service to the list, beside those of others."""
    listed = services(Reading(shell, deadline))
    lease = ledger.borrow("service", service, service if service in listed else "", service)
    if service not in listed:
        wanted = ":".join([*listed, service])
        shell.run("settings", "put", "secure", "enabled_accessibility_services", wanted, deadline=deadline)
        shell.run("settings", "put", "secure", "accessibility_enabled", "1", deadline=deadline)
    return lease


def borrow_input_method(ledger: Ledger, shell: Shell, method: str, deadline: Deadline) -> Lease:
    """Put an installed keyboard in use; one that was off is switched off again afterwards."""
    before = _get(shell, "secure", "default_input_method", deadline)
    enabled = method in shell.run("ime", "list", "-s", deadline=deadline).text.splitlines()
    lease = ledger.borrow("input_method", method, before, "in use" if enabled else "enabled")
    shell.run("ime", "enable", method, deadline=deadline)
    shell.run("ime", "set", method, deadline=deadline)
    return lease


def borrow_forward(ledger: Ledger, server: Server, serial: str, local: str, remote: str, deadline: Deadline) -> Lease:
    """Forward a port of this machine to the phone."""
    lease = ledger.borrow("forward", local, "", remote)
    server.tell(f"host-serial:{serial}:forward:norebind:{local};{remote}", deadline)
    return lease


def _get(shell: Shell, namespace: str, key: str, deadline: Deadline) -> str:
    value = shell.run("settings", "get", namespace, key, deadline=deadline).text
    return "" if value == _NULL else value


def put_back(phone: "AndroidPhone", diff: StateDiff, deadline: Deadline) -> list[str]:
    """Undo the changes of a diff by the phone's own tools; the places that are left."""
    left = []
    for change in diff.changes:
        calls = _calls(change.table, change.before, change.after)
        if calls is None:
            left.append(f"`{change.table}.{change.key}`")
            continue
        for name, arguments in calls:
            seen = phone.execute(ToolCall(id=f"restore-{name}", name=name, arguments=arguments), deadline)
            if not seen.ok:
                left.append(f"`{change.table}.{change.key}`")
                break
    return left


_ON_OFF = {
    ("radios", "airplane_mode"): "manage_airplane_mode",
    ("radios", "wifi"): "manage_wifi",
    ("radios", "bluetooth"): "manage_bluetooth",
    ("radios", "mobile_data"): "manage_mobile_data",
    ("radios", "nfc"): "manage_nfc",
    ("roaming", "enabled"): "manage_roaming",
    ("location_services", "enabled"): "manage_location_services",
    ("display", "dark_mode"): "manage_dark_mode",
    ("display", "auto_rotate"): "manage_auto_rotate",
    ("display", "eye_comfort"): "manage_eye_comfort",
    ("sound", "dnd"): "manage_dnd",
    ("talkback", "enabled"): "manage_talkback",
    ("select_to_speak", "enabled"): "manage_select_to_speak",
    ("color_correction", "enabled"): "manage_color_correction",
    ("always_on_display", "enabled"): "manage_aod",
    ("navigation", "one_handed"): "manage_one_handed_mode",
    ("magnifier", "enabled"): "manage_magnification",
}
_VALUES: dict[tuple[str, str], Callable[[Any], tuple[str, Json]]] = {
    ("display", "brightness"): lambda value: ("adjust_brightness", {"action": "set", "level": f"{value}%"}),
    ("display", "font_size"): lambda value: ("set_font_size", {"size": value}),
    ("panel", "timeout_s"): lambda value: ("manage_screen_timeout", {"action": "set", "duration": f"{value} seconds"}),
    ("panel", "rate"): lambda value: ("manage_refresh_rate", {"action": "set", "rate": value}),
    ("panel", "resolution"): lambda value: ("manage_screen_resolution", {"action": "set", "resolution": value}),
    ("sound", "mode"): lambda value: ("set_sound_mode", {"mode": value}),
    ("navigation", "mode"): lambda value: ("set_navigation_mode", {"mode": value}),
    ("device", "name"): lambda value: ("set_device_name", {"name": value}),
    ("battery", "mode"): lambda value: ("manage_battery", {"action": "set", "mode": value}),
    ("clock_settings", "hour_format"): lambda value: ("manage_date_time", {"action": "set", "hourFormat": value}),
    ("clock_settings", "auto_time_zone"): lambda value: ("manage_date_time", {"action": "set", "autoTimeZone": value}),
    ("tone_settings", "ringtone"): lambda value: ("set_ringtone", {"ringtone": value}),
    ("tone_settings", "sound"): lambda value: ("set_notification_sound", {"sound": value}),
    ("color_correction", "mode"): lambda value: ("manage_color_correction", {"action": "enable", "mode": value}),
}
_DRIFTS = frozenset((("battery", "level"), ("battery", "charging"), ("storage", "used_gb"), ("radios", "wifi_network")))
"""Columns that move by themselves."""


def _calls(table: str, before: Json | None, after: Json | None) -> list[tuple[str, Json]] | None:
    """The calls that make a row what it was; None where there are none."""
    if table in ("screen", "notifications"):
        return []
    if before is None or after is None:
        return None
    calls: list[tuple[str, Json]] = []
    for column in (name for name in before if before[name] != after.get(name)):
        place = (table, column)
        if place in _ON_OFF:
            calls.append((_ON_OFF[place], {"action": "enable" if before[column] else "disable"}))
        elif place in _VALUES:
            calls.append(_VALUES[place](before[column]))
        elif table == "volumes" and column in ("percent", "muted"):
            calls.append(
                ("adjust_volume", {"action": "set", "level": f"{before['percent']}%", "stream": before["stream"]})
            )
        elif place not in _DRIFTS:
            return None
    return calls
