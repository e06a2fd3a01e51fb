"""A sample becomes a store of its own, by capture alone; its snapshot is used again when it is the very same."""

import hashlib
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import numpy as np

from evalkit.memory.artifacts import Log
from evalkit.memory.dataset import Sample, Turn
from memory.lifecycle.turns import CaptureReport, SourceTurn
from memory.records import Trust
from memory.service import ALL, MemoryService
from runtime.contract import Embedder, Json, PocketError
from runtime.contract.base import canonical_json

_AGENTS = frozenset({"assistant", "agent", "system"})


def opened(sample: Sample, number: int, path: Path, embedder: Embedder, log: Log) -> tuple[MemoryService, Json]:
    """The sample's memory and the account of its ingestion; made anew unless the snapshot is the one in the log."""
    key = f"{number:04d}"
    kept = log.get(key)
    if kept is not None and path.exists() and kept["sample"] == sample.id:
        same = _same(sample, path, embedder, kept["fingerprint"])
        if same is not None:
            return same, kept
    for old in path.parent.glob(f"{path.name}*"):
        old.unlink()
    service = _service(sample, path, embedder)
    report = service.capture([_source(turn) for turn in sample.turns])
    account = {**_account(report, service), "sample": sample.id, "turns": len(sample.turns)}
    return service, log.put(key, {**account, "fingerprint": snapshot_of(service, embedder.identity)})


def _same(sample: Sample, path: Path, embedder: Embedder, fingerprint: str) -> MemoryService | None:
    """The memory of a snapshot; None where it is another one by now, or damaged."""
    try:
        service = _service(sample, path, embedder)
    except PocketError:
        return None
    with suppress(PocketError, ValueError, TypeError):
        if snapshot_of(service, embedder.identity) == fingerprint:
            return service
    service.close()
    return None


def snapshot_of(service: MemoryService, identity: str) -> str:
    """Digest of all records and their vectors, 16 hex digits."""
    digest = hashlib.sha256()
    for _, record in service.store.records(ALL):
        digest.update(canonical_json(record.model_dump(mode="json")).encode())
    for seq, vector in service.store.vectors(identity, ALL):
        digest.update(seq.to_bytes(8, "big") + np.frombuffer(vector, np.float32).tobytes())
    return digest.hexdigest()[:16]


def _service(sample: Sample, path: Path, embedder: Embedder) -> MemoryService:
    """A memory whose clock stands at the last turn, so that a snapshot is the same whenever it is made."""
    now = datetime.fromisoformat(sample.latest)
    return MemoryService(path, embedder, lambda: now)


def _source(turn: Turn) -> SourceTurn:
    trust = Trust.AGENT if turn.speaker in _AGENTS else Trust.USER
    return SourceTurn(session=turn.session, turn=turn.id, order=turn.order, speaker=turn.speaker, text=turn.text,
                      at=turn.at, trust=trust)  # fmt: skip


def _account(report: CaptureReport, service: MemoryService) -> Json:
    """Ingestion, quality of summaries and fidelity apart, and which turns are not to be found."""
    superseded = {old.old for old in report.superseded}
    closed = [record.turn for _, record in service.store.records(ALL) if record.id in superseded]
    return {
        "records": len(report.ingested),
        "skipped": {one.turn: one.reason for one in report.skipped},
        "failed": {one.turn: one.problem for one in report.failures},
        "superseded": closed,
        "quality": report.quality,
        "faithful": report.faithful,
        "unembedded": report.unembedded,
    }
