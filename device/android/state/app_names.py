"""Which package an app's name means.

The shell can't see labels, so well-known names are listed with their packages, the likeliest first; any other name is
looked for among the words of the installed packages' names.
"""

from collections.abc import Iterable
from itertools import pairwise

from device.spoken import fold_text

KNOWN: dict[str, tuple[str, ...]] = {
    "Phone": ("com.google.android.dialer", "com.android.dialer", "com.samsung.android.dialer"),
    "Messages": ("com.google.android.apps.messaging", "com.android.messaging", "com.samsung.android.messaging"),
    "Contacts": ("com.google.android.contacts", "com.android.contacts", "com.samsung.android.app.contacts"),
    "Camera": ("com.google.android.GoogleCamera", "com.android.camera2", "com.sec.android.app.camera"),
    "Gallery": ("com.google.android.apps.photos", "com.android.gallery3d", "com.sec.android.gallery3d"),
    "Settings": ("com.android.settings",),
    "Clock": ("com.google.android.deskclock", "com.android.deskclock", "com.sec.android.app.clockpackage"),
    "Calendar": ("com.google.android.calendar", "com.android.calendar", "com.samsung.android.calendar"),
    "Calculator": ("com.google.android.calculator", "com.android.calculator2", "com.sec.android.app.popupcalculator"),
    "Files": (
        "com.google.android.documentsui", "com.google.android.apps.nbu.files", "com.android.documentsui",
        "com.sec.android.app.myfiles",
    ),
    "App Store": ("com.android.vending",),
    "Browser": ("com.android.chrome", "org.mozilla.firefox", "com.android.browser", "com.sec.android.app.sbrowser"),
    "Chrome": ("com.android.chrome",),
    "Firefox": ("org.mozilla.firefox",),
    "WhatsApp": ("com.whatsapp",),
    "Instagram": ("com.instagram.android",),
    "Facebook": ("com.facebook.katana",),
    "Messenger": ("com.facebook.orca",),
    "Twitter": ("com.twitter.android",),
    "Telegram": ("org.telegram.messenger",),
    "YouTube": ("com.google.android.youtube",),
    "Netflix": ("com.netflix.mediaclient",),
    "Spotify": ("com.spotify.music",),
    "Gmail": ("com.google.android.gm",),
    "Google Maps": ("com.google.android.apps.maps",),
    "Uber": ("com.ubercab",),
    "Amazon": ("com.amazon.mShop.android.shopping",),
    "PayPal": ("com.paypal.android.p2pmobile",),
    "Candy Crush": ("com.king.candycrushsaga",),
    "TikTok": ("com.zhiliaoapp.musically",),
    "Snapchat": ("com.snapchat.android",),
    "LinkedIn": ("com.linkedin.android",),
    "Reddit": ("com.reddit.frontpage",),
    "Pinterest": ("com.pinterest",),
    "Discord": ("com.discord",),
    "Signal": ("org.thoughtcrime.securesms",),
    "Zoom": ("us.zoom.videomeetings",),
    "Skype": ("com.skype.raider",),
    "Slack": ("com.Slack",),
    "Evernote": ("com.evernote",),
    "Dropbox": ("com.dropbox.android",),
    "Duolingo": ("com.duolingo",),
    "Kindle": ("com.amazon.kindle",),
    "Audible": ("com.audible.application",),
    "Airbnb": ("com.airbnb.android",),
    "Booking": ("com.booking",),
    "Waze": ("com.waze",),
    "Strava": ("com.strava",),
    "Shazam": ("com.shazam.android",),
    "Minecraft": ("com.mojang.minecraftpe",),
    "Chess": ("com.chess",),
}  # fmt: skip
"""Names as people say them."""
_ALIASES = {
    "play store": "App Store", "google play": "App Store", "photos": "Gallery", "google photos": "Gallery",
    "maps": "Google Maps", "x": "Twitter", "dialer": "Phone", "sms": "Messages", "web browser": "Browser",
    "mail": "Gmail", "email": "Gmail", "internet": "Browser", "youtube music": "YouTube Music",
}  # fmt: skip
_BY_NAME = {fold_text(name): packages for name, packages in KNOWN.items()}
_BY_PACKAGE = {package: name for name, packages in reversed(KNOWN.items()) for package in packages}
_EMPTY_PARTS = frozenset(
    ("com", "org", "net", "android", "app", "apps", "google", "samsung", "sec", "mobile", "client")
)


def candidates(said: str, installed: Iterable[str]) -> list[str]:
    """Installed packages that `said` may mean: one, several, or none."""
    there = set(installed)
    if said in there:
        return [said]
    folded = fold_text(said)
    folded = fold_text(_ALIASES.get(folded, folded)).removesuffix(" app")
    known = next((package for package in _BY_NAME.get(folded, ()) if package in there), None)
    if known is not None:
        return [known]
    joined = folded.replace(" ", "")
    return sorted(package for package in there if joined and joined in _parts(package))


def label(package: str) -> str:
    """A name for people: the known one, else the package's last word that says something."""
    known = _BY_PACKAGE.get(package)
    if known is not None:
        return known
    words = [word for word in package.split(".") if word.lower() not in _EMPTY_PARTS] or package.split(".")
    return words[-1][:1].upper() + words[-1][1:]


def _parts(package: str) -> set[str]:
    words = [word.lower() for word in package.split(".")]
    return {*words, *("".join(pair) for pair in pairwise(words))} - _EMPTY_PARTS
