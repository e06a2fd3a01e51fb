"""A process that writes memories until it is killed, and says of each what was acknowledged.

A record is told through the pipe only after the call that wrote it has returned. One message is one write of less than
4 KiB, so a kill leaves it whole or unsent. Between writes it searches for what it wrote, which makes the caches move.
"""

import json
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from evalkit.bench.memory.prose import Prose
from evalkit.bench.memory.stand import Hashed, opened

CORRECTED, SEARCHED, SHOWN = 0.2, 0.1, 20
"""Share of writes that replace a record of this writer; share that is followed by a search, which shows so many."""


def write_on(file: str, name: str, seed: int, pipe: Connection) -> None:
    """Write until killed: `[id, text]` for each acknowledged record, `[id, text, wanted]` for a wrong answer."""
    dice, prose = Random(seed), Prose(seed)
    service = opened(Path(file), Hashed())
    own: list[str] = []
    number = 0
    while True:
        number += 1
        text = f"{name} noted as number {number} of {seed}: {prose.sentence()}"
        if own and dice.random() < CORRECTED:
            record = service.correct(own.pop(dice.randrange(len(own))), text)
        else:
            record = service.add(text)
        own.append(record.id)
        pipe.send_bytes(json.dumps([record.id, text]).encode())
        if dice.random() < SEARCHED:
            said = [
                item.record.content for item in service.search(text, limit=SHOWN).items if item.record.id == record.id
            ]
            if said != [text]:
                pipe.send_bytes(json.dumps([record.id, "".join(said), text]).encode())
