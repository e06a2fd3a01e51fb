"""The browser: an address bar of Android's own, and below it a WebView with a page.

A WebView's tree has no resource ids of Android; a field of the page shows no hint, and the first tree of a page that is
asked for may be empty, as Chrome fills it only once an accessibility service has looked
(`content/browser/accessibility/web_contents_accessibility_android.cc`).
"""

from functools import partial

from device.handset.screens.layout import NAVIGATION_BAR, ROW, Page, touch
from device.handset.screens.node import Node
from device.handset.screens.registry import screen
from device.handset.state.intents import open_address
from device.sandbox.rows.utilities import Bookmark, BrowserTab

_VIEW = "android.view.View"
HOME_PAGE = "chrome-native://newtab/"


def open_page(page: Page, typed: str) -> None:
    """Go to an address, or search for words."""
    open_address(page.phone, typed)
    page.ui.replace("browser/page")


@screen("browser/page", app="Browser")
def browser(page: Page) -> None:
    """The last tab."""
    tabs = page.phone.table(BrowserTab).all()
    tab = tabs[-1] if tabs else None
    shown = (tab.query or tab.url) if tab else ""

    def go() -> None:
        if page.field("address").strip():
            open_page(page, page.field("address").strip())

    page.edit("address", "Search or type URL", shown, rid="url_bar", enter=go)
    page.buttons(("Go", go), ("Bookmarks", page.go("browser/bookmarks")), rids=("go_button", "bookmarks_button"))
    if tab is None:
        page.text("New tab", rid="tab_title")
        return
    page.add(page.height - NAVIGATION_BAR - 2 * ROW - 96, lambda top: _web(page, tab, top))


def _web(page: Page, tab: BrowserTab, top: int) -> Node:
    """The page: a headline, text, links, a form."""
    bottom = page.height - NAVIGATION_BAR
    web = Node("android.webkit.WebView", text=tab.query or tab.url, bounds=(0, top, page.width, bottom), focusable=True)
    if page.ui.phone.faults.active("hidden_web") and tab.id not in page.ui.queried:
        page.ui.queried.add(tab.id)
        return web
    y = top + 20

    def put(node: Node, height: int) -> None:
        nonlocal y
        node.bounds = (40, y, page.width - 40, y + height)
        web.children.append(node)
        y += height + 20

    put(Node(_VIEW, text=f"Results for {tab.query}" if tab.query else tab.url), 90)
    for label, url in _links(page, tab):
        put(Node(_VIEW, text=label, tap=touch(partial(open_page, page, url)), focusable=True), 80)

    def focus(x: int, y: int) -> None:
        page.ui.focus("comment")

    text = page.field("comment")
    put(
        Node(
            "android.widget.EditText",
            text=text,
            field="comment",
            tap=focus,
            focusable=True,
            focused=page.ui.focused == "comment",
        ),
        110,
    )

    def mark() -> None:
        if not any(row.url == tab.url for row in page.phone.table(Bookmark).all()):
            title = page.field("comment").strip() or tab.query or tab.url
            page.phone.table(Bookmark).insert(Bookmark(page.phone.new_id("bookmark"), title, tab.url))

    put(Node("android.widget.Button", text="Save this page", tap=touch(mark), focusable=True, kind="button"), 110)
    return web


def _links(page: Page, tab: BrowserTab) -> list[tuple[str, str]]:
    if not tab.query:
        return [("More information", tab.url.rstrip("/") + "/more")]
    slug = "-".join(tab.query.casefold().split())
    return [
        (f"{tab.query}: an overview", f"https://example.org/{slug}"),
        (f"{tab.query} near you", f"https://example.com/{slug}"),
    ]


@screen("browser/bookmarks", app="Browser")
def bookmarks(page: Page) -> None:
    """Saved pages."""
    page.bar("Bookmarks")
    for row in page.phone.table(Bookmark).all():
        page.item(row.title, row.url, partial(open_page, page, row.url))
