"""Maintenance of one owner's memory, in stages, each of small durable steps: it may be interrupted anywhere.

    expire -> reconcile -> embed -> consolidate -> merge -> decay -> a review record

1. Deterministic stages come first; the model's candidates are checked by rule, and what the rule can't decide waits.
2. Without an embedder that works, records stay episodic: consolidating and merging are postponed, and the report says
   so. Without a model, merging alone is. The task that runs meanwhile is never blocked.
3. A run goes on where the last one stopped; going over the same records again changes nothing.
"""

from collections.abc import Callable

from memory.lifecycle.consolidate import consolidate, reconcile
from memory.lifecycle.decay import Decay, decay
from memory.lifecycle.embedding import works
from memory.lifecycle.merge import ModelBudget, accept, agrees, merge
from memory.lifecycle.prospective import expire
from memory.lifecycle.reports import MaintenanceReport, StageReport, file, filed
from memory.lifecycle.turns import Scope, Superseded
from memory.records import moment
from memory.reembed import Reembedder
from memory.store import MemoryStore
from runtime.contract import CancelToken, Deadline, Embedder, TextModel

NO_EMBEDDER = "no embedder works; records stay episodic and keywords find them"
NO_MODEL = "no text model is given; rules alone consolidate"


class Maintenance:
    """What keeps a memory in order."""

    def __init__(
        self,
        store: MemoryStore,
        embedder: Embedder | None = None,
        model: TextModel | None = None,
        scope: Scope | None = None,
        policy: Decay | None = None,
        budget: ModelBudget | None = None,
    ) -> None:
        """Over the records of `scope` in `store`; the model is asked within `budget`."""
        self.store, self.embedder, self.model = store, embedder, model
        self.scope = scope or Scope()
        self.policy, self.budget = policy or Decay(), budget or ModelBudget()

    def run(self, now: str | None = None, cancel: CancelToken | None = None) -> MaintenanceReport:
        """Run all stages, or those before `cancel`; the report is filed either way."""
        now, cancel = moment(now or self.store.now()), cancel or CancelToken()
        last = filed(self.store, self.scope, 1)
        self._cursor = last[0].cursor if last else 0
        embeds = works(self.embedder)
        done: list[StageReport] = []
        stages: tuple[Callable[[], StageReport], ...] = (
            lambda: StageReport(stage="expire", archived=tuple(expire(self.store, now, self.scope))),
            lambda: self._reconcile(cancel),
            lambda: self._embed(embeds, cancel),
            lambda: self._consolidate(embeds, cancel),
            lambda: self._merge(embeds, cancel),
            lambda: self._decay(now, cancel),
        )
        for stage in stages:
            done.append(stage())
            if cancel.cancelled:
                done[-1] = done[-1].model_copy(update={"interrupted": True})
                break
        report = MaintenanceReport(started_at=now, stages=tuple(done), cursor=self._cursor)
        return file(self.store, report, self.scope)

    def _reconcile(self, cancel: CancelToken) -> StageReport:
        closed = [Superseded(old=old, new=new) for old, new in reconcile(self.store, self.scope.own(), cancel)]
        return StageReport(stage="reconcile", superseded=tuple(closed))

    def _embed(self, embeds: bool, cancel: CancelToken) -> StageReport:
        """Vectors for records that wait for one."""
        if not embeds or self.embedder is None:
            return StageReport(stage="embed", postponed=NO_EMBEDDER)
        return StageReport(stage="embed", seen=Reembedder(self.store, self.embedder).run(cancel).embedded)

    def _consolidate(self, embeds: bool, cancel: CancelToken) -> StageReport:
        if not embeds:
            return StageReport(stage="consolidate", postponed=NO_EMBEDDER)
        seen, added, versions = 0, [], []
        for step in consolidate(self.store, self.embedder, self.scope.own(), self._cursor, cancel):
            seen, self._cursor = seen + 1, step.seq
            if step.added:
                added.append(step.added)
            if step.version_of:
                versions.append(Superseded(old=step.version_of, new=step.added))
        return StageReport(stage="consolidate", seen=seen, added=tuple(added), superseded=tuple(versions))

    def _merge(self, embeds: bool, cancel: CancelToken) -> StageReport:
        if not embeds or self.embedder is None:
            return StageReport(stage="merge", postponed=NO_EMBEDDER)
        if self.model is None:
            return StageReport(stage="merge", postponed=NO_MODEL)
        pending, added, rejected, calls = [], [], 0, 0
        deadline = (
            Deadline(self.budget.seconds * self.budget.calls, cancel) if self.budget.calls else Deadline(0.0, cancel)
        )
        for made in merge(self.store, self.embedder, self.model, self.scope.own(), deadline, self.budget):
            calls, rejected = calls + 1, rejected + made.rejected
            for candidate in made.pending:
                if agrees(self.store, self.store.need(candidate)):
                    added.append(accept(self.store, candidate, "check", self.embedder).id)
                else:
                    pending.append(candidate)
        return StageReport(stage="merge", seen=calls, added=tuple(added), pending=tuple(pending), rejected=rejected)

    def _decay(self, now: str, cancel: CancelToken) -> StageReport:
        gone = decay(self.store, now, self.scope.own(), cancel, self.policy)
        return StageReport(stage="decay", archived=tuple(gone))
