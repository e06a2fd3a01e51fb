"""What apps may not do: work in the background, be used for long, notify of everything, show it on the lock screen."""

from typing import Literal, get_args

from device.sandbox.api import Domain, Duration, Json, OnOff, Sandbox, Text, bad_argument, conflict, not_found, tool
from device.sandbox.rows.app_care import AppBackground, AppTimer, NotificationChannel, NotificationPreview
from device.sandbox.rows.apps import App
from device.sandbox.rows.security import Locks
from device.sandbox.rows.system_settings import Battery
from device.sandbox.tools.apps_care import wants_every
from device.sandbox.tools.apps_storage import find_app

VITAL = frozenset(("Phone", "Messages", "Clock", "Settings"))
"""Apps that must always work."""
DAY = 86_400
Channel = Literal["messages", "promotions", "reminders", "updates"]


@tool(
    Domain.APPS,
    permission="app_background",
    phrases=(
        "don't let Facebook run in the background",
        "put Instagram to sleep when I'm not using it",
        "allow Spotify to keep working in the background",
        "which apps are restricted in the background",
        "Uber drains the battery even when it's closed",
        "freeze Telegram unless it is on the screen",
        "WhatsApp may keep syncing after I close it",
        "this app may only work while I look at it",
    ),
)
def manage_background_activity(
    phone: Sandbox, action: Literal["restrict", "allow", "query"], appName: Text | None = None
) -> Json:
    """What apps do in the background."""
    table = phone.table(AppBackground)
    if action == "query":
        names = [row.app for row in table.all() if row.restricted]
        if appName is None:
            return {"restricted_apps": names}
        name = find_app(phone, appName).name
        return {"appName": name, "restricted": name in names}
    if appName is None:
        raise bad_argument(f"`manage_background_activity` {action} needs `appName`", argument="appName")
    app = find_app(phone, appName)
    if action == "restrict" and app.name in VITAL:
        raise conflict(f"`{app.name}` must always work and can't be restricted", appName=app.name)
    if action == "allow" and phone.one(Battery).mode == "super_saving":
        raise conflict("super power saving stops every app in the background; set another mode with `manage_battery`")
    restricted = action == "restrict"
    if table.get(app.name) is None:
        return {"background": table.insert(AppBackground(app.name, restricted))}
    return {"background": table.update(app.name, restricted=restricted)}


@tool(
    Domain.APPS,
    permission="usage_access",
    phrases=(
        "only thirty minutes of YouTube a day",
        "set a daily limit for Instagram",
        "take the time limit off Netflix",
        "how long may I still use Twitter today",
        "which apps have a time limit",
        "how many minutes of Netflix are left today",
        "cap TikTok at an hour daily",
    ),
)
def manage_app_timer(
    phone: Sandbox,
    action: Literal["set", "remove", "query"],
    appName: Text | None = None,
    duration: Duration | None = None,
) -> Json:
    """Daily time limits of apps."""
    table = phone.table(AppTimer)
    if action == "query":
        name = find_app(phone, appName).name if appName else None
        return {"limits": [_left(phone, row) for row in table.all() if name in (None, row.app)]}
    if appName is None:
        raise bad_argument(f"`manage_app_timer` {action} needs `appName`", argument="appName")
    app = find_app(phone, appName)
    there = table.get(app.name)
    if action == "remove":
        if there is None:
            raise not_found(f"`{app.name}` has no time limit", limited=[row.app for row in table.all()])
        table.delete(there)
        return {"removed": app.name}
    if duration is None:
        raise bad_argument(f"`duration` is missing: how long `{app.name}` may be used a day", argument="duration")
    if not 60 <= duration < DAY:
        raise bad_argument(f"`duration` is {duration} seconds; say between a minute and a day", argument="duration")
    if app.name in VITAL:
        raise conflict(f"`{app.name}` must always work and can't be limited", appName=app.name)
    row = table.update(there, duration=duration) if there else table.insert(AppTimer(app.name, duration))
    return {"limit": _left(phone, row)}


def _left(phone: Sandbox, row: AppTimer) -> Json:
    """The limit, what was used today and what is left, in minutes."""
    used = phone.chance("app use", row.app, phone.now.date().isoformat()).randint(0, 60)
    limit = row.duration // 60
    return {"app": row.app, "minutesADay": limit, "usedToday": used, "leftToday": max(limit - used, 0)}


@tool(
    Domain.APPS,
    permission="notifications",
    phrases=(
        "no more promotions from Amazon",
        "Gmail should only notify me of messages, not offers",
        "turn the reminders of Duolingo back on",
        "which kinds of notifications does WhatsApp send",
        "stop the update notices of Spotify",
        "only the offers of that app should be silent",
    ),
)
def manage_notification_channel(
    phone: Sandbox, action: OnOff, appName: Text | None = None, channel: Channel | None = None
) -> Json:
    """Kinds of notifications one app may send."""
    if appName is None:
        raise bad_argument("`appName` is missing: whose notifications", argument="appName")
    app, table = find_app(phone, appName), phone.table(NotificationChannel)
    if action != "query":
        if channel is None:
            raise bad_argument("`channel` is missing: messages, promotions, reminders or updates", argument="channel")
        if action == "enable" and not app.notifications:
            raise conflict(f"notifications of `{app.name}` are all off; use `manage_notification` with enable first")
        row = NotificationChannel(f"{app.name}/{channel}", app.name, channel, action == "enable")
        if table.get(row.id) is None:
            table.insert(row)
        else:
            table.update(row.id, enabled=row.enabled)
    off = {row.channel for row in table.all() if row.app == app.name and not row.enabled}
    channels = {name: app.notifications and name not in off for name in get_args(Channel)}
    return {"appName": app.name, "notifications": app.notifications, "channels": channels}


@tool(
    Domain.APPS,
    permission="notifications",
    phrases=(
        "hide what notifications say on the lock screen",
        "nobody should read my messages while the phone is locked",
        "show notification text again",
        "keep WhatsApp previews off the lock screen",
        "are notification previews visible",
    ),
)
def manage_notification_preview(
    phone: Sandbox, action: Literal["show", "hide", "query"], appName: Text | None = None
) -> Json:
    """Notification text on the lock screen."""
    table = phone.table(NotificationPreview)
    name = "*" if wants_every(appName) else find_app(phone, str(appName)).name
    if action == "hide" and phone.one(Locks).screen_lock == "none":
        raise conflict("without a screen lock there is nothing to hide behind; use `manage_screen_lock` first")
    if action == "show" and name != "*" and not table.need("*").shown:
        raise conflict("previews are hidden for all apps; use action show without `appName` first", appName=name)
    if action != "query":
        shown = action == "show"
        if table.get(name) is None:
            table.insert(NotificationPreview(name, shown))
        else:
            table.update(name, shown=shown)
    hidden = [row.app for row in table.all() if not row.shown and _installed(phone, row.app)]
    return {"allApps": table.need("*").shown, "hidden_apps": hidden}


def _installed(phone: Sandbox, name: str) -> bool:
    app = phone.table(App).get(name)
    return app is not None and app.installed
