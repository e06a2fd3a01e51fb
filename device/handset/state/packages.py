"""Android's packages over the sandbox's apps: names, activities, uids, permissions.

System apps carry the names that they have on a Pixel or in AOSP, others those of the Play Store. An app row that is not
installed is no package. Helpers such as uiautomator2's keyboard are packages without a row.
"""

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from device.sandbox.rows.apps import App

if TYPE_CHECKING:
    from device.sandbox.sandbox import Sandbox

_NAMES: dict[str, tuple[str, str]] = {
    "Phone": ("com.google.android.dialer", ".extensions.GoogleDialtactsActivity"),
    "Messages": ("com.google.android.apps.messaging", ".ui.ConversationListActivity"),
    "Camera": ("com.android.camera2", "com.android.camera.CameraLauncher"),
    "Gallery": ("com.google.android.apps.photos", ".home.HomeActivity"),
    "Settings": ("com.android.settings", ".Settings"),
    "Clock": ("com.google.android.deskclock", "com.android.deskclock.DeskClock"),
    "Calendar": ("com.google.android.calendar", "com.android.calendar.AllInOneActivity"),
    "Calculator": ("com.google.android.calculator", "com.android.calculator2.Calculator"),
    "Notes": ("com.pocket.notes", ".NotesActivity"),
    "Files": ("com.google.android.documentsui", "com.android.documentsui.files.FilesActivity"),
    "App Store": ("com.android.vending", ".AssetBrowserActivity"),
    "Browser": ("com.android.chrome", "com.google.android.apps.chrome.Main"),
    "WhatsApp": ("com.whatsapp", ".HomeActivity"),
    "Instagram": ("com.instagram.android", ".activity.MainTabActivity"),
    "Facebook": ("com.facebook.katana", ".LoginActivity"),
    "Twitter": ("com.twitter.android", ".StartActivity"),
    "Telegram": ("org.telegram.messenger", "org.telegram.ui.LaunchActivity"),
    "YouTube": ("com.google.android.youtube", ".HomeActivity"),
    "Netflix": ("com.netflix.mediaclient", ".ui.launch.UIWebViewActivity"),
    "Spotify": ("com.spotify.music", ".MainActivity"),
    "Gmail": ("com.google.android.gm", ".ConversationListActivityGmail"),
    "Google Maps": ("com.google.android.apps.maps", "com.google.android.maps.MapsActivity"),
    "Uber": ("com.ubercab", ".presidio.app.core.root.RootActivity"),
    "Amazon": ("com.amazon.mShop.android.shopping", "com.amazon.mShop.home.HomeActivity"),
    "PayPal": ("com.paypal.android.p2pmobile", ".startup.activities.StartupActivity"),
    "Candy Crush": ("com.king.candycrushsaga", ".CandyCrushSagaActivity"),
    "TikTok": ("com.zhiliaoapp.musically", "com.ss.android.ugc.aweme.splash.SplashActivity"),
    "Snapchat": ("com.snapchat.android", ".LandingPageActivity"),
    "LinkedIn": ("com.linkedin.android", ".authenticator.LaunchActivity"),
    "Reddit": ("com.reddit.frontpage", ".MainActivity"),
    "Pinterest": ("com.pinterest", ".activity.PinterestActivity"),
    "Discord": ("com.discord", ".main.MainDefault"),
    "Signal": ("org.thoughtcrime.securesms", ".RoutingActivity"),
    "Zoom": ("us.zoom.videomeetings", "com.zipow.videobox.LauncherActivity"),
    "Skype": ("com.skype.raider", ".Main"),
    "Slack": ("com.Slack", "slack.features.home.HomeActivity"),
    "Evernote": ("com.evernote", ".ui.HomeActivity"),
    "Dropbox": ("com.dropbox.android", ".activity.DropboxBrowser"),
    "Duolingo": ("com.duolingo", ".app.LoginActivity"),
    "Kindle": ("com.amazon.kindle", ".UpgradePage"),
    "Audible": ("com.audible.application", ".SplashScreen"),
    "Airbnb": ("com.airbnb.android", ".feat.homescreen.HomeActivity"),
    "Booking": ("com.booking", ".startup.HomeActivity"),
    "Waze": ("com.waze", ".FreeMapAppActivity"),
    "Strava": ("com.strava", ".SplashActivity"),
    "Shazam": ("com.shazam.android", ".activities.SplashActivity"),
    "Minecraft": ("com.mojang.minecraftpe", ".MainActivity"),
    "Chess": ("com.chess", ".home.HomeActivity"),
}
"""App: package and launcher activity."""
CONTACTS = "com.google.android.contacts"
_EXTRA = {
    CONTACTS: ("com.android.contacts.activities.PeopleActivity", "Contacts"),
    "com.google.android.inputmethod.latin": ("", ""),
    "com.google.android.marvin.talkback": ("", ""),
}
"""System packages without a row: launcher activity and label; "" for none."""
RUNTIME_PERMISSIONS = {
    "camera": ("android.permission.CAMERA",),
    "microphone": ("android.permission.RECORD_AUDIO",),
    "location": ("android.permission.ACCESS_FINE_LOCATION", "android.permission.ACCESS_COARSE_LOCATION"),
    "contacts": ("android.permission.READ_CONTACTS", "android.permission.WRITE_CONTACTS"),
    "storage": ("android.permission.READ_MEDIA_IMAGES", "android.permission.READ_EXTERNAL_STORAGE"),
    "notifications": ("android.permission.POST_NOTIFICATIONS",),
}
"""The sandbox's permission: Android's."""
FIRST_UID, FIRST_FREE_UID, FREE_UIDS = 10_050, 10_400, 500
_APPS = {package: app for app, (package, _) in _NAMES.items()}
_UIDS = {name: FIRST_UID + place for place, name in enumerate(sorted({*_APPS, *_EXTRA}))}


@dataclass(frozen=True, slots=True)
class Package:
    """One installed package."""

    name: str
    """`com.whatsapp`."""
    activity: str
    """Launcher activity, whole or from the dot on; "" for none."""
    label: str
    """What the launcher calls it; "" for none."""
    uid: int
    """Of its user."""
    system: bool
    """Whether it came with the phone."""
    app: App | None
    """Its row, where it has one."""

    @property
    def component(self) -> str:
        """`package/activity`, as it is launched."""
        return f"{self.name}/{self.activity}"

    @property
    def full_activity(self) -> str:
        """The activity's class."""
        return self.name + self.activity if self.activity.startswith(".") else self.activity

    @property
    def code_path(self) -> str:
        """Where its APK lies."""
        if self.system:
            return f"/product/app/{self.label.replace(' ', '') or 'Ime'}/{self.label.replace(' ', '') or 'Ime'}.apk"
        digest = hashlib.blake2b(self.name.encode(), digest_size=12).hexdigest()
        return f"/data/app/~~{digest[:22]}==/{self.name}-{digest[2:24]}==/base.apk"

    @property
    def version_name(self) -> str:
        """Made of the name: the same on each phone."""
        number = int.from_bytes(hashlib.blake2b(self.name.encode(), digest_size=2).digest(), "big")
        return f"{number % 30 + 1}.{number % 12}.{number % 7}"

    @property
    def version_code(self) -> int:
        """Made of the version's name."""
        major, minor, patch = (int(part) for part in self.version_name.split("."))
        return major * 10_000 + minor * 100 + patch


def _uid(name: str) -> int:
    """The same on each phone: a place for a known package, a number made of the name for another."""
    digest = hashlib.blake2b(name.encode(), digest_size=4).digest()
    return _UIDS.get(name) or FIRST_FREE_UID + int.from_bytes(digest, "big") % FREE_UIDS


def package_name(app: str) -> str:
    """The package of an app of the sandbox."""
    known = _NAMES.get(app)
    return known[0] if known else "com." + "".join(c for c in app.casefold() if c.isascii() and c.isalnum()) + ".app"


class Packages:
    """What is installed."""

    def __init__(self, sandbox: "Sandbox") -> None:
        self.sandbox = sandbox
        self.helpers: dict[str, str] = {}
        """Packages that a host installed and no row stands for: name, label."""
        self.disabled: set[str] = set()

    def all(self) -> list[Package]:
        """Every installed package, by name."""
        rows = {package_name(app.name): app for app in self.sandbox.table(App).all() if app.installed}
        return [self._package(name, rows.get(name)) for name in sorted({*rows, *_EXTRA, *self.helpers})]

    def _package(self, name: str, app: App | None) -> Package:
        if app is not None:
            activity = _NAMES.get(app.name, ("", ".MainActivity"))[1]
            return Package(name, activity, app.name, _uid(name), app.system, app)
        activity, label = _EXTRA.get(name, (".MainActivity", self.helpers.get(name, "")))
        return Package(name, activity, label, _uid(name), name in _EXTRA, None)

    def find(self, name: str) -> Package | None:
        """An installed package by its name."""
        if name in _EXTRA or name in self.helpers:
            return self._package(name, None)
        app = self.offered(name)
        return self._package(name, app) if app is not None and app.installed else None

    def of_app(self, app: str) -> Package | None:
        """An installed package by its app's name."""
        return self.find(package_name(app))

    def offered(self, name: str) -> App | None:
        """The app row behind a package name, installed or not."""
        known = _APPS.get(name)
        if known is not None:
            return self.sandbox.table(App).get(known)
        return next((app for app in self.sandbox.table(App).all() if package_name(app.name) == name), None)
