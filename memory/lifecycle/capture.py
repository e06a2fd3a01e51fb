"""Capture: turns become episodic records, without a model call.

    turns -> known? recalled, boot text, junk? (junk.py) -> pieces (pieces.py) -> validate (validate.py)
          -> vectors, before any lock -> one transaction a batch: duplicate? closes what? (supersede.py) -> report

A turn lands whole or not at all. Without an embedder, or when it fails, records wait for their vectors and keywords
find them. External text stays external: nothing that is captured raises trust, and no kind but episodic (and a wish for
later, prospective) is made here.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from memory.lifecycle.embedding import embed
from memory.lifecycle.intentions import intention_in
from memory.lifecycle.junk import Known, news
from memory.lifecycle.pieces import Piece, pieces
from memory.lifecycle.supersede import write
from memory.lifecycle.text import whole, words
from memory.lifecycle.turns import CaptureReport, Failed, Reason, Scope, Skipped, SourceTurn, Superseded
from memory.lifecycle.validate import check
from memory.lifecycle.weight import category_of, importance_of
from memory.records import MAX_ORIGINAL, Kind, NewRecord, Trust, moment
from memory.store import Embedded, MemoryStore
from runtime.contract import Embedder, ToolFailure

BATCH = 128
"""Turns of one transaction."""
_ANSWERS = ("yes", "no", "yeah", "yep", "yup", "nope", "correct", "exactly", "definitely", "never")


@dataclass
class _Draft:
    """A record to be."""

    turn: SourceTurn
    new: NewRecord
    faithful: bool
    quality: float
    embedded: Embedded | None = None


@dataclass
class _Tally:
    """What becomes a report."""

    turns: int = 0
    ingested: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    failures: list[Failed] = field(default_factory=list)
    superseded: list[Superseded] = field(default_factory=list)
    faithful: int = 0
    quality: float = 0.0
    unembedded: int = 0

    def skip(self, turn: SourceTurn, reason: Reason, stands: str = "") -> None:
        """Count a turn that is left out."""
        self.skipped.append(Skipped(session=turn.session, turn=turn.turn, reason=reason, stands=stands))

    def fail(self, turn: SourceTurn, problem: str) -> None:
        """Count a turn that failed."""
        self.failures.append(Failed(session=turn.session, turn=turn.turn, problem=problem))

    def report(self) -> CaptureReport:
        """The account."""
        made = len(self.ingested)
        waiting = f"{self.unembedded:,} records wait for a vector; keywords find them" if self.unembedded else ""
        return CaptureReport(
            ingested=tuple(self.ingested),
            skipped=tuple(self.skipped),
            failures=tuple(self.failures),
            superseded=tuple(self.superseded),
            turns=self.turns,
            faithful=self.faithful,
            quality=round(self.quality / made, 4) if made else 1.0,
            unembedded=self.unembedded,
            note=waiting,
        )


def capture(
    store: MemoryStore,
    turns: Iterable[SourceTurn],
    embedder: Embedder | None = None,
    scope: Scope | None = None,
    boot: Sequence[str] = (),
    shown: Sequence[str] = (),
) -> CaptureReport:
    """Store what is new in `turns`, in their order.

    `boot` are the standing texts of the agent, `shown` the evidence that was shown in this task; neither is captured.
    A turn that can't be stored is in `failures`; a file that can't be written raises `InfrastructureError`, and the
    batches before it are safe.
    """
    return _Capture(store, embedder, scope or Scope(), Known(boot), Known(shown)).run(turns)


def store_before_compression(
    store: MemoryStore,
    turns: Sequence[SourceTurn],
    embedder: Embedder | None = None,
    scope: Scope | None = None,
    boot: Sequence[str] = (),
    shown: Sequence[str] = (),
) -> CaptureReport:
    """Before a context is compressed, store what it holds and memory lacks; what was captured is passed over."""
    return capture(store, turns, embedder, scope, boot, shown)


class _Capture:
    """One run of capture."""

    def __init__(self, store: MemoryStore, embedder: Embedder | None, scope: Scope, boot: Known, shown: Known) -> None:
        self.store, self.embedder, self.scope = store, embedder, scope
        self.boot, self.shown = boot, shown
        self.tally = _Tally()
        self._before: SourceTurn | None = None

    def run(self, turns: Iterable[SourceTurn]) -> CaptureReport:
        """All turns, a batch at a time."""
        for batch in _batches(turns):
            self._batch(batch)
        return self.tally.report()

    def _batch(self, batch: list[SourceTurn]) -> None:
        generation, known = self.store.generation(), self._known(batch)
        made = [drafts for turn in batch if (drafts := self._drafts(turn, known))]
        vectors = embed(self.embedder, [draft.new.content for drafts in made for draft in drafts])
        with self.store.writing():
            if self.store.generation() != generation:
                known = self._known(batch)  # another process wrote meanwhile
            taken = iter(vectors)
            for drafts in made:
                for draft, embedded in zip(drafts, islice(taken, len(drafts)), strict=True):
                    draft.embedded = embedded
                self._write(drafts, known)

    def _known(self, batch: list[SourceTurn]) -> set[tuple[str, str]]:
        """(session, turn) of what was captured before, whatever became of it."""
        sessions = {turn.session for turn in batch if turn.session and turn.turn}
        own = self.scope.own(standing=(), expired=True)
        return {
            (record.session, record.turn)
            for session in sessions
            for _, record in self.store.records(own.model_copy(update={"session": session}))
        }

    def _drafts(self, turn: SourceTurn, known: set[tuple[str, str]]) -> list[_Draft]:
        """Records to be made of a turn; none for one that is left out or fails."""
        self.tally.turns += 1
        before, self._before = self._before, turn
        if problem := _unreadable(turn):
            self.tally.fail(turn, problem)
            return []
        if turn.session and turn.turn and (turn.session, turn.turn) in known:
            self.tally.skip(turn, "known")
            return []
        just_said = before is not None and before.session == turn.session and before.trust is Trust.USER
        text, reason = news(turn, self.boot, self.shown, Known([before.text] if before and just_said else ()))
        if reason == "junk" and _answers(turn, before):
            text, reason = turn.text, None
        if reason is not None:
            self.tally.skip(turn, reason)
            return []
        try:
            parts = [Piece(text, turn.summary)] if turn.summary else pieces(text, turn.trust)
            return [self._draft(turn, part) for part in parts]
        except (ToolFailure, ValueError) as failure:
            self.tally.fail(turn, str(failure))
            return []

    def _draft(self, turn: SourceTurn, piece: Piece) -> _Draft:
        """One record to be; a `ValueError` for a summary that may not be stored."""
        checked = check(piece.content, piece.original)
        if checked.problems:
            raise ValueError("; ".join(checked.problems))
        if turn.summary and checked.unfaithful:
            raise ValueError(f"the summary says what the turn doesn't: {'; '.join(checked.unfaithful)}. Correct it")
        wish = intention_in(piece.content) if turn.trust is Trust.USER else None
        new = NewRecord.of(
            kind=Kind.PROSPECTIVE if wish else Kind.EPISODIC,
            category=category_of(piece.content),
            content=piece.content,
            original="" if piece.original == piece.content else piece.original,
            source=turn.source,
            speaker=turn.speaker,
            trust=turn.trust,
            importance=importance_of(piece.content, turn.trust),
            valid_from=turn.at,
            session=turn.session,
            turn=turn.turn,
            order=turn.order,
            intention=wish,
            **self.scope.model_dump(),
        )
        return _Draft(turn, new, not checked.unfaithful, checked.quality)

    def _write(self, drafts: list[_Draft], known: set[tuple[str, str]]) -> None:
        """All records of one turn, but those that memory has already."""
        turn = drafts[0].turn
        if turn.session and turn.turn and (turn.session, turn.turn) in known:
            self.tally.skip(turn, "known")
            return
        own, fresh, stands = self.scope.own(), 0, ""
        for draft in drafts:
            same = self.store.same_content(draft.new.content, own)
            if same is not None and same.speaker.casefold() == draft.new.speaker.casefold():
                stands = same.id
                continue
            self._keep(draft)
            fresh += 1
        if not fresh:
            self.tally.skip(turn, "duplicate", stands)
        elif turn.turn:
            known.add((turn.session, turn.turn))

    def _keep(self, draft: _Draft) -> None:
        written = write(self.store, draft.new, draft.embedded, self.scope.own())
        self.tally.ingested.append(written.record.id)
        self.tally.superseded += [Superseded(old=old, new=written.record.id) for old in written.closed]
        self.tally.faithful += draft.faithful
        self.tally.quality += draft.quality
        self.tally.unembedded += draft.embedded is None


def _batches(turns: Iterable[SourceTurn]) -> Iterator[list[SourceTurn]]:
    left = iter(turns)
    while batch := list(islice(left, BATCH)):
        yield batch


def _unreadable(turn: SourceTurn) -> str:
    """Why a turn can't be captured at all; empty when it can."""
    size = len(turn.text.encode("utf-8", "surrogatepass"))
    if size > MAX_ORIGINAL:
        return f"the turn has {size:,} bytes; the limit is {MAX_ORIGINAL:,}. Split it, or keep it as a file"
    if not whole(turn.text):
        return "the turn holds half a character (a lone surrogate); send whole text"
    try:
        moment(turn.at or "2000-01-01")
    except ValueError as error:
        return f"`at` is `{turn.at[:40]}`: {error}. Give a date that exists, in ISO 8601"
    return ""


def _answers(turn: SourceTurn, before: SourceTurn | None) -> bool:
    """Whether a turn of one word is the answer to the question before it."""
    asked = before is not None and before.session == turn.session and before.speaker != turn.speaker
    first = next(iter(words(turn.text)), "")
    return asked and before is not None and before.text.rstrip().endswith("?") and first in _ANSWERS
