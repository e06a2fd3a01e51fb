"""Many phones alive in one process: `python -m evalkit.bench.many_phones LIVES COUNT OUT`, run by worlds.py.

LIVES: a JSON line each, a world and the gold calls made on it -> phone k lives life k, in every later round of the list
with a note of its own, so that no two worlds are alike -> OUT: what came of it, when all are still alive
"""

import json
import sys
from itertools import cycle, islice
from pathlib import Path

from device.sandbox.sandbox import Sandbox
from evalkit.bench.calls import NEVER, load_samples
from evalkit.gold import play
from runtime.contract import Json, WorldSpec

CALLS = 5
"""Calls made on each phone: the gold's, then samples of the bench."""


def world_number(number: int, worlds: list[WorldSpec]) -> WorldSpec:
    """World `number`: from the list, and from its second round on with one more note."""
    lap, place = divmod(number, len(worlds))
    world = worlds[place]
    note = {"table": "notes", "id": f"lap_{lap:03d}", "content": f"Written on lap {lap}"}
    return world.model_copy(update={"facts": (*world.facts, note)}) if lap else world


def live(lives: list[Json], count: int) -> tuple[list[Sandbox], int, int]:
    """`count` phones, the calls made on them, and how many of these worked."""
    worlds = [WorldSpec.model_validate(life["world"]) for life in lives]
    spare = cycle(sample.call for sample in load_samples().values() if not sample.after)
    phones: list[Sandbox] = []
    made = worked = 0
    for number in range(count):
        phone = Sandbox(world_number(number, worlds))
        seen = play(lives[number % len(lives)]["gold"], phone)
        seen += [phone.execute(call, NEVER) for call in islice(spare, max(0, CALLS - len(seen)))]
        made, worked = made + len(seen), worked + sum(one.ok for one in seen)
        phones.append(phone)
    return phones, made, worked


def main(lives: str, count: str, out: str) -> None:
    """Read, live, and tell."""
    read = [json.loads(line) for line in Path(lives).read_text(encoding="utf-8").splitlines()]
    phones, made, worked = live(read, int(count))
    Path(out).write_text(json.dumps({"alive": len(phones), "calls": made, "worked": worked}), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
