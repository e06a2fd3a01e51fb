"""What has outlived the time for which its user wants it kept. Searches leave it out at once; here it is found for the
eraser, which takes it away for good."""

from datetime import datetime, timedelta

from memory.access.settings import SettingsTable
from memory.store import Filter, MemoryStore


def outlived(store: MemoryStore, settings: SettingsTable, now: datetime) -> dict[tuple[str, str], list[str]]:
    """Ids of records by user and workspace, oldest first."""
    found: dict[tuple[str, str], list[str]] = {}
    for user, workspace in settings.users():
        for wish in settings.of(user, workspace):
            if wish.retention_days is None:
                continue
            since = (now - timedelta(days=wish.retention_days)).isoformat(timespec="seconds")
            every = Filter(user=user, workspace=workspace, kinds=(wish.kind,), standing=(), expired=True, shared=False)
            old = [record.id for _, record in store.records(every) if record.created_at < since]
            if old:
                found.setdefault((user, workspace), []).extend(old)
    return found
