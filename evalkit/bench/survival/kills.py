"""A run killed at a random moment, gone on with, perhaps killed again, until it has ended; then what stands is counted.

Half of the runs have the sandbox phone of `pocket run`, which dies with its process and is kept on the disk; the other
half a phone that lives on (far.py). Every run has a home of its own. What an undisturbed run leaves on the phone and in
memory is what each must leave: a row more is a repeat, a row less is lost, and a row that says something else is both.
A step that the trace held when the process died must stand in it unchanged at the end.
"""

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from device.sandbox.kept import PhoneStore
from evalkit.bench.frame import Bench, Figure, Order
from evalkit.bench.memory.stand import opened
from evalkit.bench.survival.far import FarPhone, serve, stop
from evalkit.bench.survival.rider import Words, ride
from evalkit.bench.survival.script import script
from runtime.contract import Episode, Json, RowChange, SetupError, Step, Stop
from runtime.trace import TraceReader
from runtime.trace.schema import SCHEMA
from runtime.wiring import open_database

KILLS = 200
AGAIN = 0.3
"""Share of the runs that go on which are killed once more, at most `TIMES` in all."""
TIMES = 4
ANSWERS_WITHIN_S = 180.0
Row = tuple[str, str]


@dataclass(frozen=True)
class Left:
    """What a run left behind."""

    rows: dict[Row, Any]
    """By table and key, as they are at the end; None for a deleted one."""
    calls: tuple[tuple[str, bool], ...]
    """Each call in the trace with whether it worked."""


@dataclass
class Tally:
    """What went wrong, and how much there was."""

    kills: int = 0
    runs: int = 0
    repeats: int = 0
    lost: int = 0
    unconfirmed: int = 0
    at: Counter[str] = field(default_factory=Counter)
    """Kills by what had happened then."""
    took: list[float] = field(default_factory=list)
    """Seconds of whole runs."""
    problems: list[str] = field(default_factory=list)

    def note(self, problem: str) -> None:
        """Keep a problem's words, the first few."""
        if len(self.problems) < 10:
            self.problems.append(problem)


def kills(order: Order) -> Json:
    """`--limit` is a number of kills."""
    wanted, tally, dice = min(order.limit or KILLS, KILLS), Tally(), Random(0)
    whole = {far: _undisturbed(far, tally) for far in (False, True)}
    while tally.kills < wanted:
        far = bool(tally.runs % 2)
        with _home(far) as (home, address):
            _one(home, address, whole[far], tally, dice, wanted)
    return {
        "repeats": tally.repeats,
        "lost": tally.lost,
        "unconfirmed": tally.unconfirmed,
        "kills": tally.kills,
        "runs": tally.runs,
        "killed_at": dict(sorted(tally.at.items())),
        "calls_a_run": len(whole[False].calls),
        "kill_problems": tally.problems,
    }


def _undisturbed(far: bool, tally: Tally) -> Left:
    """What a run leaves that nobody kills; three of them, for the time that one takes."""
    for _ in range(3):
        with _home(far) as (home, address):
            _ride(home, address, "", None, tally)
            left = _left(home, address, _episode(home))
    if not all(ok for _, ok in left.calls) or len(left.calls) != sum(
        len(one.get("calls", [0])) for one in script()[:-1]
    ):
        raise SetupError(f"the script of the bench does not work undisturbed: {left.calls}")
    return left


def _one(home: Path, address: str, whole: Left, tally: Tally, dice: Random, wanted: int) -> None:
    """One run, killed until it is through."""
    tally.runs += 1
    run_id, killed = "", 0
    before: tuple[Step, ...] = ()
    while True:
        dies = killed == 0 or (killed < TIMES and dice.random() < AGAIN)
        after = dice.uniform(0.0, median(tally.took)) if dies and tally.kills < wanted else None
        if _ride(home, address, run_id, after, tally):
            break
        killed += 1
        tally.kills += 1
        episode = _episode(home)
        tally.at[_where(episode)] += 1
        _unchanged(before, episode, tally)
        if episode is not None:
            run_id, before = episode.id, episode.steps
            if episode.confirmation is not None:
                break  # it had ended
    last = _episode(home)
    _unchanged(before, last, tally)
    _compare(whole, _left(home, address, last), last, tally)


def _ride(home: Path, address: str, run_id: str, dies_after: float | None, tally: Tally) -> bool:
    """One process; whether it came to its end before it was killed."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["evalkit.bench.survival.rider"])
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=ride, args=(str(home), str(home / "script.json"), address, run_id, there))
    process.start()
    there.close()
    try:
        if not here.poll(ANSWERS_WITHIN_S) or here.recv_bytes() != b"started":
            raise SetupError(f"a run of the bench did not start within {ANSWERS_WITHIN_S:.0f} s. Free the processor.")
        began = time.perf_counter()
        if dies_after is not None and not here.poll(dies_after):
            process.kill()
            process.join()
            return False
        if not here.poll(ANSWERS_WITHIN_S):
            raise SetupError(f"a run of the bench did not end within {ANSWERS_WITHIN_S:.0f} s. Free the processor.")
        here.recv_bytes()
        tally.took[:] = [*tally.took[-8:], time.perf_counter() - began] if not run_id else tally.took
        return True
    except EOFError:
        raise SetupError(
            "a run of the bench broke off by itself; start it with `--limit 1` to see its words."
        ) from None
    finally:
        process.kill()
        process.join()
        here.close()


@contextmanager
def _home(far: bool) -> Iterator[tuple[Path, str]]:
    """A fresh home with the script, and the address of a phone that lives on beside it; empty for the other kind."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "script.json").write_text(json.dumps(script()))
        if not far:
            yield home, ""
            return
        address = str(home / "phone")
        context = get_context("forkserver")
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=serve, args=(address, there))
        process.start()
        try:
            if not here.poll(ANSWERS_WITHIN_S):
                raise SetupError("the phone of the bench did not start. Free the processor.")
            yield home, address
            stop(address)
            process.join(ANSWERS_WITHIN_S)
        finally:
            process.kill()
            process.join()


def _episode(home: Path) -> Episode | None:
    """The run, as its trace holds it; None where none was opened."""
    file = home / "data" / "traces.sqlite3"
    if not file.is_file():
        return None
    with closing(TraceReader(file, open_database)) as reader:
        found = reader.page()
        if len(found) > 1:
            raise SetupError(f"a run of the bench made {len(found)} traces")
        return reader.episode(found[0].id) if found else None


def _where(episode: Episode | None) -> str:
    if episode is None:
        return "before the trace"
    if episode.confirmation is not None:
        return "after the end"
    return f"step {len(episode.steps) + 1}"


def _unchanged(before: tuple[Step, ...], episode: Episode | None, tally: Tally) -> None:
    """What was acknowledged stays as it was."""
    now = episode.steps if episode is not None else ()
    if now[: len(before)] != before:
        tally.lost += 1
        tally.note(f"a step of {len(before)} acknowledged ones is another one now")


def _left(home: Path, address: str, episode: Episode | None) -> Left:
    """What stands on the phone and in memory at the end, read by whoever looks at it from outside."""
    if episode is None:
        raise SetupError("a run of the bench ended without a trace")
    if address:
        with closing(FarPhone(address)) as far:
            changes = far.diff(far.first).changes
    else:
        changes = _kept(home, episode)
    rows: dict[Row, Any] = {(change.table, change.key): change.after for change in changes}
    with closing(opened(home / "data" / "memory.sqlite3", Words())) as memory:
        for number, content in enumerate(sorted(record.content for record in memory.listed())):
            rows["memories", f"{content} ({number})"] = content
    done = [(action.name, one.ok) for step in episode.steps for action, one in _calls(step)]
    return Left(rows, tuple(done))


def _kept(home: Path, episode: Episode) -> tuple[RowChange, ...]:
    """The changes of the phone that is kept for a run."""
    with closing(PhoneStore(home / "data" / "phones.sqlite3", open_database)) as phones:
        phone = phones.take_up(_phone_of(home, episode.id))
        return phone.diff(phone.first).changes


def _phone_of(home: Path, run_id: str) -> str:
    with closing(open_database(home / "data" / "traces.sqlite3", SCHEMA, read_only=True)) as traces:
        (header,) = traces.execute("SELECT header FROM episodes WHERE id = ?", (run_id,)).fetchone()
    return str(json.loads(header)["phone"])


def _calls(step: Step) -> list[tuple[Any, Any]]:
    return list(zip(step.decision.actions, step.observations, strict=False))


def _compare(whole: Left, left: Left, episode: Episode | None, tally: Tally) -> None:
    """Count what is more and what is less than an undisturbed run leaves."""
    for place in sorted(whole.rows.keys() | left.rows.keys()):
        wanted, found = whole.rows.get(place), left.rows.get(place)
        if wanted != found:
            tally.repeats += place not in whole.rows or place in left.rows
            tally.lost += place in whole.rows
            tally.note(f"{place[0]} {place[1]} is {found}, not {wanted}")
    if left.calls != whole.calls:
        tally.lost += 1
        tally.note(f"the trace holds {left.calls}, not {whole.calls}")
    word = episode.confirmation if episode is not None else None
    if episode is None or episode.stop is not Stop.FINISHED or word is None or not word.confirmed:
        tally.unconfirmed += 1
        tally.note(f"a run ended as {episode.stop if episode else 'nothing'}: {word.reasons if word else ''}")


RUNTIME_FAULTS = Bench(
    name="runtime --faults",
    title="Runs killed at random moments, then gone on with.",
    parts={"kills": kills},
    figures=(
        Figure("repeats", "side effects done twice", 0),
        Figure("lost", "side effects or acknowledged steps that are gone", 0),
        Figure("unconfirmed", "runs that did not end as confirmed", 0),
        Figure("kills", "kills", None),
    ),
)
