"""Tools by name. A tool here has no schema of its own: it is the sandbox's of the same name, so that they can't differ.

`since` is the first Android release whose shell has what it needs, `needs` the permission that makes it work (the shell
of adb holds it), `proof` what showed that it works: `software phone` until a recording of a real one exists.
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from device.android.work import Answer
from device.sandbox.registry import catalogue
from device.sandbox.tool import Tool
from runtime.contract import SetupError, ToolSpec

LEAST = 10
"""Android release from which this bridge works."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One tool on a connected phone."""

    function: Callable[..., Answer]
    """Called with a `Work` and the normalised arguments."""
    tool: Tool[..., Any]
    """The sandbox's tool: specification and readers."""
    since: int
    """First Android release."""
    needs: str
    """Permission or part of the phone."""
    proof: str
    """What showed it."""
    actions: frozenset[str]
    """Values of `action` that work; empty: all."""

    @property
    def spec(self) -> ToolSpec:
        """What the planner is shown: the same as on every backend."""
        return self.tool.spec


OFFERS: dict[str, Offer] = {}


def offered(
    name: str, *, since: int = LEAST, needs: str = "", actions: tuple[str, ...] = (), proof: str = "software phone"
) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Register a function as the tool `name`; `SetupError` where the sandbox has none of that name."""

    def register(function: Callable[..., Answer]) -> Callable[..., Answer]:
        tool = catalogue().tools.get(name)
        if tool is None:
            raise SetupError(f"`{name}` is no tool of the sandbox; a tool keeps its name on every phone")
        OFFERS[name] = Offer(function, tool, since, needs, proof, frozenset(actions))
        return function

    return register


@lru_cache(maxsize=1)
def offers() -> dict[str, Offer]:
    """Every tool, by name."""
    package = importlib.import_module("device.android.tools")
    for module in pkgutil.iter_modules(package.__path__, prefix="device.android.tools."):
        importlib.import_module(module.name)
    return dict(sorted(OFFERS.items()))
