"""Windows of the system: status bar, navigation bar, and the shade with notifications or quick settings.

Ids after `frameworks/base/packages/SystemUI/res/layout` (Android 13 to 15).
"""

from functools import partial
from typing import TYPE_CHECKING

from device.handset.screens.layout import NAVIGATION_BAR, STATUS_BAR, touch
from device.handset.screens.node import Node, Window
from device.handset.screens.registry import SYSTEM_UI
from device.handset.screens.tiles import TILES
from device.sandbox.rows.network import Radios
from device.sandbox.rows.notifications import Notification
from device.sandbox.rows.system_settings import Battery
from device.sandbox.rows.system_setup import ClockSettings

if TYPE_CHECKING:
    from device.handset.screens.ui import Ui

_TEXT, _FRAME = "android.widget.TextView", "android.widget.FrameLayout"
_LINE = 210


def clock_text(ui: "Ui") -> str:
    """The time as the status bar shows it."""
    twelve = ui.phone.sandbox.one(ClockSettings).hour_format == "12h"
    now = ui.phone.sandbox.now
    return f"{now.hour % 12 or 12}:{now:%M}" if twelve else f"{now:%H:%M}"


def status_bar(ui: "Ui") -> Window:
    """Time, radios, battery."""
    width, _ = ui.size
    radios, battery = ui.phone.sandbox.one(Radios), ui.phone.sandbox.one(Battery)
    root = Node(_FRAME, rid=f"{SYSTEM_UI}:id/status_bar", bounds=(0, 0, width, STATUS_BAR), kind="status")
    root.children.append(Node(_TEXT, text=clock_text(ui), rid=f"{SYSTEM_UI}:id/clock", bounds=(42, 20, 200, 80)))
    icons = [(f"{SYSTEM_UI}:id/battery", f"Battery {battery.level} percent.")]
    if radios.wifi and radios.wifi_network:
        icons.append((f"{SYSTEM_UI}:id/wifi_signal", "Wifi signal full."))
    if radios.airplane_mode:
        icons.append((f"{SYSTEM_UI}:id/airplane", "Airplane mode"))
    for place, (rid, label) in enumerate(icons):
        right = width - 42 - place * 90
        root.children.append(Node("android.widget.ImageView", desc=label, rid=rid, bounds=(right - 70, 20, right, 80)))
    return Window(SYSTEM_UI, "", root, "system")


def navigation_bar(ui: "Ui") -> Window:
    """Back, home, recents."""
    width, height = ui.size
    top = height - NAVIGATION_BAR
    root = Node(_FRAME, rid=f"{SYSTEM_UI}:id/navigation_bar_frame", bounds=(0, top, width, height), kind="status")
    keys = (("back", "Back", ui.back), ("home", "Home", ui.home), ("recent_apps", "Overview", ui.recents))
    for place, (rid, label, act) in enumerate(keys):
        bounds = (place * width // 3 + 60, top, (place + 1) * width // 3 - 60, height)
        root.children.append(
            Node(
                "android.widget.ImageView",
                desc=label,
                rid=f"{SYSTEM_UI}:id/{rid}",
                bounds=bounds,
                tap=touch(act),
                focusable=True,
                kind="icon",
            )
        )
    return Window(SYSTEM_UI, "", root, "system")


def shade(ui: "Ui") -> Window:
    """What a swipe from the top brings."""
    width, height = ui.size
    root = Node(_FRAME, rid=f"{SYSTEM_UI}:id/notification_panel", bounds=(0, 0, width, height), kind="page")
    root.children += _tiles(ui) if ui.shade == "quick" else _notifications(ui)
    return Window(SYSTEM_UI, "", root)


def _tiles(ui: "Ui") -> list[Node]:
    width, _ = ui.size
    nodes = []
    for number, tile in enumerate(TILES):
        column, line = number % 2, number // 2
        left, top = column * width // 2 + 20, STATUS_BAR + 40 + line * _LINE
        on = tile.read(ui.phone.sandbox)
        label = Node(
            _TEXT, text=tile.name, rid=f"{SYSTEM_UI}:id/tile_label", bounds=(left + 60, top + 30, left + 460, top + 90)
        )
        state = Node(
            _TEXT,
            text="On" if on else "Off",
            rid=f"{SYSTEM_UI}:id/app_label",
            bounds=(left + 60, top + 90, left + 460, top + 150),
            kind="summary",
        )
        nodes.append(
            Node(
                "android.widget.Switch",
                desc=f"{tile.name},{'On' if on else 'Off'}",
                checkable=True,
                checked=on,
                bounds=(left, top, left + width // 2 - 40, top + 180),
                focusable=True,
                children=[label, state],
                tap=touch(partial(tile.flip, ui.phone.sandbox)),
                kind="tile",
            )
        )
    return nodes


def _notifications(ui: "Ui") -> list[Node]:
    width, _ = ui.size
    table = ui.phone.sandbox.table(Notification)
    nodes, top = [], STATUS_BAR + 40
    for row in table.all()[:8]:
        bounds = (20, top, width - 20, top + _LINE - 10)
        children = [
            Node(_TEXT, text=row.app, rid="android:id/app_name_text", bounds=(80, top + 20, width - 60, top + 75)),
            Node(_TEXT, text=row.text, rid="android:id/title", bounds=(80, top + 80, width - 60, top + 160)),
        ]

        def read(app: str = row.app) -> None:
            ui.launch(app)

        nodes.append(
            Node(
                _FRAME,
                rid=f"{SYSTEM_UI}:id/expandableNotificationRow",
                bounds=bounds,
                children=children,
                tap=touch(read),
                focusable=True,
                kind="card",
            )
        )
        top += _LINE
    if not nodes:
        return [
            Node(
                _TEXT,
                text="No notifications",
                rid=f"{SYSTEM_UI}:id/no_notifications",
                bounds=(40, top, width - 40, top + 100),
            )
        ]

    def clear() -> None:
        for row in table.all():
            table.delete(row)

    nodes.append(
        Node(
            "android.widget.Button",
            text="Clear all",
            desc="Clear all notifications",
            focusable=True,
            tap=touch(clear),
            rid=f"{SYSTEM_UI}:id/dismiss_text",
            bounds=(width - 320, top, width - 40, top + 120),
            kind="button",
        )
    )
    return nodes
