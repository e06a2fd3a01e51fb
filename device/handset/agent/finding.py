"""Methods of uiautomator2's server that look for nodes; the list of all is in `methods.py`."""

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from device.handset.agent.selector import info, matches
from device.handset.screens.node import Node, Window

if TYPE_CHECKING:
    from device.handset.handset import Handset
    from device.handset.screens.ui import Ui

_POLL = 0.03


class NotFound(Exception):  # noqa: N818 - Java's UiObjectNotFoundException
    """No node fits."""


class Finding:
    """Which nodes are meant, and what they say."""

    def __init__(self, phone: "Handset") -> None:
        self.phone = phone
        self._named: dict[str, Callable[[], Node | None]] = {}

    @property
    def ui(self) -> "Ui":
        """The screen as it is now: a reset makes another."""
        return self.phone.ui

    def windows(self) -> list[Window]:
        """As a search sees them: the one with the focus first."""
        return sorted(self.ui.windows(), key=lambda window: window.kind != "application")

    # finding

    def _all(self, selector: Any) -> list[Node]:
        if isinstance(selector, str):
            finder = self._named.get(selector)
            node = finder() if finder is not None else None
            return [] if node is None else [node]
        return matches(self.windows(), selector)

    def _need(self, selector: Any) -> Node:
        found = self._all(selector)
        if not found:
            raise NotFound(f"UiSelector{selector}")
        return found[0]

    def exist(self, selector: Any) -> bool:
        """Whether a node fits."""
        return bool(self._all(selector))

    def count(self, selector: Any) -> int:
        """How many fit."""
        return len(self._all(selector))

    def obj_info(self, selector: Any) -> dict[str, Any]:
        """What the first one says."""
        return info(self._need(selector))

    def obj_info_of_all_instances(self, selector: Any) -> list[dict[str, Any]]:
        """What each says."""
        return [info(node) for node in self._all(selector)]

    async def wait_for_exists(self, selector: Any, timeout: int = 10_000) -> bool:
        """Whether one fits within the time."""
        return await self._until(lambda: self.exist(selector), timeout)

    async def wait_until_gone(self, selector: Any, timeout: int = 10_000) -> bool:
        """Whether none fits any more within the time."""
        return await self._until(lambda: not self.exist(selector), timeout)

    async def _until(self, holds: Callable[[], bool], milliseconds: int) -> bool:
        end = time.monotonic() + milliseconds / 1000
        while not holds():
            if time.monotonic() >= end:
                return False
            await asyncio.sleep(_POLL)
        return True

    def _child(self, collection: Any, pattern: Any, fits: Callable[[Node], bool]) -> str:
        def find() -> Node | None:
            for holder in self._all(collection):
                for node in matches([Window("", "", holder)], pattern):
                    if node is not holder and any(fits(inner) for inner in node.walk()):
                        return node
            return None

        if find() is None:
            raise NotFound(f"UiSelector{pattern} in UiSelector{collection}")
        name = f"object_{len(self._named) + 1}"
        self._named[name] = find
        return name

    def child_by_text(self, collection: Any, pattern: Any, text: str, scroll: bool = False) -> str:
        """The child of a collection that holds a text; the answer names it for later calls."""
        return self._child(collection, pattern, lambda node: node.text == text)

    def child_by_description(self, collection: Any, pattern: Any, text: str, scroll: bool = False) -> str:
        """The same by description."""
        return self._child(collection, pattern, lambda node: node.desc == text)

    def child_by_instance(self, collection: Any, pattern: Any, instance: int) -> str:
        """The same by its place."""

        def find() -> Node | None:
            holders = self._all(collection)
            found = matches([Window("", "", holders[0])], pattern) if holders else []
            return found[instance] if instance < len(found) else None

        if find() is None:
            raise NotFound(f"instance {instance} of UiSelector{pattern}")
        name = f"object_{len(self._named) + 1}"
        self._named[name] = find
        return name
