"""The settings app; its pages are named as on a Pixel (Android 13 to 15)."""

from functools import partial
from typing import Any

from device.handset.screens.layout import Action, Page
from device.handset.screens.registry import screen
from device.handset.screens.tiles import set_power_saving, set_wifi
from device.sandbox.rows.apps import App
from device.sandbox.rows.connections import Roaming
from device.sandbox.rows.display_sound import Display, SoundSettings, Volume
from device.sandbox.rows.network import Radios, set_airplane_mode
from device.sandbox.rows.screen_settings import Magnifier, Panel
from device.sandbox.rows.security import Locks
from device.sandbox.rows.surroundings import BluetoothDevice, WifiNetwork
from device.sandbox.rows.system_settings import Battery, Device, Region, StatusBar, SystemUpdate, Talkback
from device.sandbox.rows.system_setup import ClockSettings, ColorCorrection, DeveloperOptions, LocationServices

_PAGES = (
    ("Network & internet", "Mobile, Wi-Fi, hotspot", "settings/network"),
    ("Connected devices", "Bluetooth, pairing", "settings/bluetooth"),
    ("Apps", "Recent apps, default apps", "settings/apps"),
    ("Battery", "", "settings/battery"),
    ("Sound & vibration", "Volume, haptics, Do Not Disturb", "settings/sound"),
    ("Display & touch", "Dark theme, font size, touch", "settings/display"),
    ("Security & privacy", "App security, device lock", "settings/security"),
    ("Location", "", "settings/location"),
    ("Accessibility", "Display, interaction, audio", "settings/accessibility"),
    ("Date & time", "", "settings/date"),
    ("System", "Languages, gestures, developer options", "settings/developer"),
    ("About phone", "", "settings/about"),
)


@screen("settings/main", app="Settings")
def main(page: Page) -> None:
    """Where everything begins."""
    page.bar("Settings", up=False)
    page.edit("search", "Search Settings", rid="search_action_bar_title")
    wanted = page.field("search").casefold()
    for title, summary, target in _PAGES:
        if wanted in title.casefold() or wanted in summary.casefold():
            page.item(title, summary, page.go(target))


def _flip(page: Page, cls: type[Any], column: str) -> Action:
    return lambda: page.phone.change(cls, **{column: not getattr(page.phone.one(cls), column)})


def _switch(page: Page, title: str, cls: type[Any], column: str, summary: str = "") -> None:
    page.switch(title, getattr(page.phone.one(cls), column), _flip(page, cls, column), summary)


def _set(page: Page, cls: type[Any], **columns: Any) -> Action:
    return lambda: page.phone.change(cls, **columns)


@screen("settings/network", app="Settings", activity=".SubSettings")
def network(page: Page) -> None:
    """Radios."""
    radios = page.phone.one(Radios)
    page.bar("Network & internet")
    page.item("Internet", radios.wifi_network or "Disconnected", page.go("settings/wifi"))
    page.switch("Airplane mode", radios.airplane_mode, lambda: set_airplane_mode(page.phone, not radios.airplane_mode))
    _switch(page, "Mobile data", Radios, "mobile_data")
    _switch(page, "Roaming", Roaming, "enabled")
    _switch(page, "Wi-Fi hotspot", Radios, "hotspot", radios.hotspot_name)
    _switch(page, "NFC", Radios, "nfc")


@screen("settings/wifi", app="Settings", activity=".SubSettings")
def wifi(page: Page) -> None:
    """Networks in reach."""
    radios = page.phone.one(Radios)
    page.bar("Internet")
    page.switch("Wi-Fi", radios.wifi, lambda: set_wifi(page.phone, not radios.wifi))
    if not radios.wifi:
        page.text("To see available networks, turn Wi-Fi on")
        return
    for row in page.phone.table(WifiNetwork).all():
        joined = row.name == radios.wifi_network
        state = "Connected" if joined else "Saved" if row.saved else "Secured" if row.secured else "Open"
        target = page.go("settings/wifi_password", name=row.name)
        join = _set(page, Radios, wifi_network=row.name)
        page.item(row.name, state, None if joined else join if row.saved or not row.secured else target)


@screen("settings/wifi_password", app="Settings")
def wifi_password(page: Page) -> None:
    """A secured network asks for its password."""
    page.dialog()
    name = page.route.args["name"]
    page.text(name, rid="android:id/alertTitle", heading=True)
    page.edit("password", "Password", password=True)

    def connect() -> None:
        if len(page.field("password")) < 8:
            page.ui.say("The password is too short")
            return
        page.phone.table(WifiNetwork).update(name, saved=True)
        page.phone.change(Radios, wifi_network=name)
        page.ui.back()

    page.buttons(("Cancel", page.ui.back), ("Connect", connect), rids=("android:id/button2", "android:id/button1"))


@screen("settings/bluetooth", app="Settings", activity=".SubSettings")
def bluetooth(page: Page) -> None:
    """Paired devices and those in reach."""
    page.bar("Connected devices")
    _switch(page, "Use Bluetooth", Radios, "bluetooth")
    if not page.phone.one(Radios).bluetooth:
        return
    table = page.phone.table(BluetoothDevice)
    for row in table.all():
        state = "Connected" if row.connected else "Saved" if row.paired else "Available to pair"
        change = {"connected": not row.connected} if row.paired else {"paired": True}
        page.item(row.name, state, partial(table.update, row, **change))


@screen("settings/display", app="Settings", activity=".SubSettings")
def display(page: Page) -> None:
    """Brightness and looks."""
    row = page.phone.one(Display)
    page.bar("Display & touch")
    page.slider("Brightness level", row.brightness, lambda percent: page.phone.change(Display, brightness=percent))
    _switch(page, "Dark theme", Display, "dark_mode")
    _switch(page, "Night Light", Display, "eye_comfort")
    _switch(page, "Auto-rotate screen", Display, "auto_rotate")
    page.item("Font size", row.font_size.capitalize(), page.go("settings/font"))
    page.item("Screen timeout", f"{page.phone.one(Panel).timeout_s} seconds", page.go("settings/timeout"))


@screen("settings/font", app="Settings", activity=".SubSettings")
def font(page: Page) -> None:
    """Four sizes."""
    page.bar("Font size")
    for size in ("small", "medium", "large", "huge"):
        page.choice(size.capitalize(), page.phone.one(Display).font_size == size, _set(page, Display, font_size=size))


@screen("settings/timeout", app="Settings", activity=".SubSettings")
def timeout(page: Page) -> None:
    """When the screen goes dark."""
    page.bar("Screen timeout")
    for seconds in (15, 30, 60, 120, 300, 600, 1800):
        label = f"{seconds} seconds" if seconds < 60 else f"{seconds // 60} minute{'s' if seconds > 60 else ''}"
        page.choice(label, page.phone.one(Panel).timeout_s == seconds, _set(page, Panel, timeout_s=seconds))


def _turn(page: Page, stream: str, percent: int) -> None:
    page.phone.table(Volume).update(stream, percent=percent, muted=False)


@screen("settings/sound", app="Settings", activity=".SubSettings")
def sound(page: Page) -> None:
    """Volumes, ringer, do not disturb."""
    page.bar("Sound & vibration")
    table = page.phone.table(Volume)
    for stream, title in (("media", "Media volume"), ("call", "Call volume"), ("ring", "Ring volume"),
                          ("notification", "Notification volume"), ("alarm", "Alarm volume")):  # fmt: skip
        shown = table.need(stream)
        page.slider(
            title,
            0 if shown.muted else shown.percent,
            partial(_turn, page, stream),
        )
    _switch(page, "Do Not Disturb", SoundSettings, "dnd")
    for mode, label in (("ring", "Ring"), ("vibrate", "Vibrate"), ("silent", "Silent")):
        page.choice(label, page.phone.one(SoundSettings).mode == mode, _set(page, SoundSettings, mode=mode))


@screen("settings/battery", app="Settings", activity=".SubSettings")
def battery(page: Page) -> None:
    """Level and saver."""
    row = page.phone.one(Battery)
    page.bar("Battery")
    page.text(f"{row.level}%{', charging' if row.charging else ''}")
    page.switch("Battery Saver", row.mode != "normal", lambda: set_power_saving(page.phone, row.mode == "normal"))
    _switch(page, "Battery percentage", StatusBar, "battery_percent")


@screen("settings/location", app="Settings", activity=".SubSettings")
def location(page: Page) -> None:
    """Whether apps get the position."""
    page.bar("Location")
    _switch(page, "Use location", LocationServices, "enabled")


@screen("settings/date", app="Settings", activity=".SubSettings")
def date(page: Page) -> None:
    """Clock."""
    row = page.phone.one(ClockSettings)
    page.bar("Date & time")
    automatic = row.auto_time_zone == "on"
    page.switch(
        "Set time zone automatically", automatic, _set(page, ClockSettings, auto_time_zone="off" if automatic else "on")
    )
    page.item("Time zone", page.phone.one(Region).timezone)
    long = row.hour_format == "24h"
    page.switch("Use 24-hour format", long, _set(page, ClockSettings, hour_format="12h" if long else "24h"))


@screen("settings/accessibility", app="Settings", activity=".SubSettings")
def accessibility(page: Page) -> None:
    """Aids."""
    page.bar("Accessibility")
    _switch(page, "TalkBack", Talkback, "enabled")
    _switch(page, "Magnification", Magnifier, "enabled")
    _switch(page, "Color correction", ColorCorrection, "enabled")


@screen("settings/security", app="Settings", activity=".SubSettings")
def security(page: Page) -> None:
    """Locks; nobody can take a picture of this page."""
    page.bar("Security & privacy")
    page.secure = True
    page.item("Screen lock", page.phone.one(Locks).screen_lock.capitalize())
    _switch(page, "Fingerprint Unlock", Locks, "fingerprint")
    _switch(page, "Face Unlock", Locks, "face")


@screen("settings/developer", app="Settings", activity=".SubSettings")
def developer(page: Page) -> None:
    """Developer options."""
    page.bar("System")
    _switch(page, "Stay awake", DeveloperOptions, "stay_awake")
    _switch(page, "Show taps", DeveloperOptions, "show_touches")
    _switch(page, "Remove animations", DeveloperOptions, "no_animations")


@screen("settings/about", app="Settings", activity=".SubSettings")
def about(page: Page) -> None:
    """What the phone is."""
    row = page.phone.one(Device)
    page.bar("About phone")
    page.item("Device name", row.name, page.go("settings/name"))
    page.item("Model", row.model)
    page.item("Android version", page.ui.phone.profile.release)
    page.item("System update", page.phone.one(SystemUpdate).version)


@screen("settings/name", app="Settings")
def name(page: Page) -> None:
    """Change the phone's name."""
    page.dialog()
    page.text("Device name", rid="android:id/alertTitle", heading=True)
    page.edit("name", "Device name", page.phone.one(Device).name, rid="android:id/edit")

    def save() -> None:
        if page.field("name").strip():
            page.phone.change(Device, name=page.field("name").strip())
        page.ui.back()

    page.buttons(("Cancel", page.ui.back), ("OK", save), rids=("android:id/button2", "android:id/button1"))


@screen("settings/apps", app="Settings", activity=".SubSettings")
def apps(page: Page) -> None:
    """Installed apps."""
    page.bar("Apps")
    for row in sorted(page.phone.table(App).all(), key=lambda app: app.name):
        if row.installed:
            page.item(row.name, f"{row.size_mb} MB", page.go("settings/app", name=row.name))


@screen("settings/app", app="Settings", activity=".applications.InstalledAppDetails")
def app(page: Page) -> None:
    """One app: open, force stop, notifications, permissions."""
    table = page.phone.table(App)
    row = table.need(page.route.args["name"])
    page.bar("App info")
    page.text(row.name, rid="entity_header_title", heading=True)
    page.buttons(("Open", lambda: page.ui.launch(row.name)), ("Force stop", lambda: page.ui.close_app(row.name)))
    page.switch("Notifications", row.notifications, lambda: table.update(row.name, notifications=not row.notifications))
    for permission in ("camera", "contacts", "location", "microphone", "storage"):
        has = permission in row.permissions
        left = tuple(sorted(set(row.permissions) ^ {permission}))
        page.switch(f"{permission.capitalize()} permission", has, partial(table.update, row.name, permissions=left))
    if not row.system:
        page.buttons(("Uninstall", page.go("dialog/uninstall", name=row.name)))
