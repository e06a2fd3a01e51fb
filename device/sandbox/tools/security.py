"""Screen lock, app locks, biometrics.

App locks and biometrics stand on the screen lock: they can't be set without it, and it can't go while they are there.
"""

from typing import Literal

from device.sandbox.api import Domain, Effect, Json, OnOff, Sandbox, Text, bad_argument, conflict, tool
from device.sandbox.rows.apps import App
from device.sandbox.rows.security import Locks
from device.sandbox.tools.lookup import only


def _need_screen_lock(phone: Sandbox, what: str) -> None:
    if phone.one(Locks).screen_lock == "none":
        raise conflict(f"{what} needs a screen lock; use `manage_screen_lock` with action set first")


@tool(
    Domain.SECURITY,
    permission="security_settings",
    phrases=(
        "lock WhatsApp",
        "nobody should open my gallery without a code",
        "which apps are locked",
        "take the lock off PayPal",
        "protect Instagram with the app lock",
    ),
)
def manage_app_lock(phone: Sandbox, action: OnOff, appName: Text | None = None) -> Json:
    """Lock apps."""
    table = phone.table(App)
    installed = table.find(lambda app: app.installed)
    if action != "query" and appName is None:
        raise bad_argument(f"`appName` is missing: which app to {action} the lock for", argument="appName")
    found = only(installed, appName, lambda app: app.name, "installed app") if appName else None
    if action == "enable":
        _need_screen_lock(phone, "an app lock")
    if found is not None and action != "query":
        found = table.update(found, locked=action == "enable")
    locked = [app.name for app in table.all() if app.locked]
    return {"locked_apps": locked} | ({"app": found.name, "locked": found.locked} if found else {})


@tool(
    Domain.SECURITY,
    effects={"remove": Effect.DELETE},
    permission="security_settings",
    phrases=(
        "set a PIN",
        "use a pattern to unlock the phone",
        "remove my lock screen",
        "how is my phone locked",
        "I want a password instead of the pin",
    ),
)
def manage_screen_lock(
    phone: Sandbox,
    action: Literal["set", "remove", "query"],
    method: Literal["pin", "pattern", "password"] | None = None,
) -> Json:
    """Screen lock."""
    if action == "set":
        if method is None:
            raise bad_argument("`method` is missing: pin, pattern or password", argument="method")
        phone.change(Locks, screen_lock=method)
    if action == "remove":
        _need_unused(phone)
        phone.change(Locks, screen_lock="none")
    return {"screen_lock": phone.one(Locks).screen_lock}


def _need_unused(phone: Sandbox) -> None:
    """409 naming the tool that undoes what stands on the screen lock."""
    locks = phone.one(Locks)
    if locks.screen_lock == "none":
        raise conflict("there is no screen lock; `manage_screen_lock` with action set makes one")
    if locks.fingerprint or locks.face:
        used = " and ".join(name for name in ("fingerprint", "face") if getattr(locks, name))
        raise conflict(f"{used} unlock depends on the screen lock; use `manage_biometrics` with disable first")
    if locked := [app.name for app in phone.table(App).all() if app.locked]:
        raise conflict(
            f"{', '.join(locked)} would lose the lock; use `manage_app_lock` with disable first", apps=locked
        )


@tool(
    Domain.SECURITY,
    permission="security_settings",
    phrases=(
        "unlock with my face",
        "turn fingerprint off",
        "is face unlock set up",
        "I want to open the phone with my thumb",
        "no more biometrics",
    ),
)
def manage_biometrics(phone: Sandbox, action: OnOff, kind: Literal["fingerprint", "face"] | None = None) -> Json:
    """Fingerprint and face unlock."""
    if action == "enable":
        if kind is None:
            raise bad_argument("`kind` is missing: fingerprint or face", argument="kind")
        _need_screen_lock(phone, f"{kind} unlock")
        phone.change(Locks, **{kind: True})
    elif action == "disable":
        phone.change(Locks, **dict.fromkeys((kind,) if kind else ("fingerprint", "face"), False))
    locks = phone.one(Locks)
    return {"fingerprint": locks.fingerprint, "face": locks.face}
