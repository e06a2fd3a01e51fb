"""What a watch and a scale wrote down."""

from dataclasses import dataclass

from device.sandbox.api import row


@row("health_records", key="id")
@dataclass(frozen=True, slots=True)
class HealthRecord:
    """One measured value of one day."""

    id: str
    """Seeded id."""
    kind: str
    """`steps`, `weight`, `sleep` or `heart_rate`."""
    date: str
    """Day."""
    value: float
    """In `unit`."""
    unit: str
    """`steps`, `kilograms`, `hours` or `beats per minute`."""
