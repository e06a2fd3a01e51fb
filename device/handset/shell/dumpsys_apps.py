"""`dumpsys` of services about apps: packages, notifications, alarms, media, telephony, location, NFC, audio.

After `pm/Settings.java` (dumpPackageLPr), `notification/NotificationRecord.java`, `alarm/AlarmManagerService.java`,
`media/MediaSessionRecord.java`, `TelephonyRegistry.java`, `location/LocationManagerService.java`,
`audio/AudioService.java` of `frameworks/base/services`, and `NfcService.java` of the NFC module (Android 12 to 15).
"""

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from device.handset.shell.keys import volume_index
from device.handset.shell.registry import Call
from device.handset.state.media import playing
from device.handset.state.packages import RUNTIME_PERMISSIONS, Package
from device.sandbox.rows.display_sound import SoundSettings
from device.sandbox.rows.network import Radios
from device.sandbox.rows.notifications import Notification
from device.sandbox.rows.system_setup import LocationServices
from device.sandbox.rows.time_management import Alarm
from device.sandbox.rows.travel import Position

if TYPE_CHECKING:
    from device.handset.handset import Handset

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def package(call: Call, args: list[str]) -> None:
    """One package, or every one."""
    names = [arg for arg in args if not arg.startswith("-")]
    found = [call.phone.packages.find(names[0])] if names else list(call.phone.packages.all())
    if found == [None]:
        call.line(f"Unable to find package: {names[0]}")
        return
    call.line("Packages:")
    for row in found:
        if row is not None:
            _package(call, row)


def _package(call: Call, row: Package) -> None:
    flags = "SYSTEM HAS_CODE ALLOW_BACKUP" if row.system else "HAS_CODE ALLOW_CLEAR_USER_DATA ALLOW_BACKUP"
    call.line(
        f"  Package [{row.name}] ({row.uid:07x}):\n"
        f"    userId={row.uid}\n"
        f"    codePath={row.code_path.rpartition('/')[0]}\n"
        f"    versionCode={row.version_code} minSdk=26 targetSdk=34\n"
        f"    versionName={row.version_name}\n"
        f"    pkgFlags=[ {flags} ]\n"
        "    firstInstallTime=2026-01-05 10:00:00\n"
        "    lastUpdateTime=2026-02-20 10:00:00\n"
        "    signatures=PackageSignatures{1f2e3d4 version:3, signatures:[5c6b7a80], past signatures:[]}\n"
        "    User 0: ceDataInode=131 installed=true hidden=false suspended=false stopped=false "
        f"enabled={3 if row.name in call.phone.packages.disabled else 0}\n"
        "      runtime permissions:"
    )
    for own, names in RUNTIME_PERMISSIONS.items():
        for name in names:
            granted = row.app is not None and own in row.app.permissions
            call.line(f"        {name}: granted={str(granted).lower()}, flags=[ USER_SET|USER_SENSITIVE_WHEN_GRANTED]")


def notification_keys(phone: "Handset") -> list[tuple[str, Notification]]:
    """Each notification with the key that Android would give it."""
    found = []
    for row in phone.sandbox.table(Notification).all():
        owner = phone.packages.of_app(row.app)
        name, uid = (owner.name, owner.uid) if owner is not None else ("com.android.shell", 2000)
        found.append((f"0|{name}|{row.id.rpartition('_')[2].lstrip('0') or 0}|null|{uid}", row))
    return found


def notification(call: Call, args: list[str]) -> None:
    """The list; texts only with `--noredact`."""
    call.line("Current Notification Manager state:\n  Notification List:")
    for key, row in notification_keys(call.phone):
        _, name, ident, _, uid = key.split("|")
        title, text = (row.app, row.text) if "--noredact" in args else ("...", "...")
        call.line(
            f"    NotificationRecord(0x{int(uid):08x}: pkg={name} user=UserHandle{{0}} id={ident} tag=null "
            f"importance=3 key={key}: Notification(channel=default shortcut=null contentView=null vibrate=null "
            "sound=null "
            "defaults=0x0 flags=0x0 "
            f"color=0x00000000 vis=PRIVATE))\n      uid={uid} userId=0\n      key={key}\n      extras={{\n"
            f"          android.title=String ({title})\n          android.text=String ({text})\n      }}\n"
            f"      mPostTime={row.posted}"
        )
    call.line(
        f"  mZenMode=ZEN_MODE_{'IMPORTANT_INTERRUPTIONS' if call.phone.sandbox.one(SoundSettings).dnd else 'OFF'}"
    )


def next_ring(now: datetime, alarm: Alarm) -> datetime | None:
    """When an alarm rings next; None where it has rung."""
    at = datetime.fromisoformat(f"{alarm.date}T{alarm.time}")
    if not alarm.repeat:
        return at if at > now else None
    days = re.search(r"BYDAY=([A-Z,]+)", alarm.repeat)
    for ahead in range(400):
        day = at + timedelta(days=ahead)
        fits = days is None or _DAYS[day.weekday()] in days[1].split(",")
        if alarm.repeat.startswith("FREQ=WEEKLY") and days is None:
            fits = day.weekday() == at.weekday()
        if day > now and fits:
            return day
    return None


def alarm(call: Call, args: list[str]) -> None:
    """Those of the clock app."""
    call.line("Current Alarm Manager state:\n  Pending alarm batches:")
    sandbox = call.phone.sandbox
    rings = sorted(ring for row in sandbox.table(Alarm).all() if (ring := next_ring(sandbox.now, row)) is not None)
    for ring in rings:
        call.line(
            f"    RTC_WAKEUP #0: Alarm{{0 type 0 origWhen {int(ring.timestamp())}000 com.google.android.deskclock}}\n"
            "      Alarm clock:\n"
            f"        triggerTime={ring:%Y-%m-%d %H:%M}:00.000\n"
            f"        showIntent=PendingIntent{{}}"
        )
    if rings:
        call.line(f"  Next alarm clock information:\n    user:0 {rings[0]:%Y-%m-%d %H:%M}:00.000")


_STATES = {"idle": "NONE(0)", "playing": "PLAYING(3)", "paused": "PAUSED(2)"}


def media_session(call: Call, args: list[str]) -> None:
    """The session of whoever plays."""
    player, at = playing(call.phone.sandbox)
    call.line(
        "MEDIA SESSION SERVICE (dumpsys media_session)\n\n  Sessions Stack - have 1 sessions:"
        if player.kind
        else "MEDIA SESSION SERVICE (dumpsys media_session)\n\n  Sessions Stack - have 0 sessions:"
    )
    if not player.kind:
        return
    owner = call.phone.packages.of_app("Spotify") if player.kind == "music" else None
    name = owner.name if owner is not None else "com.google.android.apps.photos"
    described = ", ".join(part or "null" for part in (player.title, player.artist, player.album))
    call.line(
        f"    Session {name}/MediaSession (userId=0)\n"
        f"      package={name}\n"
        f"      active={str(player.state != 'idle').lower()}\n"
        f"      state=PlaybackState {{state={_STATES[player.state]}, position={at * 1000}, buffered position=0, "
        f"speed=1.0, updated=0, actions=3895, custom actions=[], active item id=-1, error=null}}\n"
        f"      metadata: size=3, description={described}"
    )


def telephony(call: Call, args: list[str]) -> None:
    """The state of calls."""
    in_call = any(route.name == "phone/calling" for route in call.phone.ui.stack)
    call.line(
        "last known state:\n"
        "  Phone Id=0\n"
        f"    mCallState={2 if in_call else 0}\n"
        f"    mDataConnectionState={2 if call.phone.sandbox.one(Radios).mobile_data else 0}"
    )


def location(call: Call, args: list[str]) -> None:
    """Where the phone is, while apps may know it."""
    enabled = call.phone.sandbox.one(LocationServices).enabled
    row = call.phone.sandbox.one(Position)
    call.line(f"Location Manager State:\n  Location Setting: {str(enabled).lower()}\n  gps provider:")
    if enabled:
        call.line(
            f"    last location=Location[gps {row.latitude:.6f},{row.longitude:.6f} hAcc=10.0 et=+3d2h11m0s alt=1655.0]"
        )


def nfc(call: Call, args: list[str]) -> None:
    """On or off."""
    call.line(f"mState={'on' if call.phone.sandbox.one(Radios).nfc else 'off'}")


def audio(call: Call, args: list[str]) -> None:
    """Ringer and volumes."""
    mode = {"ring": "NORMAL", "vibrate": "VIBRATE", "silent": "SILENT"}[call.phone.sandbox.one(SoundSettings).mode]
    call.line(f"Ringer mode: \n- mode (internal) = {mode}\n- mode (external) = {mode}\nStream volumes (device: index)")
    for stream, name in (
        ("call", "VOICE_CALL"),
        ("ring", "RING"),
        ("media", "MUSIC"),
        ("alarm", "ALARM"),
        ("notification", "NOTIFICATION"),
    ):
        index, top = volume_index(call.phone, stream)
        call.line(
            f"- STREAM_{name}:\n   Muted: {str(index == 0).lower()}\n   Min: 0\n   Max: {top}\n   streamVolume:{index}"
        )


def wifi(call: Call, args: list[str]) -> None:
    """What `WifiService.dump` says first."""
    radios = call.phone.sandbox.one(Radios)
    call.line(f"Wi-Fi is {'enabled' if radios.wifi else 'disabled'}")
    if radios.wifi_network:
        call.line(f'mWifiInfo SSID: "{radios.wifi_network}", BSSID: 02:00:00:00:00:00, Supplicant state: COMPLETED')


def accessibility(call: Call, args: list[str]) -> None:
    """Services that are on, and who holds the UiAutomation slot."""
    services = call.phone.settings.get("secure", "enabled_accessibility_services") or ""
    held = call.phone.agent.running or call.phone.faults.active("slot_held")
    call.line(
        "ACCESSIBILITY MANAGER (dumpsys accessibility)\n"
        "\n"
        "User state[\n"
        f"     Enabled services:{{{services}}}\n"
        f"     Ui Automation[{'eventTypes=TYPES_ALL_MASK, notificationTimeout=0' if held else ''}]]"
    )


def surface_flinger(call: Call, args: list[str]) -> None:
    """`--display-id`."""
    call.line('Display 4619827259835644672 (HWC display 0): port=0 pnpId=QCM displayName="pocket"')
    if call.phone.faults.active("fold"):
        call.line('Display 4619827259835644673 (HWC display 1): port=1 pnpId=QCM displayName="pocket cover"')
