"""The optional environment of a toolkit: where it is, how it is made, which program runs in it.

A toolkit's package lives in a Python environment of its own, because its pinned dependencies would fight ours. The
environment holds only what the parts in use import (`requirements/*.txt`), so it is installed without dependencies.
"""

import subprocess
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from runtime.contract import SetupError, UserError
from runtime.planner.settings import data_folder

HERE = Path(__file__).parent


class Kind(StrEnum):
    """The toolkits."""

    BFCL = "bfcl"
    AGENTDOJO = "agentdojo"


def default_folder(kind: Kind) -> Path:
    """Where `pocket eval outside setup` makes the environment."""
    return data_folder() / "outside" / kind.value


def python_of(folder: Path) -> Path:
    """The environment's interpreter."""
    return folder / "bin" / "python"


def setup_line(kind: Kind, folder: Path) -> str:
    """What to type when the environment is missing or incomplete."""
    option = "" if folder == default_folder(kind) else f" --env {folder}"
    return f"Run `pocket eval outside setup {kind.value}{option}`."


def command_of(kind: Kind, folder: Path) -> Sequence[Path]:
    """Interpreter and worker. Raises UserError where there is no such environment."""
    if not python_of(folder).is_file():
        raise UserError(f"No environment for {kind.value} at `{folder}`. {setup_line(kind, folder)}")
    return (python_of(folder), HERE / "workers" / f"{kind.value}_worker.py")


def requirements_of(kind: Kind) -> Path:
    """The pinned packages."""
    return HERE / "requirements" / f"{kind.value}.txt"


def make_environment(kind: Kind, folder: Path) -> None:
    """Create or complete an environment with the pinned packages. Raises SetupError with pip's last line."""
    if not (folder / "bin" / "pip").exists():  # the last that venv writes: an interrupted one is made again
        _run([sys.executable, "-m", "venv", folder])
    _run([python_of(folder), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
          "--requirement", requirements_of(kind)])  # fmt: skip


def _run(command: Sequence[str | Path]) -> None:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines() or ["it said nothing"]
        raise SetupError(f"`{Path(command[0]).name} {' '.join(map(str, command[1:4]))}` failed: {said[-1]}")
