"""What is on the screen, and what touches and keys do to it.

1. A stack of routes, home at the bottom; the top one is drawn. A route holds what belongs to one visit: arguments,
   texts that were typed and not saved, how far its list was scrolled.
2. `windows` builds the trees anew from the rows: keyboard, bars, shade or page.
3. The sandbox's row of the screen is followed: where a tool opened an app, the screen shows it; where a touch did, the
   row says so.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from device.handset.screens import bars, keyboard
from device.handset.screens.flutter import FLUTTER_APPS, as_flutter
from device.handset.screens.layout import Page
from device.handset.screens.node import Node, Window, hit
from device.handset.screens.registry import SYSTEM_UI, ScreenKind, screens
from device.handset.state.packages import CONTACTS, package_name
from device.sandbox.rows.apps import App
from device.sandbox.rows.controls import Screen
from device.sandbox.rows.display_sound import Display
from runtime.contract import ToolFailure

if TYPE_CHECKING:
    from PIL.Image import Image

    from device.handset.handset import Handset

HOME = "home"
APP_ROOTS = {
    "Settings": "settings/main",
    "Clock": "clock/alarms",
    "Contacts": "contacts/list",
    "Messages": "messages/list",
    "Notes": "notes/list",
    "Files": "files/folders",
    "Browser": "browser/page",
    "Calendar": "calendar/events",
    "Phone": "phone/log",
    "App Store": "store/list",
    "Camera": "camera/view",
}
"""First screen of apps that have screens of their own; every other app shows what its tables say."""


@dataclass(slots=True)
class Route:
    """One visit of a screen."""

    name: str
    """Of the screen."""
    args: dict[str, str] = field(default_factory=dict)
    """What it shows."""
    fields: dict[str, str] = field(default_factory=dict)
    """Texts as typed."""
    scroll: int = 0
    """Pixels that its list is scrolled."""


class Ui:
    """The screen of a phone."""

    def __init__(self, phone: "Handset") -> None:
        self.phone = phone
        self.stack = [Route(HOME)]
        self.shade = ""
        self.rotation = 0
        self.focused = ""
        self.keyboard_hidden = False
        self._in_page = False
        """Whether a page's own action runs."""
        self.toast = ""
        self.queried: set[str] = set()
        """Pages with a WebView whose tree was asked for once."""
        self._view = self._row.view
        if self._view != HOME:
            self._show_view(self._view)

    @property
    def _row(self) -> Screen:
        return self.phone.sandbox.one(Screen)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height as it is held, in the resolution that is set."""
        width, height = self.phone.resolution
        return (height, width) if self.rotation % 2 else (width, height)

    @property
    def awake(self) -> bool:
        """Whether the screen is lit."""
        return self._row.on

    @property
    def route(self) -> Route:
        """The page on top."""
        return self.stack[-1]

    def windows(self) -> list[Window]:
        """All windows, the top one first: keyboard, bars, then the shade or the page."""
        self._follow()
        if not self.awake:
            width, height = self.size
            blank = Node("android.widget.FrameLayout", bounds=(0, 0, width, height))
            return [_owned(Window(SYSTEM_UI, "", blank, "system"))]
        found = []
        if self.keyboard_shown:
            found.append(keyboard.window(self))
        page = self._page()
        found += [bars.status_bar(self), bars.navigation_bar(self)]
        found.append(bars.shade(self) if self.shade else page)
        return [_owned(window) for window in found]

    def active(self) -> Window:
        """The window that has the focus."""
        windows = self.windows()
        return next((window for window in windows if window.kind == "application"), windows[0])

    def page_window(self) -> Window:
        """The window of the app, whatever lies over it."""
        self._follow()
        return _owned(self._page())

    def _page(self) -> Window:
        """The page on top; one whose row is gone is left."""
        while True:
            try:
                return self._built(self.route)
            except ToolFailure:
                if len(self.stack) == 1:
                    raise
                self._leave()
                self.stack.pop()

    def _built(self, route: Route) -> Window:
        kind = screens()[route.name]
        package = self._package(kind, route)
        page = Page(self, route, package)
        kind.build(page)
        root = page.finish()
        if self.focused and not any(node.field == self.focused for node in root.walk()):
            self.focused = ""
        if self._app_of(route) in FLUTTER_APPS:
            as_flutter(root)
        secure = page.secure or self.phone.faults.active("secure")
        return Window(package, self._activity(kind, page), root, secure=secure)

    def _package(self, kind: ScreenKind, route: Route) -> str:
        return kind.package or package_name(kind.app or route.args["app"])

    def _activity(self, kind: ScreenKind, page: Page) -> str:
        chosen = page.activity or kind.activity
        if chosen:
            return chosen
        found = self.phone.packages.find(page.package)
        return found.full_activity if found else ".MainActivity"

    def picture(self) -> "Image | None":
        """A picture that is kept of this screen; None: it is painted."""
        return None

    @property
    def keyboard_shown(self) -> bool:
        """Whether the keyboard lies over the lower half."""
        return bool(self.focused) and not self.keyboard_hidden and not self.shade and keyboard.draws(self.phone)

    def open(self, name: str, /, **args: str) -> None:
        """Put a page on top."""
        self._leave()
        self.stack.append(Route(name, args))

    def replace(self, name: str, /, **args: str) -> None:
        """Put a page in the place of the one on top."""
        self._leave()
        self.stack[-1] = Route(name, args)

    def back(self) -> None:
        """What the back key does; a page's own button that ends it does so with the keyboard up, too."""
        if self.shade:
            self.shade = ""
        elif self.keyboard_shown and not self._in_page:
            self.keyboard_hidden = True
        elif len(self.stack) > 1:
            self._leave()
            self.stack.pop()
            self._sync()

    def home(self) -> None:
        """What the home key does."""
        self._leave()
        self.shade = ""
        self.stack = [Route(HOME)]
        self._sync()

    def recents(self) -> None:
        """What the recents key does."""
        self.shade = ""
        self._leave()
        self.stack = [Route(HOME), Route("recents")]
        self._sync()

    def launch(self, app: str) -> None:
        """Open an app at its first screen."""
        self.shade = ""
        self._leave()
        row = self.phone.sandbox.table(App).get(app)
        if row is not None and not row.running:
            self.phone.sandbox.table(App).update(row, running=True)
        self._show_view(app)
        self._sync()

    def close_app(self, app: str) -> None:
        """End an app, as `am force-stop` does."""
        row = self.phone.sandbox.table(App).get(app)
        if row is not None and row.running:
            self.phone.sandbox.table(App).update(row, running=False)
        if any(self._app_of(route) == app for route in self.stack):
            self.home()

    def ask_for_debugging(self, host: str) -> None:
        """A host's key is not known: ask the person."""
        if self.route.name != "dialog/debugging":
            self.open("dialog/debugging", host=host)

    def _app_of(self, route: Route) -> str:
        kind = screens().get(route.name)
        return route.args.get("app", "") if kind is None or not kind.app else kind.app

    def _show_view(self, view: str) -> None:
        if view in (HOME, "recents"):
            self.stack = [Route(HOME)] + ([Route(view)] if view == "recents" else [])
            return
        root = APP_ROOTS.get(view)
        self.stack = [Route(HOME), Route(root) if root else Route("app/main", {"app": view})]
        self._guard(view)

    def _guard(self, app: str) -> None:
        """What stands between the person and the app: a sign-in wall, a permission to be granted."""
        from device.handset.screens.dialogs import missing_permission, needs_sign_in

        if needs_sign_in(self.phone.sandbox, app):
            self.stack[-1] = Route("signin", {"app": app})
            return
        permission = missing_permission(self.phone.sandbox, app)
        if permission:
            self.stack.append(Route("dialog/permission", {"asker": app, "permission": permission}))

    def _leave(self) -> None:
        self.focused = ""
        self.keyboard_hidden = False

    @property
    def current_view(self) -> str:
        """What the sandbox's row says of this stack."""
        for route in reversed(self.stack):
            if route.name in (HOME, "recents"):
                return route.name
            app = self._app_of(route)
            if app:
                return app
        return HOME

    def _sync(self) -> None:
        """Write what touches did to the row."""
        self._view = self.current_view
        if self._row.view != self._view:
            self.phone.sandbox.change(Screen, view=self._view)

    def _follow(self) -> None:
        """Show what a tool did to the row."""
        view = self._row.view
        if view != self._view:
            self._view = view
            self._leave()
            self.shade = ""
            self._show_view(view)

    # touches

    def tap(self, x: int, y: int) -> bool:
        """A touch; whether something took it."""
        return self._touch(x, y, lambda node: node.tap)

    def hold(self, x: int, y: int) -> bool:
        """A long touch; where nothing waits for one, a tap."""
        return self._touch(x, y, lambda node: node.hold) or self.tap(x, y)

    def _touch(self, x: int, y: int, of: "Callable[[Node], Callable[[int, int], None] | None]") -> bool:
        if not self.awake or self.phone.faults.use("lost_tap"):
            return False
        for window in self.windows():
            node = hit(window.root, x, y, lambda found: of(found) is not None and found.enabled)
            act = of(node) if node is not None else None
            if act is not None:
                self._in_page = window.kind == "application"
                act(x, y)
                self._in_page = False
                self._sync()
                return True
            if window.root.holds(x, y) and window.kind != "system":
                return False
        return False

    def swipe(self, x1: int, y1: int, x2: int, y2: int, milliseconds: int = 300) -> bool:
        """A drag from one point to another; whether something moved."""
        if not self.awake:
            return False
        if abs(x1 - x2) + abs(y1 - y2) < 20:
            return self.hold(x1, y1) if milliseconds >= 400 else self.tap(x1, y1)
        width, _ = self.size
        if y1 < 40 and y2 - y1 > 200:
            self.shade = "quick" if self.shade or x1 > width * 3 // 4 else "notifications"
            return True
        if self.shade and y1 - y2 > 300:
            self.shade = ""
            return True
        for window in self.windows():
            slider = hit(window.root, x1, y1, lambda node: node.kind == "slider")
            if slider is not None and slider.tap is not None:
                slider.tap(x2, y1)
                return True
            node = hit(window.root, x1, y1, lambda found: found.scroll is not None)
            if node is not None and node.scroll is not None:
                return node.scroll(x1 - x2, y1 - y2)
        if self.route.name == HOME and y1 - y2 > 300:
            self.open("launcher")
            return True
        return False

    # text

    def focus(self, name: str) -> None:
        """Put the cursor into a field of the page."""
        self.focused = name
        self.keyboard_hidden = False

    def focused_node(self) -> Node | None:
        """The field with the cursor."""
        if not self.focused:
            return None
        return next((node for node in self.page_window().root.walk() if node.field == self.focused), None)

    def text(self) -> str:
        """What stands in the field with the cursor."""
        return self.route.fields.get(self.focused, "") if self.focused else ""

    def set_text(self, text: str) -> bool:
        """Replace what stands in the field with the cursor; False where none has it."""
        if not self.focused:
            return False
        self.route.fields[self.focused] = text
        return True

    def type(self, text: str) -> bool:
        """Add to it."""
        return self.set_text(self.text() + text)

    def enter(self) -> None:
        """The enter key."""
        node = self.focused_node()
        if node is not None and node.enter is not None:
            node.enter()
            self._sync()

    # the device

    def wake(self) -> None:
        """Light the screen."""
        if not self._row.on:
            self.phone.sandbox.change(Screen, on=True)

    def sleep(self) -> None:
        """Make it dark."""
        if self._row.on:
            self.phone.sandbox.change(Screen, on=False)

    def rotate(self, rotation: int) -> None:
        """Turn it: 0 upright, 1 left, 2 upside down, 3 right."""
        self.rotation = rotation % 4

    @property
    def turns_by_itself(self) -> bool:
        """Whether the picture turns with the phone."""
        return self.phone.sandbox.one(Display).auto_rotate

    def say(self, text: str) -> None:
        """Show a toast."""
        self.toast = text


def _owned(window: Window) -> Window:
    """Every node knows its window's package."""
    for node in window.root.walk():
        node.package = node.package or window.package
    return window


__all__ = ["APP_ROOTS", "CONTACTS", "HOME", "Route", "Ui"]
