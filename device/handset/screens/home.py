"""Home, the list of all apps, and the apps that are open."""

from functools import partial

from device.handset.screens.layout import Action, Page
from device.handset.screens.registry import screen
from device.sandbox.rows.apps import App

LAUNCHER = "com.google.android.apps.nexuslauncher"
_ACTIVITY = "com.google.android.apps.nexuslauncher.NexusLauncherActivity"
_ON_HOME = ("Phone", "Messages", "Camera", "Browser", "Clock", "Calendar", "Notes", "Settings")


def _icons(page: Page, names: list[str]) -> list[tuple[str, Action]]:
    return [(name, partial(page.ui.launch, name)) for name in names]


@screen("home", package=LAUNCHER, activity=_ACTIVITY)
def home(page: Page) -> None:
    """Eight icons and the way to all apps."""
    page.text(f"{page.phone.now:%A, %B} {page.phone.now.day}", rid="date")
    installed = {app.name for app in page.phone.table(App).all() if app.installed}
    page.grid(_icons(page, [name for name in _ON_HOME if name in installed]))
    page.item("All apps", action=page.go("launcher"), rid="all_apps_handle")


@screen("launcher", package=LAUNCHER, activity=_ACTIVITY)
def launcher(page: Page) -> None:
    """Every app that can be opened, with a search field."""
    page.edit("search", "Search apps", rid="fallback_search_view")
    wanted = page.field("search").casefold()
    names = [app.name for app in page.phone.table(App).all() if app.installed] + ["Contacts"]
    page.grid(_icons(page, sorted(name for name in names if wanted in name.casefold())))


@screen("recents", package=LAUNCHER, activity=_ACTIVITY)
def recents(page: Page) -> None:
    """Apps that are open."""
    running = [app for app in page.phone.table(App).all() if app.running]
    if not running:
        page.text("No recent items", rid="empty")
    for app in running:
        page.item(app.name, "Open", partial(page.ui.launch, app.name), rid="task")

    def clear() -> None:
        for app in running:
            page.phone.table(App).update(app, running=False)

    if running:
        page.buttons(("Clear all", clear), rids=("clear_all",))
