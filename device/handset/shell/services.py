"""`cmd SERVICE ...`: the shell commands of system services, a function for each service.

Sources: `ConnectivityService.java`, `WifiShellCommand.java`, `LocationShellCommand.java`,
`UiModeManagerService.java`, `NotificationShellCmd.java`, `PowerManagerShellCommand.java`,
`MediaShellCommand.java` (media_session), `AudioManagerShellCommand.java`, `OverlayManagerShellCommand.java`,
`RoleShellCommand.java`, `AppOpsService.java` (Shell), of `frameworks/base/services` and the modules that they moved to.
"""

from collections.abc import Awaitable, Callable

from device.handset.screens.tiles import set_power_saving
from device.handset.shell.am import activity_command
from device.handset.shell.keys import set_volume, turn, volume_index
from device.handset.shell.pm import package_command
from device.handset.shell.registry import Call, command
from device.handset.shell.window import window_command
from device.handset.state.media import media_key
from device.sandbox.rows.app_care import AppBackground, DefaultApp
from device.sandbox.rows.apps import App
from device.sandbox.rows.display_sound import Display, SoundSettings
from device.sandbox.rows.network import Radios, set_airplane_mode
from device.sandbox.rows.surroundings import BluetoothDevice, WifiNetwork
from device.sandbox.rows.system_setup import LocationServices
from device.sandbox.rows.typing_input import Navigation

STREAMS = {0: "call", 2: "ring", 3: "media", 4: "alarm", 5: "notification"}
"""AudioManager's numbers."""
Service = Callable[[Call, list[str]], "int | Awaitable[int]"]


@command("cmd", source="frameworks/native/cmds/cmd/cmd.cpp", android="9-15; services as they say")
async def cmd(call: Call) -> int:
    """`cmd [-l] SERVICE ...`."""
    if call.arg(0) == "-l":
        call.line("Currently running services:\n" + "\n".join(f"  {name}" for name in sorted(_SERVICES)))
        return 0
    since, service = _SERVICES.get(call.arg(0), (0, None))
    if service is None or call.phone.profile.sdk < since:
        call.err(f"cmd: Can't find service: {call.arg(0)}")
        return 20
    result = service(call, call.args[1:])
    return result if isinstance(result, int) else await result


def _unknown(call: Call, verb: str) -> int:
    call.err(f"Unknown command: {verb}" if verb else "No shell command implementation.")
    return 255


def _connectivity(call: Call, args: list[str]) -> int:
    """`airplane-mode [enable|disable]`; Android 11."""
    if args[:1] != ["airplane-mode"]:
        return _unknown(call, " ".join(args[:1]))
    if len(args) == 1:
        call.line("enabled" if call.phone.sandbox.one(Radios).airplane_mode else "disabled")
    elif args[1] in ("enable", "disable"):
        set_airplane_mode(call.phone.sandbox, args[1] == "enable")
    else:
        return _unknown(call, args[1])
    return 0


def _wifi(call: Call, args: list[str]) -> int:
    """status, list-networks, connect-network, forget-network, set-wifi-enabled; Android 11."""
    phone, verb = call.phone.sandbox, args[0] if args else ""
    radios, saved = phone.one(Radios), [row for row in phone.table(WifiNetwork).all() if row.saved]
    if verb == "status":
        call.line(f"Wifi is {'enabled' if radios.wifi else 'disabled'}")
        if radios.wifi:
            call.line("Wifi scanning is always available")
            joined = radios.wifi_network
            call.line(f'Wifi is connected to "{joined}"' if joined else "Wifi is not connected")
    elif verb == "set-wifi-enabled" and args[1:]:
        from device.handset.screens.tiles import set_wifi

        set_wifi(phone, args[1] == "enabled")
    elif verb == "list-networks":
        call.line("Network Id      SSID                         Security type" if saved else "No networks")
        for number, row in enumerate(saved):
            call.line(f"{number:<16}{row.name:<29}{'wpa2-psk' if row.secured else 'open'}")
    elif verb == "list-scan-results":
        call.line(
            "    BSSID              Frequency      RSSI           Age(sec)     SSID                 "
            "                Flags"
        )
        for number, row in enumerate(phone.table(WifiNetwork).all()):
            flags = "[WPA2-PSK-CCMP][ESS]" if row.secured else "[ESS]"
            call.line(f"  02:00:00:00:00:{number:02x}    2437    -55(0:-55/1:-58)     1.2    {row.name:<32}    {flags}")
    elif verb in ("connect-network", "add-network") and len(args) >= 3:
        return _join(call, args[1], args[3] if len(args) > 3 else "", connect=verb == "connect-network")
    elif verb == "forget-network" and args[1:] and args[1].isdigit() and int(args[1]) < len(saved):
        row = saved[int(args[1])]
        phone.table(WifiNetwork).update(row, saved=False)
        if radios.wifi_network == row.name:
            phone.change(Radios, wifi_network="")
        call.line("Forget successful")
    else:
        return _unknown(call, verb)
    return 0


def _join(call: Call, ssid: str, secret: str, connect: bool) -> int:
    phone = call.phone.sandbox
    row = phone.table(WifiNetwork).get(ssid)
    if row is None or not phone.one(Radios).wifi:
        call.line("Connection failed with reason: -1")
        return 255
    if row.secured and not row.saved and len(secret) < 8:
        call.line("Connection failed with reason: 2")
        return 255
    phone.table(WifiNetwork).update(row, saved=True)
    if connect:
        phone.change(Radios, wifi_network=ssid)
    call.line("Connection initiated")
    return 0


def _bluetooth(call: Call, args: list[str]) -> int:
    """enable, disable; Android 13."""
    if args[:1] not in (["enable"], ["disable"]):
        return _unknown(call, " ".join(args[:1]))
    call.phone.sandbox.change(Radios, bluetooth=args[0] == "enable")
    if args[0] == "disable":
        table = call.phone.sandbox.table(BluetoothDevice)
        for row in table.all():
            if row.connected:
                table.update(row, connected=False)
    call.line(f"{args[0]}: Success")
    return 0


def _location(call: Call, args: list[str]) -> int:
    """set-location-enabled, is-location-enabled; Android 11."""
    if args[:1] == ["set-location-enabled"] and args[1:]:
        call.phone.sandbox.change(LocationServices, enabled=args[1] == "true")
    elif args[:1] == ["is-location-enabled"]:
        call.line("true" if call.phone.sandbox.one(LocationServices).enabled else "false")
    else:
        return _unknown(call, " ".join(args[:1]))
    return 0


def _uimode(call: Call, args: list[str]) -> int:
    """`night [yes|no|auto]`; Android 10."""
    if args[:1] != ["night"] or (args[1:] and args[1] not in ("yes", "no", "auto")):
        return _unknown(call, " ".join(args[:1]))
    if args[1:]:
        call.phone.sandbox.change(Display, dark_mode=args[1] == "yes")
    call.line(f"Night mode: {'yes' if call.phone.sandbox.one(Display).dark_mode else 'no'}")
    return 0


def _notification(call: Call, args: list[str]) -> int:
    """set_dnd, post, list; Android 11."""
    from device.sandbox.rows.notifications import Notification

    phone, verb = call.phone.sandbox, args[0] if args else ""
    if verb == "set_dnd" and args[1:] and args[1] in ("on", "off", "none", "priority", "alarms", "all"):
        on = args[1] not in ("off", "all")
        phone.change(SoundSettings, dnd=on, **({} if on else {"dnd_until": ""}))
    elif verb == "post":
        posted = phone.now.isoformat(timespec="minutes")
        phone.table(Notification).insert(Notification(phone.new_id("notification"), "Shell", args[-1], posted))
        call.line("posting:\n  Notification(channel=shell_cmd)")
    elif verb == "list":
        from device.handset.shell.dumpsys_apps import notification_keys

        for key, _ in notification_keys(call.phone):
            call.line(key)
    else:
        return _unknown(call, verb)
    return 0


def _power(call: Call, args: list[str]) -> int:
    """`set-mode 0|1`; Android 9."""
    if args[:1] != ["set-mode"] or args[1:2] not in (["0"], ["1"]):
        return _unknown(call, " ".join(args[:1]))
    set_power_saving(call.phone.sandbox, args[1] == "1")
    return 0


def _media(call: Call, args: list[str]) -> int:
    """dispatch, volume; Android 9."""
    verb = args[0] if args else ""
    if verb == "dispatch" and args[1:]:
        media_key(call.phone.sandbox, f"MEDIA_{args[1].upper().replace('-', '_')}")
        return 0
    if verb != "volume":
        return _unknown(call, verb)
    number = int(args[args.index("--stream") + 1]) if "--stream" in args[:-1] else 3
    stream = STREAMS.get(number)
    if stream is None:
        call.err(f"Error: Invalid stream: {number}")
        return 255
    call.line(f"[V] will control stream={number} (STREAM_{_JAVA[stream]})")
    if "--set" in args[:-1]:
        set_volume(call.phone, stream, int(args[args.index("--set") + 1]))
        call.line(f"[V] will set volume to index={args[args.index('--set') + 1]}")
    if "--adj" in args[:-1]:
        turn(call.phone, stream, {"raise": 1, "lower": -1}[args[args.index("--adj") + 1]])
    if "--get" in args:
        index, top = volume_index(call.phone, stream)
        call.line(f"[V] volume is {index} in range [{0 if stream in ('media', 'ring', 'notification') else 1}..{top}]")
    return 0


_JAVA = {"media": "MUSIC", "ring": "RING", "notification": "NOTIFICATION", "alarm": "ALARM", "call": "VOICE_CALL"}
_RINGER = {"NORMAL": "ring", "VIBRATE": "vibrate", "SILENT": "silent"}


def _audio(call: Call, args: list[str]) -> int:
    """set-ringer-mode, get-ringer-mode; set-volume and adj; Android 12."""
    phone, verb = call.phone.sandbox, args[0] if args else ""
    if verb == "set-ringer-mode" and args[1:] and args[1].upper() in _RINGER:
        phone.change(SoundSettings, mode=_RINGER[args[1].upper()])
        call.line(f"Ringer mode set to {args[1].upper()}")
    elif verb == "get-ringer-mode":
        mode = phone.one(SoundSettings).mode
        call.line(f"Ringer mode: {next(name for name, own in _RINGER.items() if own == mode)}")
    elif verb == "set-volume" and len(args) > 2 and int(args[1]) in STREAMS:
        set_volume(call.phone, STREAMS[int(args[1])], int(args[2]))
    else:
        return _unknown(call, verb)
    return 0


_NAVBAR = "com.android.internal.systemui.navbar."


def _overlay(call: Call, args: list[str]) -> int:
    """enable-exclusive, list: which navigation bar is used; Android 10."""
    verb, name = (args[0], args[-1]) if args else ("", "")
    modes = {"gestural": "gestures", "threebutton": "buttons"}
    if verb in ("enable-exclusive", "enable") and name.removeprefix(_NAVBAR) in modes:
        call.phone.sandbox.change(Navigation, mode=modes[name.removeprefix(_NAVBAR)])
        return 0
    if verb == "list":
        now = call.phone.sandbox.one(Navigation).mode
        for part, mode in modes.items():
            call.line(f"[{'x' if mode == now else ' '}] {_NAVBAR}{part}")
        return 0
    return _unknown(call, verb)


_ROLES = {"BROWSER": "browser", "SMS": "messages", "GALLERY": "gallery", "EMAIL": "email", "MUSIC": "music"}
_FIXED_ROLES = {"DIALER": "com.google.android.dialer", "HOME": "com.google.android.apps.nexuslauncher"}


def _role(call: Call, args: list[str]) -> int:
    """get-role-holders, add-role-holder; Android 10."""
    while "--user" in args:
        place = args.index("--user")
        args = args[:place] + args[place + 2 :]
    verb, name = (args[0] if args else ""), (args[1] if args[1:] else "").removeprefix("android.app.role.")
    own, table = _ROLES.get(name, ""), call.phone.sandbox.table(DefaultApp)
    if verb == "get-role-holders":
        row = table.get(own) if own else None
        package = call.phone.packages.of_app(row.app) if row is not None else None
        holder = package.name if package is not None else _FIXED_ROLES.get(name, "")
        if holder:
            call.line(holder)
        return 0
    package = call.phone.packages.find(args[2]) if args[2:] else None
    if verb != "add-role-holder" or not own or package is None or table.get(own) is None:
        call.err("Error: see logcat for details.")
        return 255
    table.update(own, app=package.label)
    return 0


def _appops(call: Call, args: list[str]) -> int:
    """get and set of RUN_ANY_IN_BACKGROUND and POST_NOTIFICATION; Android 9."""
    while "--user" in args:
        place = args.index("--user")
        args = args[:place] + args[place + 2 :]
    verb, name, op = [*args, "", "", ""][:3]
    package = call.phone.packages.find(name)
    if verb not in ("get", "set") or package is None or package.app is None:
        call.err(f"Error: No UID for {name} in user 0")
        return 255
    phone, app = call.phone.sandbox, package.app
    background = phone.table(AppBackground)
    row = background.get(app.name)
    ignored = (row is not None and row.restricted) if op == "RUN_ANY_IN_BACKGROUND" else not app.notifications
    if op not in ("RUN_ANY_IN_BACKGROUND", "POST_NOTIFICATION"):
        call.err(f"Error: Unknown operation string: {op}")
        return 255
    if verb == "get":
        call.line(f"{op}: ignore" if ignored else "No operations.\nDefault mode: allow")
        return 0
    deny = args[3:4] in (["ignore"], ["deny"])
    if op == "POST_NOTIFICATION":
        phone.table(App).update(app, notifications=not deny)
    elif row is not None:
        background.update(row, restricted=deny)
    else:
        background.insert(AppBackground(app.name, deny))
    return 0


def _statusbar(call: Call, args: list[str]) -> int:
    """expand-notifications, expand-settings, collapse; Android 7."""
    shades = {"expand-notifications": "notifications", "expand-settings": "quick", "collapse": ""}
    if args[:1] == [] or args[0] not in shades:
        return _unknown(call, " ".join(args[:1]))
    call.phone.ui.shade = shades[args[0]]
    return 0


def _clipboard(call: Call, args: list[str]) -> int:
    """Android has no shell command of the clipboard."""
    call.line("No shell command implementation.")
    return 255


_SERVICES: dict[str, tuple[int, Service]] = {
    "activity": (28, activity_command),
    "appops": (28, _appops),
    "audio": (31, _audio),
    "bluetooth_manager": (33, _bluetooth),
    "clipboard": (28, _clipboard),
    "connectivity": (30, _connectivity),
    "location": (30, _location),
    "media_session": (28, _media),
    "notification": (30, _notification),
    "overlay": (29, _overlay),
    "package": (28, package_command),
    "power": (28, _power),
    "role": (29, _role),
    "statusbar": (28, _statusbar),
    "uimode": (29, _uimode),
    "wifi": (30, _wifi),
    "window": (28, window_command),
}
"""Service: API level from which its shell command is there, and the command."""


@command("appops", source="frameworks/base/cmds/appops/appops", android="9-15")
def appops(call: Call) -> int:
    """The same as `cmd appops`."""
    return _appops(call, call.args)


@command("media", source="frameworks/base/cmds/media/media", android="9-15")
def media(call: Call) -> int:
    """The same as `cmd media_session`."""
    return _media(call, call.args)
