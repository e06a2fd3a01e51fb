"""The parent's side of the wire: a worker process, one JSON object a line in each direction.

1. Every answer is a record of this file; what fits none ends the run as `InfrastructureError`, never as a guess.
2. Requests may be queued and sent together; the worker answers in order. A wait ends at its deadline, and with it the
   worker: what it did is unknown.
3. The worker is a session of its own: Ctrl-C in a terminal reaches the parent alone, which ends it in good order.
"""

import json
import os
import select
import subprocess
import tempfile
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field, ValidationError

from runtime.contract import Deadline, InfrastructureError, Json, Record

R = TypeVar("R", bound=Record)
CHUNK = 1 << 16
SLICE_S = 0.2
"""How often a cancel token is looked at while a worker is busy."""


class Hello(Record):
    """The first line of a worker."""

    package: str
    """Package that it serves."""
    version: str = ""
    """Version of the package."""
    missing: str = ""
    """Module that could not be imported; the worker has ended."""


class OutsideTool(Record):
    """A tool as the toolkit describes it."""

    name: str
    """The toolkit's own name."""
    group: str
    """Class or suite that it belongs to."""
    description: str
    """The toolkit's words."""
    parameters: Json
    """JSON Schema."""


class Tools(Record):
    """Answer to `tools`."""

    tools: tuple[OutsideTool, ...]
    """All tools of all groups."""


class OutsideTask(Record):
    """A task as the toolkit describes it."""

    id: str
    """The toolkit's id."""
    requests: tuple[str, ...]
    """The user's words, turn by turn."""
    groups: tuple[str, ...]
    """Groups whose tools the task has."""
    held: dict[str, int] = Field(default_factory=dict)
    """Tools that are shown only from this turn on."""


class Tasks(Record):
    """Answer to `tasks`."""

    tasks: tuple[OutsideTask, ...]
    """All tasks, in the toolkit's order."""


class Begun(Record):
    """Answer to `begin`."""

    begun: bool
    """Always; what goes wrong is a fault."""


class GoldCall(Record):
    """A call of the toolkit's own solution."""

    name: str
    """The toolkit's name of the tool."""
    arguments: Json
    """By name."""


class Gold(Record):
    """Answer to `gold`."""

    turns: tuple[tuple[GoldCall, ...], ...]
    """Calls by turn."""
    answer: str = ""
    """What the agent should say at the end."""


class Called(Record):
    """Answer to `call`."""

    text: str
    """The result in the toolkit's words."""
    encoded: bool = False
    """The text is the JSON of the value, which is then not sent twice."""
    value: Any = None
    """The result as JSON."""
    raised: str = ""
    """Class of the exception, where the tool raised one."""


class State(Record):
    """Answer to `state`."""

    parts: dict[str, str]
    """Digest of the state by group."""


class Judged(Record):
    """Answer to `judge`."""

    passed: bool
    """The word of the toolkit's own check."""


class Ended(Record):
    """Answer to `end`."""

    ended: bool
    """Whether there was such an episode."""


class Theirs(Record):
    """Answer to `theirs`: the toolkit's own executor on a task's gold."""

    outputs: tuple[tuple[str, ...], ...]
    """Results by turn."""
    states: tuple[dict[str, str], ...]
    """Digests after each turn; empty before the first call."""
    seconds: float
    """Of execution alone."""
    cpu_s: float
    """Processor time of the same."""


class Clock(Record):
    """Answer to `clock`."""

    cpu_s: float
    """Processor time of the worker since its start."""


class Fault(Record):
    """A defect of the worker or its toolkit outside of any tool."""

    fault: str
    """Class and message."""


class WorkerTimeout(InfrastructureError):  # noqa: N818 - a timeout, by the name that it has everywhere
    """No answer by the deadline; the worker was ended."""


class Worker:
    """One worker process. Requests may be queued: they are sent together, and answered in their order."""

    def __init__(self, command: Sequence[str | Path]) -> None:
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        inherited = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PYTHONHOME"}}
        settings = {"PYTHONHASHSEED": "0", "PYTHONNOUSERSITE": "1", "PYTHONUTF8": "1"}
        self._process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._stderr,
            env={**inherited, **settings}, start_new_session=True, bufsize=0)  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._into, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        # Never block on a full pipe: the worker may itself be waiting for its answers to be read.
        os.set_blocking(self._into, False)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._unsent = b""
        self._received = b""
        self._expected: deque[type[Record]] = deque()

    def hello(self, deadline: Deadline) -> Hello:
        """The first line."""
        return _parsed(self._line(deadline), Hello)

    def queue(self, answer: type[Record], op: str, **fields: Any) -> None:
        """A request that goes out with the next `collect`."""
        self._unsent += json.dumps({"op": op, **fields}).encode() + b"\n"
        self._expected.append(answer)

    def collect(self, deadline: Deadline) -> list[Record]:
        """Send what is queued; the answers to all of it. Raises InfrastructureError, `WorkerTimeout` after the
        deadline; what was queued behind a request that failed is answered by the next `collect`, before its own.
        """
        self._push()
        answers: list[Record] = []
        while self._expected:
            line = self._line(deadline)
            answers.append(_parsed(line, self._expected.popleft()))
        return answers

    def ask(self, answer: type[R], deadline: Deadline, op: str, **fields: Any) -> R:
        """One request and its answer, with whatever was queued before it."""
        self.queue(answer, op, **fields)
        last = self.collect(deadline)[-1]
        assert isinstance(last, answer)
        return last

    def close(self) -> None:
        """End the process."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._stderr):
            if stream is not None:
                stream.close()

    def _push(self) -> None:
        """As much of the unsent bytes as the pipe takes; the rest waits for room."""
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._into, self._unsent) :]
        except BlockingIOError:
            self._poll.register(self._into, select.POLLOUT)
            return
        except (BrokenPipeError, ValueError) as error:
            raise InfrastructureError(self._died()) from error

    def _line(self, deadline: Deadline) -> bytes:
        """The next line; bytes behind it are kept for the line after."""
        parts = [self._received]
        while b"\n" not in parts[-1]:
            if self._readable(deadline):
                parts.append(os.read(self._out, CHUNK))
                if not parts[-1]:
                    raise InfrastructureError(self._died())
        line, _, self._received = b"".join(parts).partition(b"\n")
        return line

    def _readable(self, deadline: Deadline) -> bool:
        """Wait until there is something to read, and send on when there is room."""
        events = self._poll.poll(1000 * min(SLICE_S, deadline.remaining()))
        if not events and (deadline.expired or deadline.cancel.cancelled):
            self._process.kill()
            raise WorkerTimeout("The toolkit's worker did not answer by the deadline and was ended.")
        ready = {descriptor for descriptor, _ in events}
        if self._into in ready:
            self._poll.unregister(self._into)
            self._push()
        return self._out in ready

    def _died(self) -> str:
        """One line about the end of the process, with its last word."""
        code = self._process.wait()
        self._stderr.seek(0)
        said = self._stderr.read().decode(errors="replace").strip().splitlines()
        return f"The toolkit's worker ended with code {code}" + (f": {said[-1]}." if said else ".")


def _parsed(line: bytes, answer: type[R]) -> R:
    if line.startswith(b'{"fault"'):
        raise InfrastructureError(f"The toolkit's worker failed: {Fault.model_validate_json(line).fault}.")
    try:
        return answer.model_validate_json(line)
    except ValidationError as error:
        shown = line[:200].decode(errors="replace")
        raise InfrastructureError(f"The toolkit's worker answered no `{answer.__name__}`: {shown}") from error
