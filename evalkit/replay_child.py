"""One process of a replay: `python -m evalkit.replay_child TASKS.jsonl` prints a digest for each task."""

import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from device.sandbox.sandbox import Sandbox
from evalkit.results import Trial
from evalkit.runner import Cast, run_trial
from evalkit.scene import ROUTINGS, Scene, settings_for
from evalkit.stress import Stress
from runtime.config import load_settings
from runtime.contract import CancelToken, InfrastructureError, TaskSpec, canonical_json
from runtime.trace import Untraced
from runtime.wiring import open_rooms


def digests(tasks: Sequence[TaskSpec]) -> Iterator[str]:
    """SHA-256 over the canonical episodes and diffs of each task, under each of its routings."""
    planner, asked = Cast("oracle"), load_settings({"planner": {"use": "oracle"}})
    served = settings_for(asked, tuple(tasks))
    with open_rooms(served, phone=Sandbox(), planner=planner, trace=Untraced()) as opened:
        scene = Scene(opened, Stress(), asked)
        for task in tasks:
            digest = hashlib.sha256()
            for routing in ROUTINGS["both"] if task.part == "skill" else ("",):
                played = run_trial(Trial(task, 0, routing), scene, planner, CancelToken())
                if played is None:
                    raise InfrastructureError(f"`{task.id}` was not played")
                both = [played.episode.canonical(), played.diff.model_dump(mode="json")]
                digest.update(canonical_json(both).encode())
            yield digest.hexdigest()


def main(file: Path) -> None:
    """Print a line for each task of a file."""
    with file.open(encoding="utf-8") as lines:
        for digest in digests([TaskSpec.model_validate_json(line) for line in lines]):
            print(digest)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
