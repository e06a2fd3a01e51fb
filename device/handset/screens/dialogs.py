"""What stands in the way: a permission to grant, a debugging key to allow, an account to sign in to.

Ids after `packages/modules/Permission/PermissionController/res/layout/grant_permissions.xml` (Android 11 to 15) and
`frameworks/base/packages/SystemUI/res/layout/usb_debugging_*` (Android 10 to 15).
"""

from device.handset.screens.layout import Page
from device.handset.screens.registry import SYSTEM_UI, screen
from device.sandbox.rows.apps import App
from device.sandbox.rows.communication import SocialAccount
from device.sandbox.sandbox import Sandbox

PERMISSION_CONTROLLER = "com.google.android.permissioncontroller"
_GRANTS = f"{PERMISSION_CONTROLLER}:id/"
NEEDED = {
    "Camera": "camera",
    "Google Maps": "location",
    "Gallery": "storage",
    "Shazam": "microphone",
    "Waze": "location",
}
"""App: the permission without which it asks at its start."""
WALLED = frozenset(
    ("Facebook", "Instagram", "Twitter", "TikTok", "Snapchat", "LinkedIn", "Reddit", "Pinterest", "Discord", "Slack",
     "Evernote", "Dropbox", "Strava")
)  # fmt: skip
"""Apps that show nothing without an account."""
_ASKS = {
    "camera": "to take pictures and record video",
    "location": "to access this device's location",
    "storage": "to access photos and media on this device",
    "microphone": "to record audio",
    "contacts": "to access your contacts",
    "notifications": "to send you notifications",
}


def missing_permission(phone: Sandbox, app: str) -> str:
    """The permission that an app asks for at its start and does not have; "" for none."""
    row, needed = phone.table(App).get(app), NEEDED.get(app, "")
    return "" if row is None or not needed or needed in row.permissions else needed


def needs_sign_in(phone: Sandbox, app: str) -> bool:
    """Whether an app shows its sign-in page."""
    return app in WALLED and phone.table(SocialAccount).get(app) is None


@screen(
    "dialog/permission",
    package=PERMISSION_CONTROLLER,
    activity=f"{PERMISSION_CONTROLLER}.permission.ui.GrantPermissionsActivity",
)
def permission(page: Page) -> None:
    """Allow or not."""
    page.dialog()
    app, wanted = page.route.args["asker"], page.route.args["permission"]
    page.text(f"Allow {app} {_ASKS[wanted]}?", rid=_GRANTS + "permission_message", heading=True)

    def grant() -> None:
        row = page.phone.table(App).need(app)
        page.phone.table(App).update(row, permissions=tuple(sorted({*row.permissions, wanted})))
        page.ui.back()

    def refuse() -> None:
        page.ui.back()
        page.ui.say(f"{app} can't go on without this permission")

    page.buttons(("While using the app", grant), rids=(_GRANTS + "permission_allow_foreground_only_button",))
    page.buttons(("Only this time", page.ui.back), rids=(_GRANTS + "permission_allow_one_time_button",))
    page.buttons(("Don’t allow", refuse), rids=(_GRANTS + "permission_deny_button",))


@screen("dialog/debugging", package=SYSTEM_UI, activity=f"{SYSTEM_UI}.usb.UsbDebuggingActivity")
def debugging(page: Page) -> None:
    """Whether a host may connect."""
    page.dialog()
    page.text("Allow wireless debugging on this network?", rid="android:id/alertTitle", heading=True)
    page.text(f"The computer's key: {page.route.args['host']}", rid="android:id/message")

    def allow() -> None:
        page.ui.back()
        for line in list(page.ui.phone.connections):
            line.allow_waiting_key()

    page.buttons(("Cancel", page.ui.back), ("Allow", allow), rids=("android:id/button2", "android:id/button1"))


@screen("signin")
def sign_in(page: Page) -> None:
    """Name and password, without which the app shows nothing."""
    app = page.route.args["app"]
    page.bar(f"Log in to {app}", up=False)
    page.edit("username", "Username, email or mobile number", rid="login_username")
    page.edit("password", "Password", password=True, rid="login_password")

    def log_in() -> None:
        name = page.field("username").strip()
        if not name or not page.field("password"):
            page.ui.say("Incorrect username or password")
            return
        page.phone.table(SocialAccount).insert(SocialAccount(app, name))
        page.ui.replace("app/main", app=app)

    page.buttons(("Log in", log_in), rids=("login_button",))
    page.text("Forgot password?")
