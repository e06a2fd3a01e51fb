"""Decay: what matters little and is old goes to the archive. Nothing is deleted: `standing="archived"` still finds it.

The strength of a record is its importance, halved with every half-life of its trust class since it was learned. What
the user said of lasting preferences and habits, consolidated memory of the user, and open intentions do not decay.
"""

from datetime import datetime

from pydantic import Field

from memory.lifecycle.subjects import statements
from memory.records import Kind, MemoryRecord, Trust
from memory.store import Filter, MemoryStore
from runtime.contract import CancelToken, Record

STEP = 200
"""Records archived in one transaction."""
_DECAYING = (Kind.EPISODIC, Kind.LONG_TERM)


class Decay(Record):
    """How fast memories fade."""

    user_days: float = Field(default=720.0, gt=0)
    """Half-life of what the user said."""
    agent_days: float = Field(default=360.0, gt=0)
    """Half-life of what an agent derived, and of the system's."""
    external_days: float = Field(default=60.0, gt=0)
    """Half-life of what came from outside."""
    consolidated: float = Field(default=2.0, gt=0)
    """How much longer consolidated memory lasts."""
    floor: float = Field(default=0.05, ge=0, le=1)
    """A record whose strength is below this goes to the archive."""

    def half_life(self, record: MemoryRecord) -> float:
        """Days after which a record counts half."""
        days = {Trust.USER: self.user_days, Trust.EXTERNAL: self.external_days}.get(record.trust, self.agent_days)
        return days * (self.consolidated if record.kind is Kind.LONG_TERM else 1.0)


def strength(record: MemoryRecord, now: str, policy: Decay) -> float:
    """Importance, halved with every half-life since the record was learned."""
    age = datetime.fromisoformat(now) - datetime.fromisoformat(record.created_at)
    days = max(0.0, age.total_seconds() / 86_400)
    return float(record.importance * 0.5 ** (days / policy.half_life(record)))


def lasts(record: MemoryRecord) -> bool:
    """Whether a record does not decay."""
    if record.kind not in _DECAYING:
        return True
    return record.trust is Trust.USER and any(one.strong and one.value for one in statements(record.content))


def decay(
    store: MemoryStore, now: str, own: Filter, cancel: CancelToken | None = None, policy: Decay | None = None
) -> list[str]:
    """Archive what has faded; ids. A cancelled run has archived what it returns."""
    policy = policy or Decay()
    gone: list[str] = []
    faded: list[str] = []
    for _, record in store.records(own.model_copy(update={"kinds": _DECAYING})):
        if cancel is not None and cancel.cancelled:
            break
        if not lasts(record) and strength(record, now, policy) < policy.floor:
            faded.append(record.id)
        if len(faded) == STEP:
            gone += [one.id for one in store.archive(faded)]
            faded = []
    return gone + [one.id for one in store.archive(faded)]
