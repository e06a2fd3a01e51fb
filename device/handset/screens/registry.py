"""Screens by name: `clock/alarms` is a function of a `Page`.

All modules of this package are imported when the first screen is looked up.
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from device.handset.screens.layout import Page

Build = Callable[[Page], None]
SYSTEM_UI = "com.android.systemui"


@dataclass(frozen=True, slots=True)
class ScreenKind:
    """One screen."""

    name: str
    """`clock/alarms`."""
    build: Build
    """Fills in a page."""
    app: str
    """App of the sandbox that it belongs to; "" where the package says it."""
    package: str
    """Package, for screens of no app."""
    activity: str
    """Class of its activity; "" for the app's own."""


_SCREENS: dict[str, ScreenKind] = {}


def screen(name: str, app: str = "", package: str = "", activity: str = "") -> Callable[[Build], Build]:
    """Register a screen."""

    def register(build: Build) -> Build:
        _SCREENS[name] = ScreenKind(name, build, app, package, activity)
        return build

    return register


@lru_cache(maxsize=1)
def screens() -> dict[str, ScreenKind]:
    """Every screen."""
    package = importlib.import_module("device.handset.screens")
    for module in pkgutil.iter_modules(package.__path__, prefix="device.handset.screens."):
        importlib.import_module(module.name)
    return dict(sorted(_SCREENS.items()))
