"""What maintenance did, as a report and as a review record: filed away at once, so that no search takes it for a fact.

A review record holds counts and ids, no text of the user; the next run reads from it where the last one stopped.
"""

from typing import Literal, TypeAlias

from pydantic import ValidationError

from memory.lifecycle.turns import Scope, Superseded
from memory.records import Category, Kind, NewRecord, Trust
from memory.store import MemoryStore
from runtime.contract import Record

Stage: TypeAlias = Literal["expire", "reconcile", "embed", "consolidate", "merge", "decay"]
LISTED = 200
"""Ids that a filed report names of each kind; counts are whole."""


class StageReport(Record):
    """One stage."""

    stage: Stage
    """Its name."""
    seen: int = 0
    """Records looked at."""
    added: tuple[str, ...] = ()
    """Ids of new records."""
    superseded: tuple[Superseded, ...] = ()
    """Earlier versions and contradicted records, kept."""
    archived: tuple[str, ...] = ()
    """Ids of records that were put away."""
    pending: tuple[str, ...] = ()
    """Candidates that wait for a check or a person."""
    rejected: int = 0
    """Candidates that did not hold."""
    postponed: str = ""
    """Why the stage did not run; empty: it ran."""
    interrupted: bool = False
    """It was cancelled; the next run goes on."""


class MaintenanceReport(Record):
    """One run."""

    started_at: str
    """Local, ISO 8601."""
    stages: tuple[StageReport, ...] = ()
    """In their order."""
    cursor: int = 0
    """Place up to which episodic records were consolidated."""
    id: str = ""
    """The review record it was filed under."""

    @property
    def interrupted(self) -> bool:
        """Whether the run was cancelled."""
        return any(stage.interrupted for stage in self.stages)

    @property
    def postponed(self) -> tuple[str, ...]:
        """Why stages did not run, a sentence each."""
        return tuple(f"{stage.stage}: {stage.postponed}" for stage in self.stages if stage.postponed)

    def line(self) -> str:
        """The run in one sentence."""
        added = sum(len(stage.added) for stage in self.stages)
        closed = sum(len(stage.superseded) for stage in self.stages)
        away = sum(len(stage.archived) for stage in self.stages)
        waiting = sum(len(stage.pending) for stage in self.stages)
        text = f"Maintenance: {added} added, {closed} superseded, {away} archived, {waiting} pending"
        return text + (
            f"; postponed: {', '.join(s.stage for s in self.stages if s.postponed)}" if self.postponed else ""
        )


def file(store: MemoryStore, report: MaintenanceReport, scope: Scope) -> MaintenanceReport:
    """Store a report as a review record; the report with the record's id."""
    short = report.model_copy(update={"stages": tuple(map(_short, report.stages))})
    record = store.insert(
        NewRecord.of(
            kind=Kind.REVIEW,
            category=Category.INFO,
            content=report.line(),
            original=short.model_dump_json(),
            source="maintenance",
            speaker="maintenance",
            trust=Trust.SYSTEM,
            importance=0.0,
            standing="archived",
            closed_at=report.started_at,
            valid_from=report.started_at,
            **scope.model_dump(),
        )
    )
    return report.model_copy(update={"id": record.id})


def filed(store: MemoryStore, scope: Scope, limit: int = 20) -> list[MaintenanceReport]:
    """The last reports, newest first; a record that is no report is passed over."""
    found: list[MaintenanceReport] = []
    for _, record in store.newest(limit, scope.own(kinds=(Kind.REVIEW,), standing=())):
        try:
            report = MaintenanceReport.model_validate_json(record.original)
        except ValidationError:
            continue
        found.append(report.model_copy(update={"id": record.id}))
    return found


def _short(stage: StageReport) -> StageReport:
    names = ("added", "superseded", "archived", "pending")
    return stage.model_copy(update={name: getattr(stage, name)[:LISTED] for name in names})
