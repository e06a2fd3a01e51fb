"""Which records count for whoever asks. It is part of every query, so nothing outside it is ever scored.

The same filter is read in two ways that a test holds together: as SQL, and as a predicate over a record's facets, so
that arrays which were read before need no query of their own.
"""

from collections.abc import Callable
from typing import NamedTuple

from pydantic import field_validator

from memory.records import Category, Kind, Standing, moment
from runtime.contract import Record

COMING = """
SELECT later.seq FROM records AS later
WHERE later.valid_from > later.created_at AND later.session = '' AND later.valid_from > ? AND later.standing = 'active'
"""
"""Records that begin to hold later, at a time. What was said in a dialogue held by then, whatever its clock showed."""


class Facets(NamedTuple):
    """What a filter looks at in every record; the columns of the index `records_facets`."""

    workspace: str
    user: str
    agent: str
    shared: int
    kind: str
    category: str
    standing: str


class Owner(NamedTuple):
    """The first of them: to whom a record belongs."""

    workspace: str
    user: str
    agent: str
    shared: int


class KindLimit(Record):
    """What a user wants for their own records of one type; shared experiences are not concerned."""

    kind: Kind
    """Type."""
    session: str | None = None
    """Only those of this session count; None: of all sessions."""
    since: str | None = None
    """Only those learned at this time or later count; None: all."""


class Filter(Record):
    """Records that count; what is left out does not limit."""

    user: str | None = None
    """Those of one user."""
    or_shared: bool = False
    """With `user`: also what others of the workspace share."""
    workspace: str | None = None
    """Those of one workspace."""
    agent: str | None = None
    """Those of one agent, and those that belong to none."""
    shared: bool | None = None
    """Shared ones, or private ones."""
    kinds: tuple[Kind, ...] = ()
    """Of these types."""
    categories: tuple[Category, ...] = ()
    """Of these categories."""
    standing: tuple[Standing, ...] = ("active",)
    """Of this standing; empty: of any."""
    expired: bool = False
    """Also active ones whose valid time is over or has not begun."""
    as_of: str | None = None
    """Those that held at this time; a date is the end of its day. What was superseded since counts as active then."""
    known_at: str | None = None
    """Those that the store knew at this time, likewise."""
    session: str | None = None
    """Of one dialogue or run."""
    subject: str | None = None
    """About one subject."""
    intending: bool = False
    """With an intention."""
    since_seq: int = 0
    """Behind this place."""
    limits: tuple[KindLimit, ...] = ()
    """What the user wants for some types: how long they are kept, whether other sessions may use them."""

    @field_validator("as_of", "known_at")
    @classmethod
    def _end_of_day(cls, value: str | None) -> str | None:
        if not value:
            return None
        at = moment(value)
        return at if "T" in at else f"{at}T23:59:59"

    @property
    def plain(self) -> bool:
        """Facets, place and the end of valid time decide alone."""
        others = (self.as_of, self.known_at, self.session, self.subject)
        return others == (None, None, None, None) and not self.intending and not self.limits

    @property
    def standings(self) -> tuple[str, ...]:
        """Standings that count; looking back, what was superseded or archived since is active."""
        if "active" in self.standing and (self.as_of or self.known_at):
            return (*self.standing, "superseded", *(("archived",) if self.known_at else ()))
        return self.standing

    def owns(self, owner: Owner | Facets) -> bool:
        """Whether records of this owner may count."""
        return (
            (self.user is None or owner.user == self.user or (self.or_shared and bool(owner.shared)))
            and (self.workspace is None or owner.workspace == self.workspace)
            and (self.agent is None or owner.agent in ("", self.agent))
            and (self.shared is None or bool(owner.shared) == self.shared)
        )

    def admits(self, facets: Facets) -> bool:
        """Whether records with these facets may count."""
        return (
            self.owns(facets)
            and (not self.kinds or facets.kind in self.kinds)
            and (not self.categories or facets.category in self.categories)
            and (not self.standing or facets.standing in self.standings)
        )

    def where(self, now: str) -> tuple[str, list[object]]:
        """The condition over the table `records`, with its values."""
        said: list[str] = []
        values: list[object] = []

        def add(condition: str, *given: object) -> None:
            said.append(condition)
            values.extend(given)

        if self.user is not None:
            add("(records.user = ? OR records.shared)" if self.or_shared else "records.user = ?", self.user)
        if self.workspace is not None:
            add("records.workspace = ?", self.workspace)
        if self.agent is not None:
            add("records.agent IN ('', ?)", self.agent)
        if self.shared is not None:
            add("records.shared = ?", int(self.shared))
        for name, some in (("kind", self.kinds), ("category", self.categories), ("standing", self.standings)):
            if some:
                add(f"records.{name} IN ({', '.join('?' * len(some))})", *some)
        if self.since_seq:
            add("records.seq > ?", self.since_seq)
        if self.intending:
            add("records.intention IS NOT NULL")
        for limit in self.limits:
            for column, sign, wanted in (("session", "=", limit.session), ("created_at", ">=", limit.since)):
                if wanted is not None:
                    said_so = f"(records.shared OR records.kind != ? OR records.{column} {sign} ?)"
                    add(said_so, limit.kind.value, wanted)
        self._times(now, add)
        for name, one in (("session", self.session), ("subject", self.subject)):
            if one is not None:
                add(f"records.{name} = ?", one)
                if one:
                    said.append(f"records.{name} != ''")  # so that the partial index serves
        return " AND ".join(said) or "1", values

    def _times(self, now: str, add: Callable[..., None]) -> None:
        if self.as_of is not None:
            held = "records.valid_from <= ? AND (records.valid_to IS NULL OR records.valid_to > ?)"
            add(held, self.as_of, self.as_of)
        elif not self.expired and self.known_at is None:
            add("(records.valid_to IS NULL OR records.standing != 'active' OR records.valid_to > ?)", now)
            add(f"records.seq NOT IN ({COMING})", now)
        if self.known_at is not None:
            known = "records.created_at <= ? AND (records.closed_at IS NULL OR records.closed_at > ?)"
            add(known, self.known_at, self.known_at)
