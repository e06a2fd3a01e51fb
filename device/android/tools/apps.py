"""Apps: open, close, uninstall, permissions, data, background, defaults, notifications.

`am`, `pm`, `cmd package`, `cmd role`, `cmd appops` as of Android 10. Installing belongs to the store, which no command
reaches.
"""

from device.android.errors import bad_argument, conflict, not_found, unsupported
from device.android.opening import ICON
from device.android.state.app_names import candidates, label
from device.android.state.apps import (
    PERMISSIONS,
    ROLES,
    background_row,
    granted,
    notifying_row,
    packages,
    permission_row,
    screen,
)
from device.android.state.reading import Reading, Rows
from device.android.tools.registry import offered
from device.android.work import Answer, Work


def package_of(phone: Work, said: str) -> str:
    """The one installed package that is meant."""
    found = candidates(said, packages(phone.look()))
    if not found:
        raise not_found(f"no app `{said}` is installed; `open_app` takes the name under its icon")
    if len(found) > 1:
        raise conflict(f"`{said}` could be several apps", candidates=[label(package) for package in found])
    return found[0]


def component_of(phone: Work, package: str) -> str:
    """What its icon starts."""
    lines = phone.read("cmd", "package", "resolve-activity", "--brief", *ICON, package).splitlines()
    if not lines or "/" not in lines[-1]:
        raise unsupported(f"`{label(package)}` has no icon to start it by")
    return lines[-1].strip()


@offered("open_app")
def open_app(phone: Work, appName: str) -> Answer:
    """Start it by its icon's activity; proved by what is in front."""
    package = package_of(phone, appName)
    phone.watch_rows("_front", lambda reading: _front(reading, package))
    phone.watch_rows("apps", lambda reading: _running(reading, package))
    phone.run("am", "start", "-n", component_of(phone, package))
    phone.expect("_front", "phone", in_front=True)
    phone.expect("apps", label(package), running=True)
    return lambda seen: {"opened": label(package), "package": package, "view": seen["_front"]["phone"]["view"]}


def _front(reading: Reading, package: str) -> Rows:
    view = screen(reading)["phone"]["view"]
    return {"phone": {"view": view, "in_front": view.partition("/")[0] == package}}


@offered("launch_game")
def launch_game(phone: Work, game: str | None = None) -> Answer:
    """An installed game by its name."""
    if game is None:
        raise bad_argument("`game` is missing: Android does not say which apps are games", argument="game")
    return open_app(phone, game)


@offered("close_app", needs="FORCE_STOP_PACKAGES")
def close_app(phone: Work, appName: str) -> Answer:
    """End it and all it does; proved by its processes."""
    package = package_of(phone, appName)
    phone.watch_rows("apps", lambda reading: _running(reading, package))
    phone.run("am", "force-stop", package)
    phone.expect("apps", label(package), running=False)
    return {"closed": label(package)}


def _running(reading: Reading, package: str) -> Rows:
    running = bool(reading.text("pidof", package).strip())
    return {label(package): {"name": label(package), "running": running}}


@offered("uninstall_app", needs="DELETE_PACKAGES")
def uninstall_app(phone: Work, appName: str) -> Answer:
    """Remove an app that the user installed."""
    package = package_of(phone, appName)
    if f"package:{package}" in phone.read("pm", "list", "packages", "-s").splitlines():
        raise conflict(f"`{label(package)}` came with the phone; it can only be disabled, in its settings")
    phone.watch_rows("apps", lambda reading: _installed(reading, package))
    phone.run("pm", "uninstall", package)
    phone.expect("apps", label(package), installed=False)
    return {"uninstalled": label(package)}


def _installed(reading: Reading, package: str) -> Rows:
    return {label(package): {"name": label(package), "installed": package in packages(reading)}}


@offered("manage_app_permission", needs="GRANT_RUNTIME_PERMISSIONS")
def manage_app_permission(
    phone: Work, action: str, appName: str | None = None, permission: str | None = None
) -> Answer:
    """Runtime permissions of one app."""
    if appName is None:
        raise bad_argument("`appName` is missing: which app", argument="appName")
    package = package_of(phone, appName)
    phone.watch_rows("apps", lambda reading: permission_row(reading, package))
    if action != "query":
        if permission is None:
            raise bad_argument(f"`permission` is missing: {', '.join(PERMISSIONS)}", argument="permission")
        asked = [name for name in PERMISSIONS[permission] if name in granted(phone.look(), package)]
        if not asked:
            raise unsupported(f"`{label(package)}` does not ask for `{permission}`")
        for name in asked:
            phone.run("pm", action, package, name)
        held = set(phone.row("apps", label(package))["permissions"])
        held = held | {permission} if action == "grant" else held - {permission}
        phone.expect("apps", label(package), permissions=[name for name in PERMISSIONS if name in held])
    return lambda seen: {"app": label(package), "permissions": seen["apps"][label(package)]["permissions"]}


@offered("manage_app_data", since=14, needs="CLEAR_APP_USER_DATA", actions=("clear_cache", "clear_data"))
def manage_app_data(phone: Work, action: str, appName: str) -> Answer:
    """Clear; the phone answers `Success` and shows no sizes to the shell."""
    package = package_of(phone, appName)
    words = ("--cache-only", package) if action == "clear_cache" else (package,)
    said = phone.run("pm", "clear", *words).text
    return {"app": label(package), "cleared": action.removeprefix("clear_"), "phone": said}


@offered("manage_background_activity", needs="MANAGE_APP_OPS_MODES")
def manage_background_activity(phone: Work, action: str, appName: str | None = None) -> Answer:
    """The app operation that restricts it."""
    if appName is None:
        raise bad_argument("`appName` is missing: which app", argument="appName")
    package = package_of(phone, appName)
    name = label(package)
    phone.watch_rows("app_background", lambda reading: background_row(reading, package))
    if action != "query":
        mode = "ignore" if action == "restrict" else "allow"
        phone.run("cmd", "appops", "set", package, "RUN_ANY_IN_BACKGROUND", mode)
        if action == "restrict":
            phone.expect("app_background", name, restricted=True)
        else:
            phone.expect_gone("app_background", name)
    return lambda seen: {"app": name, "restricted": name in seen["app_background"]}


@offered("manage_default_app", needs="MANAGE_ROLE_HOLDERS")
def manage_default_app(phone: Work, action: str, role: str | None = None, appName: str | None = None) -> Answer:
    """Browser and messages have a role; for other kinds Android keeps no default that a command could set."""
    phone.watch("default_apps")
    if action == "set":
        if role is None or appName is None:
            raise bad_argument("`role` and `appName` are needed: which kind, which app", argument="role")
        if role not in ROLES:
            raise unsupported(f"Android has no role for `{role}`; there are {', '.join(ROLES)}", argument="role")
        package = package_of(phone, appName)
        phone.run("cmd", "role", "add-role-holder", "--user", "0", ROLES[role], package)
        phone.expect("default_apps", role, app=label(package))
    return lambda seen: {"defaults": [row for key, row in seen["default_apps"].items() if role in (None, key)]}


@offered("manage_notification", needs="MANAGE_APP_OPS_MODES", actions=("query", "enable", "disable"))
def manage_notification(phone: Work, action: str, appName: str | None = None) -> Answer:
    """What is in the shade, and whether an app may notify; clearing is not open to the shell."""
    package = package_of(phone, appName) if appName else ""
    if action == "query":
        phone.watch("notifications")
        rows = phone.before["notifications"].values()
        return {"notifications": [row for row in rows if not package or row["app"] == label(package)]}
    if not package:
        raise bad_argument("`appName` is missing: of which app", argument="appName")
    phone.watch_rows("apps", lambda reading: notifying_row(reading, package))
    phone.run("cmd", "appops", "set", package, "POST_NOTIFICATION", "allow" if action == "enable" else "ignore")
    phone.expect("apps", label(package), notifications=action == "enable")
    return lambda seen: {"app": label(package), "enabled": seen["apps"][label(package)]["notifications"]}


@offered("manage_notification_preview", needs="WRITE_SECURE_SETTINGS")
def manage_notification_preview(phone: Work, action: str, appName: str | None = None) -> Answer:
    """For all apps; one app's own choice is not open to the shell."""
    if appName is not None:
        raise unsupported("one app's preview is not open to the shell; leave `appName` out", argument="appName")
    phone.watch("notification_previews")
    if action != "query":
        shown = action == "show"
        phone.put("secure", "lock_screen_allow_private_notifications", "1" if shown else "0")
        if shown:
            phone.put("secure", "lock_screen_show_notifications", "1")
        phone.expect("notification_previews", "*", shown=shown)
    return lambda seen: {"shown": seen["notification_previews"]["*"]["shown"]}
