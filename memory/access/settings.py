"""What a user wants for each type of record: how long it is kept, whether other sessions may use it, whether it may be
shared. Defaults: for good, yes, no."""

from pydantic import Field

from memory.records import Kind
from runtime.contract import Database, Record


class KindSetting(Record):
    """The wishes for one type of record."""

    kind: Kind
    """Type."""
    retention_days: int | None = Field(default=None, ge=0, le=36_500)
    """Days after which a record is forgotten; None: never."""
    reuse: bool = True
    """Whether other sessions than the one it came from may use it."""
    sharing: bool = False
    """Whether its experiences may be shared, less their personal details."""


class SettingsTable:
    """The settings of all users."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, user: str, workspace: str) -> tuple[KindSetting, ...]:
        """What a user set; types without a setting have the defaults."""
        query = (
            "SELECT kind, retention_days, reuse, sharing FROM settings WHERE user = ? AND workspace = ? ORDER BY kind"
        )
        rows = self._database.execute(query, (user, workspace)).fetchall()
        return tuple(
            KindSetting(kind=row[0], retention_days=row[1], reuse=bool(row[2]), sharing=bool(row[3])) for row in rows
        )

    def put(self, user: str, workspace: str, setting: KindSetting) -> KindSetting:
        """Keep a setting; what it was before."""
        before = next((one for one in self.of(user, workspace) if one.kind is setting.kind), None)
        values = (user, workspace, setting.kind.value, setting.retention_days, int(setting.reuse), int(setting.sharing))
        with self._database.writing():
            self._database.execute("INSERT OR REPLACE INTO settings VALUES (?, ?, ?, ?, ?, ?)", values)
        return before or KindSetting(kind=setting.kind)

    def users(self) -> list[tuple[str, str]]:
        """User and workspace of everybody who set something."""
        return [tuple(row) for row in self._database.execute("SELECT DISTINCT user, workspace FROM settings")]

    def drop(self, user: str) -> int:
        """Forget a user's settings; how many there were."""
        with self._database.writing():
            return int(self._database.execute("DELETE FROM settings WHERE user = ?", (user,)).rowcount)
