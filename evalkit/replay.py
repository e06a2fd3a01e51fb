"""Replay: the oracle plays every task in two processes with two hash seeds; the canonical episodes must be equal.

    tasks -> JSON lines -> child with PYTHONHASHSEED 1 -> a digest a line \\
                        -> child with PYTHONHASHSEED 2 -> a digest a line  -> compared

A child plays through the whole harness (recall, context, guard, executor). What is compared is SHA-256 over the
canonical episode (all but run id, host and times) and the phone's diff.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from runtime.contract import InfrastructureError, Json, TaskSpec

HASH_SEEDS = ("1", "2")
SHOWN = 20
"""Tasks named that differ."""


def replay_twice(tasks: Sequence[TaskSpec]) -> Json:
    """`n` tasks, how many were `identical`, and which were not."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tasks.jsonl"
        file.write_text("".join(task.model_dump_json() + "\n" for task in tasks), encoding="utf-8")
        children = [_start(file, seed) for seed in HASH_SEEDS]
        try:
            first, second = (_said(child) for child in children)
        finally:
            for child in children:
                child.kill()  # one that still plays, after a Ctrl-C or the other's failure
                child.wait()
    if len(first) != len(tasks) or len(second) != len(tasks):
        raise InfrastructureError(f"of {len(tasks)} tasks the children played {len(first)} and {len(second)}")
    different = [task.id for task, one, other in zip(tasks, first, second, strict=True) if one != other]
    return {
        "n": len(tasks),
        "identical": len(tasks) - len(different),
        "different": different[:SHOWN],
        "hash_seeds": list(HASH_SEEDS),
    }


def _start(file: Path, seed: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "evalkit.replay_child", str(file)]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _said(child: "subprocess.Popen[str]") -> list[str]:
    out, error = child.communicate()
    if child.returncode != 0:
        raise InfrastructureError(f"a replay ended with code {child.returncode}: {error.strip()[-400:]}")
    return out.splitlines()
