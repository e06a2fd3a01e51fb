"""The audit log as the deeds of a house see it: opened when it is first needed, and never in their way.

A deed that is done stands, also where the log can't be written (a lost key, a damaged file, a folder that is only
read): a warning says so once. What is wrong with the log is told by `verify`.
"""

import logging
from functools import cached_property
from pathlib import Path

from memory.audit import Audit, AuditEntry, Event
from runtime.contract import PocketError


class DeedLog:
    """One house's log."""

    def __init__(self, path: Path) -> None:
        """`path`: the log's database; nothing is opened yet."""
        self.path = path
        self._warned = False

    @cached_property
    def _log(self) -> Audit:
        return Audit(self.path)

    def append(self, event: Event, actor: str, subject: str = "", **counts: int) -> None:
        """Add an entry, or warn that there is none."""
        try:
            self._log.append(event, actor, subject, **counts)
        except (PocketError, OSError) as error:
            if not self._warned:
                logging.getLogger(__name__).warning("done, but not logged: %s", error)
            self._warned = True

    def entries(self, limit: int = 100) -> list[AuditEntry]:
        """The newest entries, newest first."""
        return self._log.entries(limit)

    def verify(self) -> list[str]:
        """What is wrong with the log; nothing where there never was one."""
        if not any(self.path.with_suffix(suffix).exists() for suffix in (self.path.suffix, ".key", ".anchor")):
            return []
        try:
            return self._log.verify()
        except (PocketError, OSError) as error:
            return [str(error)]

    def close(self) -> None:
        """Close the file."""
        if "_log" in self.__dict__:
            self._log.close()
