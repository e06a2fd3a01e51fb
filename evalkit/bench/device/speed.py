"""What a shell command and a look at the screen cost, ours and the libraries' in turn, in wall time.

Wall time is what one waits for here: three processes take part, and the libraries' cost is mostly waiting. Both sides
go to the same phone over the same adb server; each round is one call of theirs between calls of ours.
"""

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from device.android.screen import fold, read_dump
from device.android.screen.fold import Folded
from evalkit.bench.device.screen import write_recording
from evalkit.bench.device.stand import Stand, stand
from evalkit.bench.frame import Order, median
from runtime.contract import Deadline, InfrastructureError, Json

ROUNDS, OURS, WARM = 40, 5, 3
"""Rounds; calls of ours in each; rounds that are not counted."""
CALL_SECONDS = 60.0
WORDS = ("getprop", "ro.product.model")
TRIES = 5


def shell(order: Order) -> Json:
    """One short command, from the words to its output and exit status."""
    with stand() as place:
        phone = place.phone()
        theirs = library_device(place)
        said = phone.shell.run(*WORDS, deadline=Deadline(CALL_SECONDS)).text
        if str(theirs.shell(" ".join(WORDS))) != said:
            raise InfrastructureError("adbutils and the bridge read different things; nothing to compare")
        ours, other = in_turn(
            order.limit or ROUNDS,
            lambda: phone.shell.run(*WORDS, deadline=Deadline(CALL_SECONDS)),
            lambda: theirs.shell(" ".join(WORDS)),
        )
        phone.close()
    return {
        "shell_ms_p50": median(ours),
        "shell_speedup": ratio(other, ours),
        "shell_ms_p95": at(ours, 0.95),
        "adbutils_shell_ms_p50": median(other),
        "shell_calls": len(ours),
        "adbutils_shell_calls": len(other),
    }


def dump(order: Order) -> Json:
    """A screen of 27 KB, from the request to the folded list; uiautomator2's side is its dump alone."""
    with TemporaryDirectory() as folder, stand(write_recording(Path(folder))) as place:
        import uiautomator2

        phone, theirs = place.phone(), uiautomator2.connect(library_device(place))
        text, xml = same_screen(phone.agent.call, theirs)
        folded = fold(read_dump(text.encode()))

        def look() -> Folded:
            answer = phone.agent.call("dumpWindowHierarchy", [False, 50], Deadline(CALL_SECONDS))
            return fold(read_dump(str(answer).encode()))

        rounds = order.limit or ROUNDS
        ours, other = in_turn(rounds, look, theirs.dump_hierarchy)
        alone = timed(lambda: fold(read_dump(text.encode())), rounds * OURS)
        theirs.stop_uiautomator()
        phone.close()
    return {
        "dump_fold_ms_p50": median(ours),
        "dump_speedup": ratio(other, ours),
        "dump_fold_ms_p95": at(ours, 0.95),
        "fold_alone_ms_p50": median(alone),
        "uiautomator2_dump_ms_p50": median(other),
        "dump_bytes": len(xml.encode()),
        "elements": len(folded.elements),
        "dumps": len(ours),
        "uiautomator2_dumps": len(other),
    }


def library_device(place: Stand) -> Any:
    """The phone as adbutils has it, with nothing changed about it."""
    import adbutils

    return adbutils.AdbClient(host=place.server.host, port=place.server.port).device(place.serial)


def same_screen(call: Callable[..., Any], theirs: Any) -> tuple[str, str]:
    """Both sides' dump of one screen; the status bar's clock may go on in between."""
    for _ in range(TRIES):
        xml = str(theirs.dump_hierarchy())
        text = str(call("dumpWindowHierarchy", [False, 50], Deadline(CALL_SECONDS)))
        if text.split() == xml.split():
            return text, xml
    raise InfrastructureError("uiautomator2 and the bridge read different screens; nothing to compare")


def in_turn(rounds: int, ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[list[float], list[float]]:
    """Milliseconds of both sides' calls, taken in turn; the first rounds warm up."""
    own: list[float] = []
    other: list[float] = []
    for number in range(rounds + WARM):
        mine, yours = timed(ours, OURS), timed(theirs, 1)
        if number >= WARM:
            own += mine
            other += yours
    return own, other


def timed(work: Callable[[], object], times: int) -> list[float]:
    """Milliseconds of each call."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append((time.perf_counter() - start) * 1000)
    return found


def ratio(slow: list[float], fast: list[float]) -> float:
    """Median over median."""
    return round(statistics.median(slow) / statistics.median(fast), 2)


def at(values: list[float], share: float) -> float:
    """The value below which `share` of them lie."""
    return round(sorted(values)[min(len(values) - 1, int(len(values) * share))], 4)
