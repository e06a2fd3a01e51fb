"""Apps: opened, closed, installed, removed; what each may do; what each says in the shade; game mode."""

import re
from typing import Literal

from device.sandbox.api import Domain, Effect, Json, OnOff, Sandbox, Text, bad_argument, conflict, not_found, tool
from device.sandbox.rows.apps import App
from device.sandbox.rows.controls import Screen
from device.sandbox.rows.notifications import GameManager, Notification
from device.sandbox.rows.system_settings import Battery
from device.sandbox.tools.apps_files import usage
from device.sandbox.tools.finding import named, only, wants_all
from device.sandbox.tools.lookup import need_online

ALIASES = {
    "insta": "Instagram", "maps": "Google Maps", "yt": "YouTube", "fb": "Facebook", "photos": "Gallery",
    "mail": "Gmail", "email": "Gmail", "texts": "Messages", "store": "App Store", "play store": "App Store",
    "x": "Twitter", "web browser": "Browser", "internet": "Browser", "file manager": "Files", "dialer": "Phone",
}  # fmt: skip
"""What people call some apps, used where no app has the name itself."""


def find_app(phone: Sandbox, said: str) -> App:
    """The installed app that is meant; 404 otherwise, with the tool that installs it where there is one."""
    return _only_app([app for app in phone.table(App).all() if app.installed], phone, said)


def _only_app(rows: list[App], phone: Sandbox, said: str) -> App:
    found = _named(rows, said)
    if not found and _named(offered := [app for app in phone.table(App).all() if not app.installed], said):
        name = _named(offered, said)[0].name
        raise not_found(f"`{name}` is not installed; install it with `install_app` first", appName=name)
    return only(found, "app", f"`{said}`", lambda app: app.name, "say the name of an app on this phone")


def _named(rows: list[App], said: str) -> list[App]:
    found = named(rows, said, lambda app: app.name, "app")
    alias = ALIASES.get(re.sub(r"^(?:the |my )|(?: app)$", "", said.casefold()))
    return found or [app for app in rows if app.name == alias]


@tool(
    Domain.APPS,
    phrases=(
        "open Spotify",
        "launch the camera",
        "bring up WhatsApp",
        "start Google Maps please",
        "go to settings",
        "bring Telegram to the front",
        "I need to look something up in Slack",
    ),
)
def open_app(phone: Sandbox, appName: Text) -> Json:
    """Open an app."""
    app = find_app(phone, appName)
    if app.locked:
        raise conflict(f"`{app.name}` is locked; unlock it with `manage_app_lock` first", appName=app.name)
    phone.table(App).update(app, running=True)
    phone.change(Screen, view=app.name)
    package = "com." + re.sub(r"[^a-z0-9]", "", app.name.casefold()) + ".app"
    kind = "system" if app.system else "third_party"
    return {
        "status": "success",
        "message": f"Opened {app.name}",
        "appName": app.name,
        "package_name": package,
        "app_type": kind,
    }


@tool(
    Domain.APPS,
    phrases=(
        "close Spotify",
        "quit the browser",
        "shut down Netflix",
        "exit that game",
    ),
)
def close_app(phone: Sandbox, appName: Text) -> Json:
    """Close an app."""
    app = find_app(phone, appName)
    if not app.running:
        raise conflict(f"`{app.name}` is not running; nothing was closed", appName=app.name)
    phone.table(App).update(app, running=False)
    if phone.one(Screen).view == app.name:
        phone.change(Screen, view="home")
    return {"status": "success", "message": f"Closed {app.name}", "appName": app.name}


@tool(
    Domain.APPS,
    permission="install_apps",
    effects=Effect.INSTALL,
    phrases=(
        "get me Duolingo",
        "install Signal",
        "download the Strava app",
        "I'd like to have Zoom on this phone",
    ),
)
def install_app(phone: Sandbox, appName: Text) -> Json:
    """Install an app."""
    rows = phone.table(App).all()
    if not _named([app for app in rows if not app.installed], appName) and (
        there := _named([app for app in rows if app.installed], appName)
    ):
        raise conflict(f"`{there[0].name}` is installed already; open it with `open_app`", appName=there[0].name)
    offered = _named([app for app in rows if not app.installed], appName)
    app = only(offered, "app", f"`{appName}`", lambda row: row.name, "the store offers nothing of that name")
    need_online(phone, f"install `{app.name}`")
    free = usage(phone)["freeGb"] * 1_000
    if app.size_mb > free:
        raise conflict(f"`{app.name}` needs {app.size_mb} MB and {free:.0f} MB are free; use `clean_storage` first")
    phone.table(App).update(app, installed=True)
    return {"status": "success", "message": f"Installed {app.name}", "appName": app.name, "sizeMb": app.size_mb}


@tool(
    Domain.APPS,
    permission="install_apps",
    effects=Effect.DELETE,
    phrases=(
        "uninstall Candy Crush",
        "remove Facebook from my phone",
        "delete the Uber app",
        "I don't need Twitter any more, take it off",
    ),
)
def uninstall_app(phone: Sandbox, appName: Text) -> Json:
    """Uninstall an app."""
    app = find_app(phone, appName)
    if app.system:
        raise conflict(f"`{app.name}` is part of the system and can't be uninstalled", appName=app.name)
    clean = {"installed": False, "running": False, "locked": False, "notifications": True, "permissions": ()}
    phone.table(App).update(app, **clean)
    if phone.one(Screen).view == app.name:
        phone.change(Screen, view="home")
    return {"status": "success", "message": f"Uninstalled {app.name}", "appName": app.name, "freedMb": app.size_mb}


AppPermission = Literal["camera", "microphone", "location", "contacts", "storage", "notifications"]


@tool(
    Domain.APPS,
    permission="app_permissions",
    effects={"grant": Effect.GRANT},
    phrases=(
        "let Uber see my location",
        "don't let Facebook read my contacts",
        "which apps can use the microphone",
        "what is Instagram allowed to do",
        "allow Telegram to use the camera",
        "Strava may look at my files",
        "take the contacts permission away from that app",
        "what has Zoom access to",
    ),
)
def manage_app_permission(
    phone: Sandbox,
    action: Literal["grant", "revoke", "query"],
    appName: Text | None = None,
    permission: AppPermission | None = None,
) -> Json:
    """App permissions."""
    if action == "query":
        return _permissions(phone, appName, permission)
    for name, value in (("appName", appName), ("permission", permission)):
        if value is None:
            raise bad_argument(f"`manage_app_permission` {action} needs `{name}`", argument=name)
    app = find_app(phone, str(appName))
    had = permission in app.permissions
    kept = {name for name in app.permissions if name != permission} | (
        {str(permission)} if action == "grant" else set()
    )
    changes: Json = {"permissions": tuple(sorted(kept))}
    if permission == "notifications":
        changes["notifications"] = action == "grant"
    if had != (action == "grant"):
        phone.table(App).update(app, **changes)
    return {"appName": app.name, "permissions": list(changes["permissions"]), "changed": had != (action == "grant")}


def _permissions(phone: Sandbox, said: str | None, permission: str | None) -> Json:
    """What an app may do; without an app, who holds the permission."""
    if said is not None:
        app = find_app(phone, said)
        seen: Json = {"appName": app.name, "permissions": list(app.permissions)}
        return seen | ({"granted": permission in app.permissions} if permission else {})
    if permission is None:
        raise bad_argument("`manage_app_permission` query needs `appName` or `permission`", argument="appName")
    return {
        "permission": permission,
        "apps": [app.name for app in phone.table(App).all() if permission in app.permissions],
    }


@tool(
    Domain.APPS,
    permission="notifications",
    phrases=(
        "what notifications do I have",
        "clear all notifications",
        "stop Instagram from notifying me",
        "let Gmail notify me again",
        "dismiss the WhatsApp ones",
    ),
)
def manage_notification(
    phone: Sandbox, action: Literal["query", "clear", "enable", "disable"], appName: Text | None = None
) -> Json:
    """Notifications."""
    every = appName is None or wants_all(appName)
    if action in ("enable", "disable"):
        if every:
            raise bad_argument(f"`manage_notification` {action} needs `appName`", argument="appName")
        app = phone.table(App).update(find_app(phone, str(appName)), notifications=action == "enable")
        return {"appName": app.name, "notifications": app.notifications}
    rows = phone.table(Notification).all()
    if not every:
        name = find_app(phone, str(appName)).name
        rows = [row for row in rows if row.app == name]
    if action == "query":
        shown = [
            {"app": row.app, "text": row.text, "posted": row.posted} for row in sorted(rows, key=lambda row: row.posted)
        ]
        return {"count": len(rows), "notifications": shown[::-1]}
    if not rows:
        raise conflict("there are no notifications to clear", appName=appName or "")
    for row in rows:
        phone.table(Notification).delete(row)
    return {"cleared": len(rows)}


@tool(
    Domain.APPS,
    phrases=(
        "turn on game mode",
        "game mode off",
        "is game mode active",
        "boost the phone for gaming",
    ),
)
def manage_game_manager(phone: Sandbox, action: OnOff) -> Json:
    """Game mode."""
    if action == "enable" and phone.one(Battery).mode == "super_saving":
        raise conflict("super power saving is on; set another mode with `manage_battery` first", mode="super_saving")
    if action != "query":
        phone.change(GameManager, enabled=action == "enable")
    games = [app.name for app in phone.table(App).find(category="game") if app.installed]
    return {"enabled": phone.one(GameManager).enabled, "games": games}
