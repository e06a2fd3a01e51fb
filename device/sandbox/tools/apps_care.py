"""Apps looked after: updates that load in the background, stored data, second copies, defaults."""

from datetime import timedelta
from typing import Literal

from device.sandbox.api import Domain, Effect, Json, Sandbox, Text, bad_argument, conflict, folded, not_found, tool
from device.sandbox.rows.app_care import AppClone, AppData, AppUpdate, DefaultApp
from device.sandbox.rows.apps import App
from device.sandbox.rows.storage import Storage
from device.sandbox.tools.apps_storage import find_app
from device.sandbox.tools.lookup import need_online

Role = Literal["browser", "messages", "email", "maps", "music", "gallery"]
ABLE: dict[str, tuple[str, ...]] = {
    "browser": ("Browser", "Chrome", "Firefox", "Opera", "Brave", "DuckDuckGo", "Edge", "Vivaldi"),
    "messages": ("Messages", "Signal", "Textra", "Pulse", "Beeper"),
    "email": ("Gmail", "Outlook", "Proton Mail", "Yahoo Mail", "Spark", "Thunderbird"),
    "maps": ("Google Maps", "Waze", "HERE WeGo", "Organic Maps", "Sygic", "Mapy"),
    "music": ("Spotify", "YouTube", "Deezer", "Tidal", "SoundCloud", "Shazam"),
    "gallery": ("Gallery", "Google Photos", "Piktures", "Simple Gallery", "Lightroom"),
}
"""Which apps can take a role."""
CLONEABLE = frozenset(("social", "communication", "game"))
"""Categories of apps that may run twice."""


def wants_every(said: str | None) -> bool:
    """Whether `said` means all of them ("all", "every app", "everything")."""
    return said is None or folded(said).partition(" ")[0] in {"all", "every", "everything", "each"}


@tool(
    Domain.APPS,
    permission="install_apps",
    effects={"install": Effect.INSTALL},
    phrases=(
        "update all my apps",
        "get the newest version of WhatsApp",
        "are there app updates",
        "which apps are out of date",
        "bring Google Maps up to date",
        "Telegram wants an upgrade",
        "my version of Netflix is too old, refresh it",
        "fetch the latest release of that app",
    ),
)
def manage_app_update(phone: Sandbox, action: Literal["check", "install"], appName: Text | None = None) -> Json:
    """Updates of apps."""
    table = phone.table(AppUpdate)
    app = None if wants_every(appName) else find_app(phone, str(appName))
    rows = [row for row in table.all() if app is None or row.app == app.name]
    if action == "check":
        shown = [{"app": r.app, "version": r.version, "sizeMb": r.size_mb, "state": _state(phone, r)} for r in rows]
        return {"updates": shown, "available": sum(one["state"] == "available" for one in shown)}
    wanted = [row for row in rows if not row.requested and phone.table(App).need(row.app).installed]
    if not wanted:
        raise conflict(f"nothing to update: {app.name if app else 'every app'} is up to date or loading already")
    need_online(phone, "update apps")
    open_ones = [row.app for row in wanted if phone.table(App).need(row.app).running]
    if len(open_ones) == len(wanted):
        names = ", ".join(open_ones)
        raise conflict(f"{names} can't be updated while open; use `close_app` first", apps=open_ones)
    asked = [_request(phone, row).app for row in wanted if row.app not in open_ones]
    skipped = [{"app": name, "reason": "open; use `close_app` first"} for name in open_ones]
    return {"message": "update requested", "requested": asked, "skipped": skipped}


def _request(phone: Sandbox, row: AppUpdate) -> AppUpdate:
    """Let it load: a minute, and a second for each megabyte."""
    ready = phone.now + timedelta(seconds=60 + round(row.size_mb))
    moments = {"requested": phone.now.isoformat(timespec="seconds"), "ready_at": ready.isoformat(timespec="seconds")}
    return phone.table(AppUpdate).update(row, **moments)


def _state(phone: Sandbox, row: AppUpdate) -> str:
    """`available`, `loading`, or `installed` once the time has come."""
    if not row.requested:
        return "available"
    return "installed" if row.ready_at <= phone.now.isoformat(timespec="seconds") else "loading"


@tool(
    Domain.APPS,
    permission="storage",
    effects={"clear_cache": Effect.DELETE, "clear_data": Effect.DELETE},
    phrases=(
        "how much data does Instagram store",
        "clear the cache of Spotify only",
        "wipe all data of the Uber app",
        "reset Telegram to a fresh start",
        "how big has Netflix become",
        "how many megabytes does Gmail keep",
        "make that app forget everything",
    ),
)
def manage_app_data(phone: Sandbox, action: Literal["query", "clear_cache", "clear_data"], appName: Text) -> Json:
    """Stored data and cache of one app."""
    app = find_app(phone, appName)
    held = stored(phone, app)
    if action == "query":
        return {"appName": app.name, "appMb": app.size_mb, "cacheMb": held.cache_mb, "dataMb": held.data_mb}
    if app.running:
        raise conflict(f"`{app.name}` is open; use `close_app` first", appName=app.name)
    if action == "clear_data" and app.system:
        raise conflict(f"`{app.name}` is part of the system and keeps its data; `clear_cache` works", appName=app.name)
    left = AppData(app.name, 0.0, 0.0 if action == "clear_data" else held.data_mb)
    table, store = phone.table(AppData), phone.one(Storage)
    if table.get(app.name) is None:
        table.insert(left)
    else:
        table.update(app.name, cache_mb=left.cache_mb, data_mb=left.data_mb)
    phone.change(Storage, cache_mb=round(store.cache_mb - held.cache_mb, 1))
    freed = round(held.cache_mb + held.data_mb - left.data_mb, 1)
    return {"appName": app.name, "freedMb": freed, "signedOut": action == "clear_data"}


def stored(phone: Sandbox, app: App) -> AppData:
    """What an app has stored; its cache is never more than that of the phone."""
    row = phone.table(AppData).get(app.name)
    cache, data = (row.cache_mb, row.data_mb) if row else (round(app.size_mb * 0.35, 1), round(app.size_mb * 1.2, 1))
    return AppData(app.name, min(cache, phone.one(Storage).cache_mb), data)


@tool(
    Domain.APPS,
    permission="install_apps",
    effects={"remove": Effect.DELETE},
    phrases=(
        "make a second WhatsApp for my other number",
        "clone Telegram",
        "remove the dual Instagram",
        "which apps do I have twice",
        "I need two Facebook accounts side by side",
    ),
)
def manage_app_clone(phone: Sandbox, action: Literal["create", "remove", "query"], appName: Text | None = None) -> Json:
    """Second copies of apps, for two accounts."""
    table = phone.table(AppClone)
    if action == "query":
        return {"clones": table.all()}
    if appName is None:
        raise bad_argument(f"`manage_app_clone` {action} needs `appName`", argument="appName")
    app = find_app(phone, appName)
    there = table.get(app.name)
    if action == "remove":
        if there is None:
            raise not_found(f"`{app.name}` has no second copy", clones=[row.app for row in table.all()])
        table.delete(there)
        return {"removed": app.name}
    if there is not None:
        raise conflict(f"`{app.name}` has a second copy already, made on {there.created}", appName=app.name)
    if app.category not in CLONEABLE:
        raise conflict(f"`{app.name}` can't run twice; only {', '.join(sorted(CLONEABLE))} apps can", appName=app.name)
    return {"clone": table.insert(AppClone(app.name, phone.now.date().isoformat()))}


@tool(
    Domain.APPS,
    permission="default_apps",
    phrases=(
        "make Firefox my default browser",
        "open links in Chrome from now on",
        "which app opens my emails",
        "use Waze for navigation by default",
        "what's the default music player",
        "links should always go to another app",
        "Waze ought to handle every address",
    ),
)
def manage_default_app(
    phone: Sandbox, action: Literal["set", "query"], role: Role | None = None, appName: Text | None = None
) -> Json:
    """Default apps for links, mail, maps, music."""
    table = phone.table(DefaultApp)
    if action == "query":
        return {"defaults": {row.role: row.app for row in table.all() if role in (None, row.role)}}
    for name, value in (("role", role), ("appName", appName)):
        if value is None:
            raise bad_argument(f"`manage_default_app` set needs `{name}`", argument=name, valid=list(ABLE))
    app = find_app(phone, str(appName))
    able = ABLE[str(role)]
    if app.name not in able:
        fit = [one.name for one in phone.table(App).all() if one.installed and one.name in able]
        raise conflict(f"`{app.name}` can't be the {role} app; on this phone {', '.join(fit)} can", candidates=fit)
    return {"default": table.update(str(role), app=app.name)}
