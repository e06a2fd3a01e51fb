"""Android's milliseconds and the sandbox's local times."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from device.sandbox.rows.system_settings import Region
from device.sandbox.sandbox import Sandbox


def zone(phone: Sandbox) -> ZoneInfo:
    """The phone's time zone."""
    return ZoneInfo(phone.one(Region).timezone)


def to_ms(phone: Sandbox, local: datetime | str) -> int:
    """Milliseconds since 1970 of a local time."""
    moment = datetime.fromisoformat(local) if isinstance(local, str) else local
    return int(moment.replace(tzinfo=zone(phone)).timestamp() * 1000)


def from_ms(phone: Sandbox, milliseconds: int) -> datetime:
    """The local time, naive."""
    return datetime.fromtimestamp(milliseconds / 1000, zone(phone)).replace(tzinfo=None)


def day_ms(day: str) -> int:
    """Midnight UTC of a day, as all-day events have it."""
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() * 1000)


def day_of(milliseconds: int) -> str:
    """The day of an all-day event."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).date().isoformat()
