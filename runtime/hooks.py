"""Hooks around calls: programs of the user's own that see a call before it runs, and its result after it.

    {"event": "before" | "after", "episode": ..., "call": {"name", "arguments"}, "result": {...}}   on standard input
    before   exit 0: the call runs     2: it does not, for the reason in the first line of the output
    after    what is printed is shown to the planner as one more observation, cut like any other

A hook that can't be started, takes too long or ends otherwise has not agreed: the call does not run, and says why.
Hooks come from the user's configuration alone, never from a Skill or a pack.
"""

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal

from runtime.contract import Deadline, ErrorCode, Failure, Json, Observation, ToolCall, ToolSpec
from runtime.shown import body_of

REFUSED = 2
"""Exit code of a hook that does not agree."""
GLANCE = 0.05
"""Seconds after which a running hook is looked at again: Ctrl-C does not wait for it."""
OVER = "it took longer than {:.3g} s (`hooks.seconds`)"
OUTPUT_BYTES = 4096
"""Of what a hook prints, so much is read."""


class CommandHook:
    """The contract's `CallHook` over one program."""

    def __init__(self, command: Sequence[str], event: Literal["before", "after"], seconds: float = 5.0) -> None:
        """`command` is a program with its arguments; `seconds` is the longest that it may take."""
        self._command, self._event, self._seconds = list(command), event, seconds

    def before(self, call: ToolCall, spec: ToolSpec, episode: str, deadline: Deadline) -> Failure | None:
        """None where it agrees."""
        if self._event != "before":
            return None
        code, text = self._run({"event": "before", "episode": episode, "call": _shown(call)}, deadline)
        if code == 0:
            return None
        first = text.splitlines()[0].strip() if text.strip() else "it gave no reason"
        why = f"refused `{call.name}`" if code == REFUSED else "failed"
        return Failure(code=ErrorCode.REFUSED_BY_GUARD, message=f"the hook `{self._command[0]}` {why}: {first[:200]}")

    def after(self, call: ToolCall, seen: Observation, episode: str, deadline: Deadline) -> Sequence[Observation]:
        """What it prints, if anything."""
        if self._event != "after":
            return ()
        told: Json = {"event": "after", "episode": episode, "call": _shown(call), "result": body_of(seen)}
        code, text = self._run(told, deadline)
        said = text.strip() if code == 0 else f"the hook failed: {text.strip()}"
        return (Observation(call_id="", data={"hook": said}),) if said else ()

    def _run(self, told: Json, deadline: Deadline) -> tuple[int, str]:
        """Exit code and output; -1 where it could not be run to its end."""
        until = deadline.within(self._seconds)
        limit = until.remaining()
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as given:
            given.write(json.dumps(told, ensure_ascii=False, default=str).encode())
            given.seek(0)
            try:
                done = subprocess.Popen(
                    self._command, stdin=given, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
                )
            except OSError as error:
                return -1, error.strerror or "it can't be started"
            while done.poll() is None:
                if until.expired or until.cancel.cancelled:
                    os.killpg(done.pid, signal.SIGKILL)
                    done.wait()
                    return -1, "the run was cancelled" if until.cancel.cancelled else OVER.format(limit)
                with suppress(subprocess.TimeoutExpired):
                    done.wait(min(until.remaining(), GLANCE))
            output.seek(0)
            return done.returncode, output.read(OUTPUT_BYTES).decode(errors="replace")


def _shown(call: ToolCall) -> Json:
    return {"name": call.name, "arguments": call.arguments}
