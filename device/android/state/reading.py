"""One look at a phone: every command is run at most once, so that what is read together belongs together."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from device.android.shell import Result, Shell
from device.android.state import content
from runtime.contract import Deadline

Rows = dict[str, dict[str, Any]]
"""Rows of one table by key."""
_SETTING = re.compile(r"([A-Za-z][\w.:/-]*)=(.*)")


class Reading:
    """A look that remembers what it saw."""

    def __init__(self, shell: Shell, deadline: Deadline) -> None:
        self.shell = shell
        self.deadline = deadline
        self._seen: dict[tuple[str, ...], Result] = {}

    def result(self, *words: str) -> Result:
        """A command's result."""
        if words not in self._seen:
            self._seen[words] = self.shell.run(*words, deadline=self.deadline)
        return self._seen[words]

    def text(self, *words: str) -> str:
        """A command's output."""
        return self.result(*words).text

    def settings(self, namespace: str) -> dict[str, str]:
        """All values of `system`, `secure` or `global`; for numbers and names, not for free text."""
        return settings_of(self.text("settings", "list", namespace))

    def setting(self, namespace: str, key: str) -> str:
        """One value, whole; empty where there is none."""
        value = self.text("settings", "get", namespace, key)
        return "" if value == "null" else value

    def rows(
        self, uri: str, numbers: Sequence[str], texts: Sequence[str] = (), where: str = ""
    ) -> list[dict[str, str]]:
        """Rows of a content provider."""
        return content.query(self.text, uri, numbers, texts, where)

    def now(self) -> datetime:
        """The phone's local time."""
        return datetime.fromisoformat(self.text("date", "+%Y-%m-%dT%H:%M:%S"))


def settings_of(text: str) -> dict[str, str]:
    """`key=value` lines; the first of a key counts, because a later one may be a line of somebody's text."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        if match := _SETTING.fullmatch(line):
            found.setdefault(match[1], match[2])
    return found
