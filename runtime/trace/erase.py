"""Erasing from traces: which episodes an erasure reaches, and what is left of them.

1. An episode is reached when the erasure names it, when it names one of the erasure's ids (a memory that was searched,
   written or put into the context), or when it holds one of the texts, whatever its case, spaces and JSON escapes.
2. What is left of it: that there was an episode, when, how it ended, which tools were called, how many tokens it took.
   Request, context, arguments, results, thoughts and token ids go, all of them: what was forgotten may stand there in
   other words. It can't be learned from (`trainable: none`).
3. An episode that still runs is marked, and what it writes from then on is written without its words.
"""

import json
import re
from collections.abc import Iterator, Sequence

from pydantic import ValidationError

from runtime.contract import (
    Action,
    Ask,
    Confirmation,
    Database,
    Decision,
    Erased,
    Erasure,
    ExecutedCall,
    Failure,
    Finish,
    Json,
    Observation,
    ParseError,
    Refuse,
    Segment,
    StateDiff,
    Step,
    TaskView,
    ToolCall,
    canonical_json,
)

MARK = "[erased]"
"""Stands where words stood."""
FEW = 24
"""Up to so many ids and texts SQLite looks for the longest word of each, and only what has one is read."""
LEAST_CHARS = 6
"""A text of one word that is shorter stands everywhere."""
_BREAK = re.compile(r"\\+[nrt]|\s+")
_QUOTE = re.compile(r'\\+(?=["/\\])')
_CODE = re.compile(r"\\+u([0-9a-fA-F]{4})")
_WORD = re.compile(r"\w+")
_DIGEST = re.compile(r'"kind":"image","digest":"([^"]+)"')
_PLACES = (("episodes", "id", ("view", "header", "closing", "detail")), ("segments", "episode", ("record",)),
           ("steps", "episode", ("record",)), ("intents", "episode", ("record",)))  # fmt: skip


class Wanted:
    """Ids and texts as rows of words, to be found in records."""

    def __init__(self, ids: Sequence[str], texts: Sequence[str]) -> None:
        rows = [_words(one) for one in ids]
        rows += [row for row in map(_words, texts) if len(row) > 1 or len("".join(row)) >= LEAST_CHARS]
        self._rows: dict[str, list[tuple[str, ...]]] = {}
        for row in rows:
            if row:
                self._rows.setdefault(row[0], []).append(row)
        self.probes = sorted({max(row, key=len) for row in rows if row})
        # scripts without spaces between words have no borders to keep to
        self._whole = [_plain(text) for text in texts if not text.isascii() and len(text.encode()) >= LEAST_CHARS]

    @property
    def sql(self) -> bool:
        """Whether SQLite can look for a word of each first; its `lower` knows ASCII alone."""
        return len(self.probes) <= FEW and all(probe.isascii() for probe in self.probes) and not self._whole

    def stands_in(self, record: str) -> bool:
        """Whether any of them stands in a record."""
        plain = _plain(record)
        if any(whole in plain for whole in self._whole):
            return True
        words = _WORD.findall(plain)
        return any(
            tuple(words[at : at + len(row)]) == row for at, word in enumerate(words) for row in self._rows.get(word, ())
        )


def erase(database: Database, erasure: Erasure, texts: Sequence[str]) -> Erased:
    """Take the words out of every episode that an erasure reaches; `removed` names episodes and blobs."""
    wanted = Wanted(erasure.targets, texts)
    named = set(erasure.targets)
    known = [row[0] for row in database.execute("SELECT id FROM episodes WHERE erased IS NULL ORDER BY number")]
    held = {episode for episode, record in _records(database, wanted) if wanted.stands_in(record)}
    reached = [one for one in known if one in named or one in held]
    blobs: list[str] = []
    for episode in reached:
        blobs += _forget(database, episode, erasure.id)
    blobs += _drop_blobs(database, erasure.targets)
    if reached or blobs:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return Erased(store="traces", looked_at=len(known), removed=(*reached, *blobs))


def is_erased(database: Database, episode: str) -> bool:
    """Whether an episode was erased, perhaps while it runs."""
    row = database.execute("SELECT erased FROM episodes WHERE id = ?", (episode,)).fetchone()
    return row is not None and row[0] is not None


def wordless_step(step: Step, tools: Sequence[str] = ()) -> Step:
    """A step without words and token ids; the names of `tools` stay."""
    actions = tuple(_wordless(action, tools) for action in step.decision.actions)
    decision = step.decision.model_copy(
        update={"actions": actions, "thought": "", "raw": "", "prompt_ids": None, "tokens": None}
    )
    return Step(
        index=step.index,
        decision=Decision.model_validate(decision.model_dump()),
        observations=tuple(_unseen(seen, tools) for seen in step.observations),
        overhead_s=step.overhead_s,
    )


def wordless_segment(segment: Segment) -> Segment:
    """A segment without its context."""
    return segment.model_copy(update={"prefix": MARK, "cuts": (), "steps": ()})


def wordless_end(closing: Json) -> Json:
    """The end of an episode, or its opening, without words."""
    kept = {**closing, "trainable": "none"}
    if kept.get("stop_detail"):
        kept["stop_detail"] = MARK
    if kept.get("confirmation"):
        kept["confirmation"] = Confirmation(confirmed=kept["confirmation"]["confirmed"]).model_dump(mode="json")
    if kept.get("digests"):
        kept["digests"] = {**kept["digests"], "memory": ""}
    return kept


def _records(database: Database, wanted: Wanted) -> Iterator[tuple[str, str]]:
    """(episode, record) of all that may hold something."""
    probes = tuple(wanted.probes) if wanted.sql else ()
    for table, key, columns in _PLACES:
        for column in columns:
            some = " OR ".join(f"instr(lower({column}), ?)" for _ in probes) or "1"
            query = f"SELECT {key}, {column} FROM {table} WHERE {column} IS NOT NULL AND ({some})"
            yield from ((row[0], row[1]) for row in database.execute(query, probes))


def _forget(database: Database, episode: str, erasure: str) -> list[str]:
    """Take the words out of one episode; the digests of images that no other episode shows."""
    with database.writing(to_disk=True) as db:
        row = db.execute("SELECT view, header, closing, detail FROM episodes WHERE id = ?", (episode,)).fetchone()
        steps = db.execute("SELECT number, record FROM steps WHERE episode = ?", (episode,)).fetchall()
        segments = db.execute("SELECT number, record FROM segments WHERE episode = ?", (episode,)).fetchall()
        tools = [name for _, record in segments for name in json.loads(record).get("exposed", ())]
        db.execute("DELETE FROM intents WHERE episode = ?", (episode,))
        for number, record in segments:
            db.execute("UPDATE segments SET record = ? WHERE episode = ? AND number = ?",
                       (_segment(record), episode, number))  # fmt: skip
        for number, record in steps:
            db.execute("UPDATE steps SET record = ? WHERE episode = ? AND number = ?",
                       (_step(record, number, tools), episode, number))  # fmt: skip
        closing = canonical_json(wordless_end(json.loads(row["closing"]))) if row["closing"] else None
        values = (MARK, _view(row["view"]), canonical_json(wordless_end(json.loads(row["header"]))), closing,
                  MARK if row["detail"] else row["detail"], erasure, episode)  # fmt: skip
        db.execute(
            "UPDATE episodes SET request = ?, view = ?, header = ?, closing = ?, detail = ?, erased = ? WHERE id = ?",
            values,
        )
        shown = {digest for _, record in steps for digest in _DIGEST.findall(record)}
        return _drop_blobs(db, sorted(one for one in shown if not _shown_elsewhere(db, one)))


def _shown_elsewhere(database: Database, digest: str) -> bool:
    return database.execute("SELECT 1 FROM steps WHERE instr(record, ?) LIMIT 1", (digest,)).fetchone() is not None


def _drop_blobs(database: Database, digests: Sequence[str]) -> list[str]:
    """Delete images; those that were there."""
    query = "DELETE FROM blobs WHERE digest = ?"
    return [digest for digest in digests if database.execute(query, (digest,)).rowcount]


def _view(record: str) -> str:
    try:
        view = TaskView.model_validate_json(record)
    except ValidationError:
        return TaskView(request=MARK).model_dump_json()
    return view.model_copy(update={"request": MARK, "turns": ()}).model_dump_json()


def _segment(record: str) -> str:
    try:
        return wordless_segment(Segment.model_validate_json(record)).model_dump_json()
    except ValidationError:
        return Segment(prefix=MARK).model_dump_json()


def _step(record: str, number: int, tools: Sequence[str]) -> str:
    try:
        return wordless_step(Step.model_validate_json(record), tools).model_dump_json()
    except ValidationError:
        nothing = Decision(actions=(ParseError(message=MARK, raw=MARK),))
        return Step(index=number, decision=nothing).model_dump_json()


def _wordless(action: Action, tools: Sequence[str]) -> Action:
    if isinstance(action, ToolCall):
        return ToolCall(id=action.id, name=_name(action.name, tools), arguments={})
    if isinstance(action, Ask):
        return Ask(question=MARK)
    if isinstance(action, Refuse):
        return Refuse(reason=MARK)
    if isinstance(action, Finish):
        return Finish(answer=MARK if action.answer else "")
    return ParseError(message=MARK, raw=MARK, truncated=action.truncated)


def _unseen(seen: Observation, tools: Sequence[str]) -> Observation:
    call = seen.call and ExecutedCall(
        name=_name(seen.call.name, tools),
        arguments={},
        idempotency_key=seen.call.idempotency_key,
        landed=seen.call.landed,
    )
    failure = seen.failure and Failure(code=seen.failure.code, message=MARK)
    return Observation(call_id=seen.call_id, call=call, diff=StateDiff(), failure=failure, seconds=seen.seconds)


def _name(name: str, tools: Sequence[str]) -> str:
    """The name of a tool; a planner may have written anything where a name belongs."""
    return name if name in tools else MARK


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(_plain(text)))


def _plain(text: str) -> str:
    """In small letters, with single spaces and without the escapes of JSON strings."""
    text = _CODE.sub(lambda match: chr(int(match[1], 16)), text)
    return _QUOTE.sub("", _BREAK.sub(" ", text)).casefold()
