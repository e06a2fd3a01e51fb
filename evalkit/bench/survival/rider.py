"""A process that carries the run out as `pocket run` does, or goes on with it as `pocket run --resume` does.

It says `started` when its rooms are open, and sends the report at its end. Nothing else of it counts: what it did is
read from phone, memory and trace.
"""

import io
import json
import os
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from multiprocessing.connection import Connection

from rich.console import Console

from device.sandbox.kept import KeptPhone
from evalkit.bench.memory.stand import Hashed
from evalkit.bench.survival.far import FarPhone
from evalkit.bench.survival.script import REQUEST, ride_settings
from runtime.cli.serve import Served, serve
from runtime.contract import CancelToken
from runtime.recall import Recall
from runtime.wiring import open_database, read_traces
from runtime.wiring.phones import BACKENDS

FAR = "far"
"""Name of the backend that lives on."""


class Words(Hashed):
    """Wide enough that the words of the request find its tools."""

    identity = "hashed words, wide"
    dimension = 1024


def ride(home: str, script_file: str, address: str, go_on: str, pipe: Connection) -> None:
    """Carry out the request in `home`, or go on with the run `go_on`; `address`: that of a phone that lives on."""
    os.environ["POCKET_HOME"] = home
    BACKENDS[FAR] = lambda world, serial, approver: FarPhone(address, None if go_on else world)
    KeptPhone.forget = lambda self: None  # type: ignore[method-assign]  # whoever looks at it afterwards takes it up

    @contextmanager
    def heard(cancel: CancelToken) -> Iterator[None]:
        pipe.send_bytes(b"started")
        yield

    began = time.perf_counter()
    served = _served(script_file, FAR if address else "sandbox", go_on, heard)
    report = {**served.report, "ride_s": time.perf_counter() - began}
    pipe.send_bytes(json.dumps(report).encode())


def _served(script_file: str, backend: str, go_on: str, heard: object) -> Served:
    console, recall = Console(file=io.StringIO()), Recall(Words(), open_database)
    earlier = None
    if go_on:
        with closing(read_traces()) as reader:
            earlier = reader.earlier(go_on)
    return serve(
        REQUEST,
        ride_settings(script_file, backend),
        console=console,
        agree=True,
        interruptible=heard,  # type: ignore[arg-type]
        earlier=earlier,
        recall=recall,
    )
