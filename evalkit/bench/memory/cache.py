"""Vector caches that were damaged in many ways: none may be taken for good, and every answer must stay right.

A store with its cache file -> the file damaged -> opened anew: where did the vectors come from, what is nearest
"""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from evalkit.bench.frame import Order
from evalkit.bench.memory.prose import Prose
from evalkit.bench.memory.stand import Hashed, fill, opened
from memory.store import Filter, MemoryStore
from memory.vectors import VectorIndex
from runtime.contract import Json

DAMAGES, RECORDS, WHOLE = 300, 1_500, 10
"""Damaged files, records in the store, and whole files put in between, which must be taken."""
NEAREST = 5


class Files(NamedTuple):
    """What a damage is made of."""

    good: bytes
    """The cache of the store as it is."""
    older: bytes
    """That of the same store before its last records."""
    other: bytes
    """That of another store."""


def cache(order: Order) -> Json:
    """`--limit` is a number of damaged files."""
    count, dice = min(order.limit or DAMAGES, DAMAGES), Random(0)
    accepted, wrong, refused_whole, names = 0, 0, 0, dict[str, int]()
    with TemporaryDirectory() as name:
        folder = Path(name)
        files, path, question = _files(folder)
        right = _nearest(folder, question)[1]
        for number in range(count):
            damage = dice.choice(list(DAMAGE))
            path.write_bytes(DAMAGE[damage](files, dice))
            source, found = _nearest(folder, question)
            if source == "file":
                accepted += 1
                names[damage] = names.get(damage, 0) + 1
            wrong += found != right
            if number % max(1, count // WHOLE) == 0:
                path.write_bytes(files.good)
                refused_whole += _nearest(folder, question)[0] != "file"
    return {
        "corrupt_accepted": accepted,
        "corrupt_files": count,
        "corrupt_wrong_answers": wrong,
        "whole_files_refused": refused_whole,
        "corrupt_accepted_by_damage": names,
    }


def _files(folder: Path) -> tuple[Files, Path, str]:
    """The caches of two stores, where the first one's lies, and a question for it."""
    for name, seed in (("other", 2), ("memory", 1)):
        service = opened(folder / f"{name}.sqlite3", Hashed())
        sentences = iter(Prose(seed).sentence, "")
        texts = fill(service, sentences, RECORDS)
        older = _saved(service.store)
        fill(service, sentences, 10)
        good = _saved(service.store)
        path = service.store.cache_path
        service.close()
        if name == "other":
            other = good
    assert path is not None
    return Files(good, older, other), path, texts[0]


def _saved(store: MemoryStore) -> bytes:
    """The cache file of a store, written now."""
    index = VectorIndex(store, Hashed.identity, Hashed.dimension)
    assert index.save() and store.cache_path is not None
    return store.cache_path.read_bytes()


def _nearest(folder: Path, question: str) -> tuple[str, list[int]]:
    """Where a newcomer reads the vectors from, and the places of the nearest records."""
    service = opened(folder / "memory.sqlite3", Hashed())
    index = VectorIndex(service.store, Hashed.identity, Hashed.dimension)
    seqs, _ = index.search(Hashed().embed([question])[0], Filter(), NEAREST)
    service.close()
    return index.source, seqs.tolist()


def _flipped(files: Files, dice: Random) -> bytes:
    data = bytearray(files.good)
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    return bytes(data)


def _cut(files: Files, dice: Random) -> bytes:
    return files.good[: dice.randrange(len(files.good))]


def _longer(files: Files, dice: Random) -> bytes:
    return files.good + dice.randbytes(dice.randint(1, 4096))


def _holed(files: Files, dice: Random) -> bytes:
    """A page of zeros, as after a power cut."""
    at = dice.randrange(len(files.good)) // 4096 * 4096
    return files.good[:at] + bytes(len(files.good[at : at + 4096])) + files.good[at + 4096 :]


def _swapped(files: Files, dice: Random) -> bytes:
    """Two vectors changed places: every byte is still there."""
    size = 4 * Hashed.dimension
    one, other = (len(files.good) - size * number for number in dice.sample(range(1, RECORDS), 2))
    data = bytearray(files.good)
    data[one : one + size], data[other : other + size] = data[other : other + size], data[one : one + size]
    return bytes(data) if bytes(data) != files.good else _flipped(files, dice)


def _mixed(files: Files, dice: Random) -> bytes:
    """The head of one file on the rest of another: a torn write."""
    at = dice.randrange(1, min(len(files.good), len(files.older)))
    mixed = files.older[:at] + files.good[at:]
    return mixed if mixed not in files else files.older


def _relabelled(files: Files, dice: Random) -> bytes:
    """Another file whose header says what is asked for."""
    head = files.good.partition(b"\n")[0]
    return head + b"\n" + files.other.partition(b"\n")[2]


def _renumbered(files: Files, dice: Random) -> bytes:
    """A header with another number in it."""
    head, line, rest = files.good.partition(b"\n")
    numbers = list(re.finditer(rb"\d+", head))
    one = dice.choice(numbers)
    return head[: one.start()] + str(int(one[0]) + dice.randint(1, 9)).encode() + head[one.end() :] + line + rest


DAMAGE: dict[str, Callable[[Files, Random], bytes]] = {
    "a bit flipped": _flipped,
    "cut off": _cut,
    "longer": _longer,
    "a page of zeros": _holed,
    "two vectors swapped": _swapped,
    "head of an older one": _mixed,
    "an older one": lambda files, dice: files.older,
    "another store's": lambda files, dice: files.other,
    "another store's, relabelled": _relabelled,
    "a number of the header changed": _renumbered,
    "random bytes": lambda files, dice: dice.randbytes(dice.randint(1, 10_000)),
    "empty": lambda files, dice: b"",
}
"""Ways to damage a file."""
