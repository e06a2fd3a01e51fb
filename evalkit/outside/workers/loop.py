"""The worker's side of the wire: one JSON object a line in, one out, in order.

The toolkit may print and read as it likes: both standard streams are moved away before it is imported. What an
operation raises is a fault of the worker, not of a tool, and is answered as `{"fault": ...}`.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, BinaryIO

Operation = Callable[[dict[str, Any]], dict[str, Any]]


def streams() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the parent. The toolkit sees an empty input, and its prints go to the error stream."""
    reader, writer = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return reader, writer


def send(writer: BinaryIO, answer: dict[str, Any]) -> None:
    """One answer. What JSON has no word for is sent as its text."""
    writer.write(json.dumps(answer, default=str).encode() + b"\n")


def clock(request: dict[str, Any]) -> dict[str, Any]:
    """Processor time of this process so far."""
    return {"cpu_s": time.process_time()}


def serve(package: str, load: Callable[[], dict[str, Operation]]) -> int:
    """Import the toolkit, say hello, then answer until the pipe closes. 0; 1 where the toolkit can't be imported."""
    reader, writer = streams()
    try:
        operations = {**load(), "clock": clock}
        send(writer, {"package": package, "version": version(package)})
    except ImportError as error:
        send(writer, {"package": package, "missing": error.name or str(error)})
        return 1
    for line in reader:
        request = json.loads(line)
        try:
            answer = operations[request["op"]](request)
        except Exception as error:  # whatever it is, the parent must hear of it
            answer = {"fault": f"{type(error).__name__}: {error}"}
        send(writer, answer)
    return 0


def run(package: str, load: Callable[[], dict[str, Operation]]) -> None:
    """The whole program. The parent decides when it ends, so that Ctrl-C must not reach a toolkit in the middle."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(serve(package, load))
