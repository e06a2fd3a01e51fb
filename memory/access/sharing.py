"""Shared experiences: what one user learned, less their personal details, for others of the same workspace and agent.

1. Only where the user's settings say so for that type of record, and only what `reduce_details` could reduce.
2. A shared experience belongs to nobody, names the record it was made of, and is never the user's own word to others:
   its trust is `agent`, or `external` where the source was no more than that.
3. Withdrawing deletes the shared experience for good, and leaves the private memory.
"""

from collections.abc import Callable, Collection, Sequence

from memory.access.access import Access
from memory.access.reduction import Reduced, names_in, reduce_details
from memory.access.rights import SHARED_OWNER, Action
from memory.audit import Event, Logs
from memory.records import Kind, MemoryRecord, NewRecord, Trust
from memory.store import Embedded, Filter, MemoryStore
from runtime.contract import ErrorCode, ToolFailure

NAMES_FROM = 2000
"""Records of a user that are read for the names in them, the newest."""


class Sharing:
    """Shares experiences of one store, and withdraws them."""

    def __init__(
        self,
        store: MemoryStore,
        embed: Callable[[str], Embedded | None] = lambda text: None,
        audit: Logs | None = None,
    ) -> None:
        self._store, self._embed, self._audit = store, embed, audit

    def share(self, access: Access, memory_id: str, names: Collection[str] = ()) -> MemoryRecord:
        """The shared experience made of a private memory; the one there is, where it was shared before.

        `names`: further names to take out, as of the phone's contacts. A 403 where the user hasn't allowed it, a 409
        for what can't be reduced.
        """
        record = self._store.need(memory_id)
        access.require(Action.SHARE, record)
        if not access.setting(record.kind).sharing:
            raise ToolFailure(
                ErrorCode.PERMISSION_DENIED,
                f"sharing of `{record.kind}` is off for `{access.user}`; switch it on with "
                f"`pocket memory settings {record.kind} --sharing`",
            )
        known = next((one for one in self._store.derived([memory_id]) if one.shared), None)
        if known is not None:
            return known
        reduced = self._reduced(access, record, names)
        new = NewRecord(
            kind=record.kind,
            category=record.category,
            content=reduced.text,
            source="shared experience",
            speaker="agent",
            trust=Trust.EXTERNAL if record.trust is Trust.EXTERNAL else Trust.AGENT,
            importance=record.importance,
            workspace=record.workspace,
            user=SHARED_OWNER,
            agent=record.agent,
            shared=True,
            derived_from=(memory_id,),
        )
        made = self._store.insert(new, self._embed(reduced.text))
        self._log(Event.SHARED, access, memory_id, details=sum(reduced.removed.values()))
        return made

    def shared_by(self, user: str, workspace: str, kinds: Sequence[Kind] = ()) -> list[MemoryRecord]:
        """The shared experiences that were made of a user's memories."""
        every = Filter(workspace=workspace, standing=(), expired=True)
        own = {one.id for _, one in self._store.records(every.model_copy(update={"user": user}))}
        shared = self._store.records(every.model_copy(update={"shared": True, "kinds": tuple(kinds)}))
        return [one for _, one in shared if own.intersection(one.derived_from)]

    def to_withdraw(self, access: Access, memory_id: str) -> list[str]:
        """Ids of the shared experiences of one memory, or the one named; for the eraser. A 404 when there is none."""
        record = self._store.get(memory_id)
        found = [one for one in self._store.derived([memory_id]) if one.shared]
        source = record
        if record is not None and record.shared:
            found = [record]
            source = next(filter(None, map(self._store.get, record.derived_from)), None)
        if source is None or not found:
            raise ToolFailure(
                ErrorCode.NOT_FOUND, f"nothing of `{memory_id[:80]}` is shared; list what you have shared first"
            )
        access.require(Action.SHARE, source)
        self._log(Event.WITHDRAWN, access, memory_id, records=len(found))
        return [one.id for one in found]

    def _reduced(self, access: Access, record: MemoryRecord, names: Collection[str]) -> Reduced:
        mine = self._store.newest(NAMES_FROM, Filter(user=record.user, workspace=record.workspace))
        known = {*names, record.user, *names_in(one.content for _, one in mine)}
        reduced = reduce_details(record.content, known - {"user", ""})
        if reduced.refused:
            self._log(Event.SHARE_REFUSED, access, record.id)
            raise ToolFailure(ErrorCode.CONFLICT, f"`{record.id}` is not shared: {reduced.refused}")
        return reduced

    def _log(self, event: Event, access: Access, subject: str, **counts: int) -> None:
        if self._audit is not None:
            self._audit.append(event, access.name, subject, **counts)
