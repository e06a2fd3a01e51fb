"""A home folder in which one user's words lie everywhere they could: for the measurement of forgetting.

Each secret is a sentence with invented words. It stands in a record (some corrected, some summed up by another record,
some with a longer original), in the words and vectors of the store, in a context file, in an episode of the traces as
text and as token ids, and in data sets: lines of JSON, a packed file, arrays of token ids.
"""

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from evalkit.bench.memory.prose import made_names, words
from evalkit.bench.memory.stand import NOW, Hashed
from memory.access.context_files import ContextFiles
from memory.embedder import MODEL_FOLDER
from memory.erasure import Eraser
from memory.records import Category, Kind, MemoryRecord, NewRecord
from memory.service import MemoryService
from memory.store import MemoryStore
from runtime.contract import Decision, Episode, Finish, Segment, Step, Stop, TaskView, TokenTrace
from runtime.trace import TraceStore
from runtime.wiring import open_database

RUN = 6
"""Token ids in a row that tell something."""


@dataclass
class Secret:
    """What must be found nowhere any more once it is forgotten."""

    id: str
    """The record that is asked to be forgotten."""
    texts: tuple[str, ...]
    """Sentences."""
    rare: tuple[str, ...]
    """The middle of invented words in them: a full-text index stores words one by one, ends cut off."""
    ids: tuple[int, ...]
    """Token ids of the first sentence."""
    also: list[str] = field(default_factory=list)
    """Ids of records that must go with it."""
    runs: tuple[tuple[int, ...], ...] = ()
    """Stretches of the inner token ids that no other secret has."""


@dataclass
class Home:
    """The folder and what is open in it."""

    folder: Path
    service: MemoryService
    traces: TraceStore
    contexts: ContextFiles
    secrets: list[Secret]

    def close(self) -> None:
        """Close the files."""
        self.service.close()
        self.traces.close()


@contextmanager
def furnished(folder: Path, count: int, seed: int = 0) -> Iterator[Home]:
    """A home with `count` secrets."""
    data = folder / "data"
    data.mkdir(parents=True)
    traces = TraceStore(data / "traces.sqlite3", open_database)

    def eraser(store: MemoryStore) -> Eraser:
        return Eraser([data, folder / "cache"], store, sinks=[traces], tokens=token_ids)

    service = MemoryService(data / "memory.sqlite3", Hashed(), lambda: NOW, eraser=eraser)
    dice = Random(seed)
    sentences = _sentences(2 * count, dice)
    secrets = [_kept(service, number, sentences) for number in range(count)]
    _find_runs(secrets)
    for secret in secrets:
        _traced(traces, secret)
    _datasets(data / "datasets", secrets)
    contexts = ContextFiles(data / "contexts", service.store)
    contexts.write(service.access)
    service.search("what is kept where", limit=10)  # caches are made
    home = Home(folder, service, traces, contexts, secrets)
    try:
        yield home
    finally:
        home.close()


@lru_cache(maxsize=1)
def _tokenizer() -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(MODEL_FOLDER / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def token_ids(text: str) -> Sequence[int]:
    """Ids of a text in the embedder's vocabulary, which stands for a planner's."""
    ids: list[int] = _tokenizer().encode(text, add_special_tokens=False).ids
    return ids


def _sentences(count: int, dice: Random) -> list[tuple[str, str]]:
    """Sentences, each with the middle of its invented word."""
    vocabulary = words()
    names = made_names(2 * count, vocabulary["made"]["ends"], dice)
    things = vocabulary["slots"]["thing"]
    made = []
    for number in range(count):
        rare = "".join(dice.choice("bcdfgklmnprtvwz") + dice.choice("aeiou") for _ in range(9)) + "rk"
        text = (
            f'{names[2 * number]} keeps the {dice.choice(things)} at {names[2 * number + 1]}\'s, the word is "{rare}".'
        )
        made.append((text, rare[3:-4]))
    return made


def _kept(service: MemoryService, number: int, sentences: list[tuple[str, str]]) -> Secret:
    """One secret in the store, in one of four shapes."""
    (text, rare), (other, other_rare) = sentences[2 * number], sentences[2 * number + 1]
    shape = number % 4
    more: dict[str, Any] = {"original": f"Well. {text} Don't tell anybody!"} if shape == 1 else {}
    record = service.add(text, Category.INFO, **more)
    if shape == 2:
        heir = service.correct(record.id, other)
        return Secret(heir.id, (other, text), (other_rare, rare), tuple(token_ids(text)), [record.id])
    also = [_summed_up(service, record, text)] if shape == 3 else []
    return Secret(record.id, (text,), (rare,), tuple(token_ids(text)), also)


def _find_runs(secrets: Sequence[Secret]) -> None:
    """Give each secret its own stretches of token ids. The first and last id of a text hang on its neighbours."""
    inner = [secret.ids[1:-1] for secret in secrets]
    shared = Counter(run for ids in inner for run in {ids[at : at + RUN] for at in range(len(ids) - RUN + 1)})
    for secret, ids in zip(secrets, inner, strict=True):
        stretches = [ids[at : at + RUN] for at in range(0, len(ids) - RUN + 1, RUN)]
        secret.runs = tuple(run for run in stretches if shared[run] == 1)


def _summed_up(service: MemoryService, record: MemoryRecord, text: str) -> str:
    new = NewRecord(
        kind=Kind.LONG_TERM, category=Category.INFO, content=f"It was said: {text}", derived_from=(record.id,)
    )
    return service.store.insert(new, service.embed([new.content])[0]).id


def _traced(traces: TraceStore, secret: Secret) -> None:
    """An episode that was about it."""
    text = secret.texts[-1]
    view = TaskView(request=f"Remember this: {text}")
    tokens = tuple(TokenTrace(id=one, logprob=-1.0, sampled_logprob=-1.0, forced=False) for one in secret.ids)
    decision = Decision(actions=(Finish(answer=text),), raw=text, prompt_ids=secret.ids, tokens=tokens)
    with traces.episode(view, {"memory": secret.id}) as writer:
        segment = Segment(prefix=f"<user>{text}</user>", steps=(Step(index=0, decision=decision),))
        writer.segment(segment)
        writer.step(segment.steps[0])
        writer.close(Stop.FINISHED, "", Episode(id=writer.id, view=view, segments=(segment,), stop=Stop.FINISHED))


def _datasets(folder: Path, secrets: Sequence[Secret]) -> None:
    """Lines of JSON, the same packed, and a corpus of token ids with the lengths of its dialogues."""
    folder.mkdir()
    lines = [json.dumps({"text": one.texts[-1], "ids": list(one.ids)}) + "\n" for one in secrets]
    (folder / "lines.jsonl").write_text("".join(lines), encoding="utf-8")
    with gzip.open(folder / "packed.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(lines)
    ids = np.array([one for secret in secrets for one in secret.ids], np.int32)
    np.savez(folder / "corpus.npz", ids=ids, lengths=np.array([len(secret.ids) for secret in secrets], np.int32))
