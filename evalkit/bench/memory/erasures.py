"""200 memories are forgotten one after the other; after each, every file of the home is looked through.

The look is of its own, and not the eraser's: texts as they are and as JSON escapes them, the middle of their invented
words (a full-text index keeps words apart), token ids as numbers in JSON and as arrays, in files as they lie, in packed
ones, and in the packed cells of databases.
"""

import gzip
import io
import json
import re
import zipfile
import zlib
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from evalkit.bench.frame import Order
from evalkit.bench.memory.home import Home, Secret, furnished
from memory.sqlite import module
from runtime.contract import ErrorCode, Json, ToolFailure
from runtime.trace import TraceReader
from runtime.wiring import open_database

ERASURES = 200
KEPT = 40
"""Secrets that nobody asks to be forgotten."""
SQLITE = b"SQLite format 3\0"


def erasures(order: Order) -> Json:
    """`--limit` is a number of erasures."""
    count = min(order.limit or ERASURES, ERASURES)
    left, incomplete, stale, problems = 0, 0, 0, list[str]()
    with TemporaryDirectory() as name, furnished(Path(name), count + KEPT) as home:
        before = sum(bool(found) for found in (_leftovers(home.folder, one) for one in home.secrets[:count]))
        for secret in home.secrets[:count]:
            receipt = home.service.forget([secret.id])
            incomplete += not receipt.complete
            stale += _is_served(home)
            files = _leftovers(home.folder, secret)
            left += len(files)
            problems += [f"{secret.id}: {file}" for file in files][: 10 - len(problems)]
        for file in {file for secret in home.secrets[:count] for file in _leftovers(home.folder, secret)}:
            left += 1
            problems.append(f"at the end: {file}")
        report = {"erasure_overreach": _overreach(home, count), "erased_trainable": _trainable(home)}
    return {
        "erasure_leftovers": left,
        "erasures": count,
        "erasures_that_had_something": before,
        "erasures_incomplete": incomplete,
        "stale_context_files_served": stale,
        **report,
        "erasure_problems": problems[:10],
    }


def _is_served(home: Home) -> bool:
    """Whether a context file from before the erasure would still be handed out; written anew for the next one."""
    try:
        home.contexts.read(home.service.access)
    except ToolFailure as refused:
        assert refused.code in (ErrorCode.CONFLICT, ErrorCode.NOT_FOUND)
        home.contexts.write(home.service.access)
        return False
    return True


def _overreach(home: Home, count: int) -> int:
    """What was not to be forgotten and is gone: records, and episodes that lost their words."""
    kept = home.secrets[count:]
    gone = sum(home.service.store.get(one) is None for secret in kept for one in (secret.id, *secret.also))
    return gone + sum(not _leftovers(home.folder, secret) for secret in kept)


def _trainable(home: Home) -> int:
    """Episodes without words that would still be learned from."""
    reader = TraceReader(home.folder / "data" / "traces.sqlite3", open_database)
    episodes = [reader.episode(one) for one in reader.ids()]
    return sum(one.trainable != "none" for one in episodes if "[erased]" in one.view.request)


def _leftovers(folder: Path, secret: Secret) -> list[str]:
    """Files that still hold something of it."""
    needles = list(_needles(secret))
    numbers = [",".join(map(str, run)).encode() for run in secret.runs]
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and any(_holds(data, needles, numbers) for data in _contents(path)):
            found.append(str(path.relative_to(folder)))
    return found


def _needles(secret: Secret) -> Iterator[bytes]:
    for text in secret.texts:
        yield text.encode()
        yield text.encode("utf-16-le")
        yield json.dumps(text)[1:-1].encode()
        yield json.dumps(json.dumps(text))[3:-3].encode()
    yield from (rare.encode() for rare in secret.rare)
    for run in secret.runs:
        for code in "iqH":
            if code != "H" or max(run) < 2**16:
                yield array(code, run).tobytes()


def _holds(data: bytes, needles: Sequence[bytes], numbers: Sequence[bytes]) -> bool:
    if any(needle in data for needle in needles):
        return True
    squeezed = data.translate(None, b" \n\r\t")
    generated = b",".join(re.findall(rb'"id":(\d+),"logprob"', squeezed))
    return any(re.search(rb"(?<!\d)%s(?!\d)" % one, text) for one in numbers for text in (squeezed, generated))


def _contents(path: Path) -> Iterator[bytes]:
    """A file as it lies, and what is packed in it."""
    data = path.read_bytes()
    yield data
    if data[:2] == b"\x1f\x8b":
        yield gzip.decompress(data)
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            yield from (packed.read(name) for name in packed.namelist())
    if data.startswith(SQLITE):
        yield from _cells(path)


def _cells(path: Path) -> Iterator[bytes]:
    """Packed cells of a database, unpacked."""
    connection = module().connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in connection.execute(f'SELECT * FROM "{table}"'):
                for cell in row:
                    if isinstance(cell, bytes) and cell[:1] == b"\x78":
                        try:
                            yield zlib.decompress(cell)
                        except zlib.error:
                            continue  # a blob that only begins like a packed one
    finally:
        connection.close()
