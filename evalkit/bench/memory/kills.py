"""Two writers on one file, one of them killed at a random moment again and again, the other writing on.

After each kill the file is opened anew: every record that was acknowledged since the last look must be there under its
id with its text, a search for a text must show its record, every record that it shows must say what was acknowledged
under that id, the nearest vector must be that of its record's text, and all integrity checks must pass. At the end of a
file every record that was ever acknowledged in it is looked up once more.
"""

import json
import time
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from evalkit.bench.frame import Order
from evalkit.bench.memory.stand import Hashed, opened
from evalkit.bench.memory.writer import write_on
from memory.service import MemoryService
from memory.vectors import VectorIndex
from runtime.contract import InfrastructureError, Json, SetupError

KILLS, A_FILE = 500, 50
"""Kills in all, and in one file: a file is checked whole after each, so it must not grow without end."""
LIFE_S = (0.005, 0.12)
"""Between two kills."""
SEARCHED, SHOWN = 3, 20
"""Records that are searched for after a kill; records that each search shows."""
SAME = 0.9999
"""Cosine of two texts of the same words."""
STARTS_WITHIN_S = 120.0
TRIES = 5
"""To get the write lock for the checks, 5 s each."""
NAMES = ("Writer one", "Writer two")


@dataclass
class Tally:
    """What went wrong, and how much there was."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    wrong_id: int = 0
    integrity_failures: int = 0
    died: int = 0
    """Writers that ended by themselves."""
    problems: list[str] = field(default_factory=list)

    def note(self, problem: str) -> None:
        """Keep a problem's words, the first few."""
        if len(self.problems) < 10:
            self.problems.append(problem)


@dataclass
class Writer:
    """A running writer."""

    process: BaseProcess
    pipe: Connection
    heard: bool = False
    """It has written at least once, so a kill can hit a write."""


def kills(order: Order) -> Json:
    """`--limit` is a number of kills."""
    wanted, tally, dice = min(order.limit or KILLS, KILLS), Tally(), Random(0)
    while tally.kills < wanted:
        with TemporaryDirectory() as folder:
            _one_file(Path(folder) / "memory.sqlite3", min(A_FILE, wanted - tally.kills), tally, dice)
    return {
        "acked_lost": tally.lost,
        "wrong_id": tally.wrong_id,
        "integrity_failures": tally.integrity_failures,
        "kills": tally.kills,
        "writers_that_died_by_themselves": tally.died,
        "acknowledged": tally.acknowledged,
        "kill_problems": tally.problems,
    }


def _one_file(file: Path, count: int, tally: Tally, dice: Random) -> None:
    """`count` kills on one file."""
    opened(file, Hashed()).close()
    everything: dict[str, str] = {}
    writers = {name: _started(file, name, dice) for name in NAMES}
    try:
        for _ in range(count):
            fresh = {name: _wait(writer, tally) for name, writer in writers.items()}
            time.sleep(dice.uniform(*LIFE_S))
            name = dice.choice(NAMES)
            tally.died += writers[name].process.exitcode is not None
            writers[name].process.kill()
            writers[name].process.join()
            tally.kills += 1
            new = {key: text for said in fresh.values() for key, text in said.items()}
            for writer in writers.values():
                new |= _drained(writer, tally)
            everything |= new
            tally.acknowledged += len(new)
            _checked(file, new, everything, tally, dice)
            writers[name] = _started(file, name, dice)
    finally:
        for writer in writers.values():
            writer.process.kill()
            writer.process.join()
    service = opened(file, Hashed())
    _looked_up(service, everything, tally)
    service.close()


def _started(file: Path, name: str, dice: Random) -> Writer:
    """A writer in a process of its own, forked from one that has loaded everything."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["evalkit.bench.memory.writer"])
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=write_on, args=(str(file), name, dice.randrange(10**9), there), daemon=True)
    process.start()
    there.close()
    return Writer(process, here)


def _wait(writer: Writer, tally: Tally) -> dict[str, str]:
    """Until a writer has written for the first time; what it has said by then."""
    if writer.heard:
        return {}
    if not writer.pipe.poll(STARTS_WITHIN_S):
        raise SetupError(f"a writer of the bench wrote nothing within {STARTS_WITHIN_S:.0f} s. Free the processor.")
    writer.heard = True
    return _drained(writer, tally)


def _drained(writer: Writer, tally: Tally) -> dict[str, str]:
    """What a writer has said so far: acknowledged texts by id."""
    said: dict[str, str] = {}
    try:
        while writer.pipe.poll():
            record_id, text, *wanted = json.loads(writer.pipe.recv_bytes())
            if wanted:
                tally.wrong_id += 1
                tally.note(f"a search for `{wanted[0]}` gave `{text}`")
            else:
                said[record_id] = text
    except EOFError:
        return said  # it was killed, and everything that it sent was read
    return said


def _holds(service: MemoryService, record_id: str) -> bool:
    record = service.store.get(record_id)
    return record is not None and record.standing == "active"


def _astray(service: MemoryService, record_id: str, text: str, known: dict[str, str]) -> str:
    """What is wrong with the answers to a record's own text; empty when nothing is."""
    shown = {item.record.id: item.record.content for item in service.search(text, limit=SHOWN).items}
    wrong = [one for one, content in shown.items() if known.get(one, content) != content]
    if wrong:
        return f"`{wrong[0]}` says `{shown[wrong[0]]}` in a search"
    if record_id not in shown:
        return f"`{record_id}` isn't shown by a search for its own text"
    index = VectorIndex(service.store, Hashed.identity, Hashed.dimension)
    asked = Hashed().embed([text])[0]
    seqs, _ = index.search(asked, service.visible(), 1)
    nearest = service.store.by_seq(seqs.tolist())[int(seqs[0])]
    near = float(Hashed().embed([nearest.content])[0] @ asked)
    return (
        ""
        if near > SAME
        else f"the vector nearest to `{record_id}` stands for `{nearest.id}`, which says another thing"
    )


def _checked(file: Path, new: dict[str, str], known: dict[str, str], tally: Tally, dice: Random) -> None:
    """The file as a newcomer finds it; `known` is all that was ever acknowledged in it."""
    service = opened(file, Hashed())
    _looked_up(service, new, tally)
    for record_id, text in dice.sample(sorted(new.items()), min(SEARCHED, len(new))):
        problem = _astray(service, record_id, text, known) if _holds(service, record_id) else ""
        if problem and _holds(service, record_id):  # the writer that goes on may have corrected it meanwhile
            tally.wrong_id += 1
            tally.note(problem)
    if problems := _problems(service):
        tally.integrity_failures += 1
        tally.note(problems[0])
    service.close()


def _problems(service: MemoryService) -> list[str]:
    """What the checks say. They need the write lock, for which the other writer may be too quick on a busy machine."""
    for _ in range(TRIES):
        try:
            return service.store.check()
        except InfrastructureError as error:
            busy = str(error)
    return [busy]


def _looked_up(service: MemoryService, said: dict[str, str], tally: Tally) -> None:
    for record_id, text in said.items():
        record = service.store.get(record_id)
        if record is None:
            tally.lost += 1
            tally.note(f"`{record_id}` is gone")
        elif record.content != text:
            tally.wrong_id += 1
            tally.note(f"`{record_id}` says `{record.content}` instead of `{text}`")
