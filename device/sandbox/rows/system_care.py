"""What keeps a phone going for years: backups, its users, the health of its battery."""

from dataclasses import dataclass

from device.sandbox.api import Sandbox, plant, row


@row("backup")
@dataclass(frozen=True, slots=True)
class Backup:
    """The backup to the cloud: one row."""

    state: str = "idle"
    """`idle`, `running` (done when the clock reaches `ready_at`) or `waiting` for power."""
    ready_at: str = ""
    """ISO second at which the running backup is complete."""
    automatic: bool = False
    """Whether the phone makes backups by itself."""
    frequency: str = "weekly"
    """`daily`, `weekly` or `monthly`, of automatic backups."""


@row("user_profiles", key="name")
@dataclass(frozen=True, slots=True)
class UserProfile:
    """One user of the phone, with apps and files of their own."""

    name: str
    """As shown when switching."""
    kind: str = "user"
    """`owner`, `guest` or `user`."""
    active: bool = False
    """Who is using the phone now; one profile is."""


@row("battery_health")
@dataclass(frozen=True, slots=True)
class BatteryHealth:
    """How worn the battery is, and what spares it: one row."""

    capacity: int = 91
    """Percent of what it held when new."""
    cycles: int = 412
    """Full charges so far."""
    charge_limit: int = 100
    """Percent at which charging stops."""


@plant
def user_profiles(phone: Sandbox) -> None:
    """The owner, who uses the phone, and a guest."""
    phone.table(UserProfile).insert(UserProfile("Owner", "owner", active=True))
    phone.table(UserProfile).insert(UserProfile("Guest", "guest"))
