"""Processes that hold borrowed things are killed at random moments; the next start must give everything back.

The phone is read from outside the bridge before and after: settings and keyboards from the phone's own side, forwards
from the adb server, the UiAutomation slot from the phone. Somebody else's service and forward must stay as they are.
In a part of the cases the next start is killed too, while it gives back; the start after that must then do it. And in a
part of them uiautomator2's server outlives the process that started it, as it does on some phones.
"""

import subprocess
import time
from multiprocessing import get_context
from random import Random

from device.android.connection.server import adb_path
from evalkit.bench.device.borrower import KEYBOARD_PACKAGE, borrow_on
from evalkit.bench.device.journal import Journal
from evalkit.bench.device.stand import Stand, stand
from evalkit.bench.frame import Order
from evalkit.commands.common import watch
from runtime.contract import Deadline, Json, SetupError

KILLS = 100
MOST_TAKEN = 9
"""Things that a process has taken, and for the most part given back, when it is killed: 0 to so many."""
LIFE_S = (0.0, 0.1)
"""Between its last word and the kill."""
AGAIN, ORPHAN = 0.3, 0.5
"""Share of kills whose next start is killed as well; share with a server that outlives its process."""
STARTS_WITHIN_S = 180.0
OTHERS_SERVICE = "com.example.other/.Service"
OTHERS_FORWARD = ("tcp:31999", "tcp:7000")
SETTINGS = (
    ("system", "accelerometer_rotation"),
    ("system", "user_rotation"),
    ("secure", "enabled_accessibility_services"),
    ("secure", "accessibility_enabled"),
    ("secure", "default_input_method"),
    ("secure", "enabled_input_methods"),
)


def kills(order: Order) -> Json:
    """`--limit` is a number of kills."""
    journal = Journal("kills", min(order.limit or KILLS, KILLS))
    left = journal.left()
    if left:
        with stand() as place:
            prepared(place)
            before = borrowed_state(place)
            for number in watch(left):
                journal.add(number, one_kill(place, before, number))
    return summary(journal.outcomes())


def summary(outcomes: list[Json]) -> Json:
    """Counts over all kills."""
    wrong = [outcome for outcome in outcomes if outcome["differs"]]
    return {
        "not_restored": len(wrong),
        "kills": sum(outcome["kills"] for outcome in outcomes),
        "kills_that_hit_something": sum(outcome["held"] > 0 for outcome in outcomes),
        "leases_at_the_kill": sum(outcome["held"] for outcome in outcomes),
        "starts_killed": sum(outcome["kills"] - 1 for outcome in outcomes),
        "servers_left_behind": sum(outcome["orphan"] for outcome in outcomes),
        "kill_problems": wrong[:5],
    }


def prepared(place: Stand) -> None:
    """Things of others beside which we borrow, and a keyboard to borrow."""
    place.control.ask("install", package=KEYBOARD_PACKAGE)
    shell, soon = place.phone().shell, Deadline(STARTS_WITHIN_S)
    shell.run("settings", "put", "secure", "enabled_accessibility_services", OTHERS_SERVICE, deadline=soon)
    shell.run("settings", "put", "secure", "accessibility_enabled", "1", deadline=soon)
    place.server.tell(f"host-serial:{place.serial}:forward:{';'.join(OTHERS_FORWARD)}", soon)


def borrowed_state(place: Stand) -> Json:
    """Everything that can be borrowed, as it is now, by the real adb and the phone's own word."""
    found: Json = {
        f"{space}/{key}": _adb(place, "shell", "settings", "get", space, key).strip() for space, key in SETTINGS
    }
    lines = _adb(place, "forward", "--list").splitlines()
    found["forwards"] = sorted(line for line in lines if line.startswith(place.serial))
    found["slot"] = place.control.ask("helper")
    return found


def one_kill(place: Stand, before: Json, number: int) -> Json:
    """Kill a borrower; perhaps kill the next start; then start, and compare."""
    dice = Random(number)
    place.control.clear()
    if dice.random() < ORPHAN:
        place.control.fault("orphan")
    told = _killed(
        place, number, dice.uniform(*LIFE_S), ["starting", "borrowing"] + ["took"] * dice.randrange(MOST_TAKEN)
    )
    ledger = place.phone_ledger()
    held, count = len(ledger.leases()), 1
    orphan = place.control.ask("helper")
    while dice.random() < AGAIN:
        _killed(place, number, dice.uniform(*LIFE_S), ["starting"])
        count += 1
    phone = place.phone()
    after = borrowed_state(place)
    left = [lease.name for lease in ledger.leases()]
    phone.close()
    differs = [f"{name}: {before[name]} -> {after[name]}" for name in before if before[name] != after[name]]
    return {
        "number": number,
        "kills": count,
        "held": held,
        "orphan": orphan,
        "differs": differs + [f"lease `{name}` is left" for name in left],
        **({"told": told, "recovered": phone.recovered} if differs or left else {}),
    }


def _killed(place: Stand, seed: int, life: float, words: list[str]) -> str:
    """A borrower that is killed `life` seconds after it said all `words`; forked from a process that has loaded all."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["evalkit.bench.device.borrower"])
    here, there = context.Pipe(duplex=False)
    args = (place.server.host, place.server.port, place.serial, seed, there)
    process = context.Process(target=borrow_on, args=args, daemon=True)
    process.start()
    there.close()
    try:
        for word in words:
            if not here.poll(STARTS_WITHIN_S):
                raise SetupError(f"a process of the bench did not say `{word}` within {STARTS_WITHIN_S:.0f} s")
            here.recv_bytes()
        time.sleep(life)
        ended = process.exitcode
    except EOFError:
        raise SetupError(f"a process of the bench ended before it said all of {', '.join(words)}") from None
    finally:
        process.kill()
        process.join()
        here.close()
    return f"killed {life:.3f} s after {', '.join(words)}" + ("" if ended is None else f"; it had ended with {ended}")


def _adb(place: Stand, *words: str) -> str:
    command = [adb_path(), "-P", str(place.server.port), "-s", place.serial, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=STARTS_WITHIN_S, check=True).stdout
