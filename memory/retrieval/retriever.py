"""Retrieval: a question becomes an evidence set.

    question -> shape (query.py) -> vector of its spoken form (meaning.py), lists of its words (postings.py)
    -> the score of every turn that the filter lets through (scoring.py)
    -> several parts? the ledger and a second look (ledger.py) -> records, successors first, each once (assembly.py)
    -> order, budget, note

The filter comes first: what it does not let through is not scored, counted or named.
"""

from dataclasses import replace
from typing import Literal

import numpy as np

from memory.records import Kind, MemoryRecord
from memory.retrieval import assembly, closer
from memory.retrieval.assembly import Found
from memory.retrieval.changes import later_first
from memory.retrieval.context import Context, Floats, Ints
from memory.retrieval.evidence import Evidence, EvidenceSet
from memory.retrieval.ledger import best_of, examine
from memory.retrieval.meaning import Meaning
from memory.retrieval.notes import note_on
from memory.retrieval.postings import Postings
from memory.retrieval.query import QueryShape, shape_of
from memory.retrieval.scoring import UNKNOWN, Scored, Scorer
from memory.retrieval.weights import DEFAULT, Weights
from memory.store import NOW, Filter, MemoryStore, Vector
from runtime.contract import Embedder

POOL = 3
"""Turns that are looked at closely, as a multiple of those that are asked for."""
LEAST_POOL = 24
"""At least so many."""
RECENT_POOL = 4
"""`recent` orders this many times `limit` of the most relevant records by time."""
NAMES = 0.01
"""A sign that adds less to a score is not named as a reason."""
SIMILAR = 0.3
"""Cosine from which a turn that is left out is counted as a candidate."""
ANSWERS = tuple(kind for kind in Kind if kind is not Kind.REVIEW)
"""What may be evidence: a review documents maintenance and is never authoritative."""
_VIA = {"words": "words", "window": "context", "meaning": "meaning", "named": "name", "date": "date", "time": "time",
        "answer": "answer"}  # fmt: skip


class Retriever:
    """Searches one store; for one thread, as its store is."""

    def __init__(self, store: MemoryStore, embedder: Embedder | None = None, weights: Weights = DEFAULT) -> None:
        self.store, self.weights = store, weights
        self.meaning = Meaning(store, embedder)
        self.context = Context(store)
        self.postings = Postings(store, self.context)
        self.scorer = Scorer(self.context, self.postings, weights)

    def search(
        self,
        query: str,
        *,
        filter: Filter = NOW,
        limit: int = 10,
        budget_tokens: int | None = None,
        as_of: str | None = None,
        mode: Literal["relevance", "recent"] = "relevance",
    ) -> EvidenceSet:
        """Evidence for a question among the records that `filter` lets through.

        `as_of`: what held at that time. `recent`: the most relevant ones, latest first. Each turn stands once, unless
        another of its records names more of the question. An empty question or a limit below 1 finds nothing.
        """
        which = _answering(filter, as_of)
        if limit < 1 or not query.strip():
            return EvidenceSet(query=shape_of(query), budget=budget_tokens, note="nothing was asked")
        self._follow()
        shape = shape_of(query, self.context.heard(which))
        vector = self.meaning.ready(shape.spoken)
        with self.store.reading():
            self._follow()
            return _Search(self, shape, which, vector).answer(limit, budget_tokens, mode)

    def scored(self, query: str, filter: Filter = NOW) -> Scored:
        """All turns that count with their scores and the signs behind them: what weights are fitted on."""
        self._follow()
        which = _answering(filter, None)
        shape = shape_of(query, self.context.heard(which))
        vector = self.meaning.ready(shape.spoken)
        with self.store.reading():
            self._follow()
            search = _Search(self, shape, which, vector)
            return self.scorer.score(shape, search.rows, search.cosines)

    def turn_ids(self) -> list[str]:
        """The source turn of each turn of `scored`."""
        firsts = self.context.seqs[self.context.starts].tolist()
        records = self.store.by_seq(firsts)
        return [records[seq].turn if seq in records else "" for seq in firsts]

    def forget(self) -> None:
        """Drop what this process remembers of texts."""
        self.meaning.forget()

    def _follow(self) -> None:
        if self.context.follow():
            self.postings.clear()


class _Search:
    """One search."""

    def __init__(self, retriever: Retriever, shape: QueryShape, which: Filter, vector: Vector | None) -> None:
        self.retriever, self.shape, self.which = retriever, shape, which
        self.store, self.context = retriever.store, retriever.context
        self.rows, self.cosines = self._rows(vector)
        self.vector = vector
        self.cosine_of = np.full(len(self.context.seqs), UNKNOWN)
        self.cosine_of[self.rows] = self.cosines
        self.admitted = np.zeros(len(self.context.seqs), np.bool_)
        self.admitted[self.rows] = True

    def answer(self, limit: int, budget: int | None, mode: Literal["relevance", "recent"] = "relevance") -> EvidenceSet:
        """The evidence set."""
        scored = self.retriever.scorer.score(self.shape, self.rows, self.cosines)
        if not self.shape.clauses:
            scored = self._closer(self.shape, scored, self.vector)
        wanted = limit * RECENT_POOL if mode == "recent" else limit
        turns = best_of(scored, max(POOL * wanted, LEAST_POOL))
        if self.shape.clauses:
            turns, _ = examine(self.shape, turns, self.context.heard(self.which), self._scored_part)
        found, repeated = assembly.once(self._found(turns, scored), self.shape.kind == "collection")
        found = self._holding(assembly.successors_first(assembly.own_first(found, self.shape)))[:wanted]
        if mode == "recent":
            found = sorted(found, key=lambda one: (one.record.created_at, one.seq), reverse=True)
        items = assembly.within(self._items(found, limit), budget)
        by_time = self.shape.kind == "order" and mode == "relevance"
        shown = sorted(items, key=lambda item: (item.record.valid_from, item.rank)) if by_time else items
        return EvidenceSet(
            items=tuple(shown),
            query=self.shape,
            order="time" if by_time else "relevance",
            left_out=max(self._candidates(scored) - len({item.record.id for item in items}), 0),
            repeated=repeated,
            searched=len(self.rows),
            tokens=sum(item.tokens for item in items),
            budget=budget,
            note=self._note(scored, items),
        )

    def _rows(self, vector: Vector | None) -> tuple[Ints, Floats]:
        """Rows of all that count, with their cosines."""
        seqs, cosines = self.retriever.meaning.compared(vector, self.which)
        known = seqs <= self.context.highest
        rows = self.context.row_of[seqs[known]]
        return rows[rows >= 0], cosines[known][rows >= 0]

    def _scored_part(self, part: QueryShape) -> Scored:
        """The scores of all turns for a part of the question."""
        vector = self.retriever.meaning.ready(part.spoken)
        rows, cosines = self._rows(vector)
        return self._closer(part, self.retriever.scorer.score(part, rows, cosines), vector)

    def _closer(self, shape: QueryShape, scored: Scored, vector: Vector | None) -> Scored:
        """Among very many turns, the first ones by their sentences."""
        if vector is None or self.context.turns < closer.LONG:
            return scored
        room = closer.MOST // max(len(self.shape.clauses), 1)
        turns = best_of(scored, closer.POOL * room)
        seqs = {turn: int(self.context.seqs[self._nearest(turn)]) for turn in turns}
        texts = self.store.contents(list(seqs.values()))
        said = {turn: texts.get(seq, "") for turn, seq in seqs.items()}
        heard = [name for name in shape.names if self.admitted[self.retriever.postings.word(name)].any()]
        found = closer.chosen(turns, said, shape.words, room, heard)
        total = closer.looked(scored, found, vector, self.retriever.meaning.embed, self.retriever.weights)
        return replace(scored, total=total)

    def _nearest(self, turn: int) -> int:
        """The row of a turn that is nearest to the question."""
        return max(self._rows_of(turn), key=lambda row: float(self.cosine_of[row]))

    def _holding(self, found: list[Found]) -> list[Found]:
        """What holds now before what held."""
        index = self.retriever.meaning.index
        if index is None or not self.shape.present or self.which.as_of:
            return found
        return later_first(found, index.vectors([one.seq for one in found]), self.shape)

    def _found(self, turns: list[int], scored: Scored) -> list[Found]:
        """The records that speak for each turn."""
        rows = {turn: self._rows_of(turn) for turn in turns}
        every = np.array(sorted(row for some in rows.values() for row in some), np.int64)
        records = self.store.by_seq(self.context.seqs[every].tolist(), self.which)
        named = self._named(every)
        found = []
        for turn in turns:
            heard: set[int] = set()
            own = sorted(rows[turn], key=lambda row: (-len(named[row]), -float(self.cosine_of[row]), row))
            for place, row in enumerate(own):
                seq = int(self.context.seqs[row])
                if seq in records and (not place or named[row] - heard):
                    heard |= named[row]
                    near = float(self.cosine_of[row])
                    found.append(Found(seq, records[seq], float(scored.total[turn]), self._via(turn, scored), near))
        return found

    def _rows_of(self, turn: int) -> list[int]:
        starts = self.context.starts
        end = int(starts[turn + 1]) if turn + 1 < len(starts) else len(self.context.seqs)
        return [row for row in range(int(starts[turn]), end) if self.admitted[row]]

    def _named(self, rows: Ints) -> dict[int, set[int]]:
        """Which of the question's words each of these rows names, by number."""
        named: dict[int, set[int]] = {int(row): set() for row in rows}
        for number, word in enumerate(self.shape.words):
            listed = self.retriever.postings.word(word)
            places = np.minimum(np.searchsorted(listed, rows), max(len(listed) - 1, 0))
            for row in rows[listed[places] == rows].tolist() if len(listed) else ():
                named[row].add(number)
        return named

    def _via(self, turn: int, scored: Scored) -> tuple[str, ...]:
        weights = self.retriever.weights
        named = [
            name
            for sign, name in _VIA.items()
            if sign in scored.signs and getattr(weights, sign) * scored.signs[sign][turn] > NAMES
        ]
        return (*named, *(("speaker",) if self.shape.people and scored.speaks[turn] else ()))

    def _items(self, found: list[Found], limit: int) -> list[Evidence]:
        """Evidence by rank, with what each one replaced; for a question about a change that too, right behind."""
        items: list[Evidence] = []
        shown: set[str] = set()
        subjects: set[tuple[str, ...]] = set()
        for one in found:
            record = one.record
            if len(items) >= limit or record.id in shown:
                continue
            chain = assembly.chain_of(self.store, record, self.which)
            subject = (record.user, record.speaker, record.subject)
            stale = record.standing == "superseded" or (bool(record.subject) and subject in subjects)
            items.append(self._item(one, len(items) + 1, chain, stale and not self.which.as_of))
            shown.add(record.id)
            subjects.add(subject)
            if self.shape.kind == "change":
                for before in chain[: max(limit - len(items), 0)]:
                    if before.id not in shown:
                        past = Found(one.seq, before, one.score, ("history",), UNKNOWN)
                        items.append(self._item(past, len(items) + 1, (), True))
                        shown.add(before.id)
        return items

    @staticmethod
    def _item(one: Found, rank: int, chain: tuple[MemoryRecord, ...], stale: bool) -> Evidence:
        return Evidence(
            record=one.record,
            score=round(one.score, 4),
            rank=rank,
            via=one.via,
            supersedes=chain,
            stale=stale,
            verified=assembly.verified(one.record),
        )

    def _candidates(self, scored: Scored) -> int:
        """Turns that share a word with the question, or are near it."""
        return int((scored.counts & ((scored.words > 0) | (scored.near >= SIMILAR))).sum())

    def _note(self, scored: Scored, items: list[Evidence]) -> str:
        whose = assembly.anothers(items[0].record.content, self.shape) if items else ""
        if whose:
            return f"the nearest evidence is about somebody else's ({whose}'s), not the user's own"
        return note_on(self.shape, scored, self.context, self._unheard())

    def _unheard(self) -> list[str]:
        """Words of the question that nothing which counts names."""
        postings, admitted = self.retriever.postings, self.admitted
        return [word for word in self.shape.words if not admitted[postings.word(word)].any()]


def _answering(which: Filter, as_of: str | None) -> Filter:
    """The filter, without reviews unless it asks for them, at a time."""
    update: dict[str, object] = {}
    if as_of is not None:
        update["as_of"] = Filter(as_of=as_of).as_of
    if not which.kinds:
        update["kinds"] = ANSWERS
    return which.model_copy(update=update) if update else which
