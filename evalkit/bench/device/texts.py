"""Hostile texts through every path: the phone's log must hold the commands that were meant and no other, and the text
must stand on the phone as it was given, or have been refused with nothing left of it.

Each text goes through every path on which the phone keeps it, and through a few of the lookups, all of them in turn.

What the bridge means to run is taken down where words go in, before they are quoted; the software phone takes down the
words that its shell ran. Both lists must be equal.
"""

from collections import Counter

from device.android.connection.server import Server
from device.android.phone import AndroidPhone
from device.android.shell import Result, Shell, command_line
from device.handset.client import Control
from evalkit.bench.device.hostile import hostile
from evalkit.bench.device.journal import Journal
from evalkit.bench.device.paths import PATHS, Path, lookups
from evalkit.bench.device.session import reported
from evalkit.bench.device.stand import stand
from evalkit.bench.frame import Order
from evalkit.commands.common import watch
from runtime.contract import Deadline, Json, Observation, WorldSpec

TEXTS = 5000
LOOKUPS = 4
"""Lookups of each text."""
CALL_SECONDS = 60.0
_SHOWN = 200


class TakenDown(Shell):
    """A shell that remembers what it was told to run."""

    def __init__(self, server: Server, serial: str) -> None:
        super().__init__(server, serial)
        self.told: list[list[str]] = []

    def run(self, *words: str, deadline: Deadline) -> Result:
        """Run, and remember; what can't be quoted is raised before it counts."""
        command_line(words)
        self.told.append(list(words))
        return super().run(*words, deadline=deadline)

    def raw(self, *words: str, deadline: Deadline) -> bytes:
        """The same for binary output."""
        command_line(words)
        self.told.append(list(words))
        return super().raw(*words, deadline=deadline)

    def taken(self) -> list[list[str]]:
        """What was told since the last time."""
        told, self.told = self.told, []
        return told


def texts(order: Order) -> Json:
    """`--limit` is a number of texts; each goes through every path."""
    others = lookups()
    journal = Journal("texts", min(order.limit or TEXTS, TEXTS))
    left = journal.left()
    if left:
        with stand() as place:
            phone = place.phone()
            shell = overheard(phone)
            phone.agent.ready(Deadline(CALL_SECONDS))
            for number in watch(left):
                turn = [others[(number * LOOKUPS + place_of) % len(others)] for place_of in range(LOOKUPS)]
                ways = [sent(phone, shell, place.control, path, number) for path in (*PATHS, *turn)]
                journal.add(number, {"paths": ways})
            phone.close()
    return summary(journal.outcomes())


def overheard(phone: AndroidPhone) -> TakenDown:
    """Have a phone's commands taken down."""
    shell = TakenDown(phone.server, phone.serial)
    phone.shell = phone.agent.shell = phone.gui.shell = shell
    return shell


def summary(outcomes: list[Json]) -> Json:
    """Counts over all texts and paths."""
    ways = [way for outcome in outcomes for way in outcome["paths"]]
    by_path = Counter(way["path"] for way in ways if way["kept"])
    return {
        "extra_commands": sum(way["extra"] for way in ways),
        "text_mismatches": sum(way["mismatch"] for way in ways),
        "texts": len(outcomes),
        "text_calls": len(ways),
        "commands": sum(way["commands"] for way in ways),
        "kept_by_path": dict(by_path),
        "paths": len({way["path"] for way in ways}),
        "refused": sum(way["report"] == "not done" for way in ways),
        "text_problems": [way for way in ways if way["extra"] or way["mismatch"]][:10],
    }


def sent(phone: AndroidPhone, shell: TakenDown, control: Control, path: Path, number: int) -> Json:
    """One text on one path: what ran, and what is there then."""
    text = hostile(number)
    control.reset(WorldSpec())
    path.ready(control, "")
    before = Counter(path.found(control))
    shell.taken()
    seen = path.act(phone, text, Deadline(CALL_SECONDS))
    told, ran = shell.taken(), [list(words) for words in control.ask("commands", clear=True)]
    new = list((Counter(path.found(control)) - before).elements())
    wrong = misread(path, text, seen, new)
    extra = strange(told, ran)
    return {
        "path": path.name,
        "report": reported(seen),
        "extra": len(extra),
        "mismatch": bool(wrong),
        "kept": bool(new) and not wrong,
        "commands": len(ran),
        **({"number": number, "wrong": wrong, "ran": extra[:3]} if wrong or extra else {}),
    }


def strange(told: list[list[str]], ran: list[list[str]]) -> list[list[str]]:
    """Commands that ran and were not told, or not in these words; and told ones that did not run as such."""
    wanted, seen = Counter(map(tuple, told)), Counter(map(tuple, ran))
    return [list(words) for words in ((seen - wanted) + (wanted - seen)).elements()]


def misread(path: Path, text: str, seen: Observation, new: list[str]) -> str:
    """What is wrong with the text on the phone; empty when nothing is."""
    report = reported(seen)
    said = seen.failure.message if seen.failure is not None else ""
    if not path.kept or report == "not done":
        return f"{new[0][:_SHOWN]!r} is left of it" if new else ""
    if report != "done" or said:
        return f"reported as {report}: {said[:_SHOWN]}"
    if len(new) != 1 or not path.fits(text, new[0]):
        return f"the phone has {[one[:_SHOWN] for one in new]!r}"
    return ""
