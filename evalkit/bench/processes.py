"""Commands in a process of their own, measured by child.py; `SetupError` where one fails to run."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from runtime.contract import Json, SetupError

CHILD = Path(__file__).with_name("child.py")


def in_child(
    command: Sequence[str], what: str, environment: Mapping[str, str] | None = None, fine: Sequence[int] = (0,)
) -> Json:
    """Seconds, peak memory and exit code of a command; `what` names it where its code is not one of `fine`."""
    done = subprocess.run(
        [sys.executable, "-S", str(CHILD), *command],
        capture_output=True,
        text=True,
        env={**os.environ, **(environment or {})},
        check=False,
    )
    measured: Json = json.loads(done.stdout) if done.returncode == 0 else {}
    if measured.get("code") not in fine:
        said = str(measured.get("said", done.stderr)).strip()[-300:]
        raise SetupError(f"`{what}` failed in the bench: {said}")
    return measured
