"""Builds that are kept: a split's tasks in the cache folder, under the digest of all that they depend on.

That is the code and the data of the phone, of memory and Skills, and of evalkit's suites and graders. A damaged or
foreign file is built anew. The folder may be emptied at any time; where it can't be written, nothing is kept.
"""

import hashlib
import json
import os
from contextlib import suppress
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from evalkit.admission import Admission
from evalkit.source import source_digest
from evalkit.suites.core.suite import Built
from runtime.contract import Split, TaskSpec
from runtime.planner.settings import cache_folder

GRADERS = (
    "admission",
    "agents",
    "compare",
    "gates",
    "gold",
    "policies",
    "prime",
    "rehearsal",
    "tables",
    "verify",
    "whole",
)
"""Modules of evalkit that decide which tasks there are."""


@lru_cache(maxsize=2)
def suite_digest(suite: str = "bench") -> str:
    """First 16 hex digits of SHA-256 over everything that a build depends on; no suite depends on `android`."""
    root = Path(str(files("evalkit")))
    folders = [root / "suites", *([root / "android"] if suite == "android" else [])]
    found = (path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".toml", ".json"))
    paths = [path for path in found if _counts(path.as_posix(), suite)]
    digest = hashlib.sha256(source_digest().encode())
    for path in sorted((*paths, *(root / f"{name}.py" for name in GRADERS))):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _counts(path: str, suite: str) -> bool:
    """Whether a build depends on a file; which of `android`'s candidates were admitted decides no build."""
    return "suites/android/" not in path or (suite == "android" and not path.endswith(".json"))


def kept_file(suite: str, split: Split) -> Path:
    """Where a build is kept."""
    return cache_folder() / "suites" / f"{suite}-{split.value}-{suite_digest(suite)}.json"


def read_kept(path: Path) -> Built | None:
    """A kept build; None where there is none, or none that can be read."""
    try:
        data = json.loads(path.read_bytes())
        tasks = tuple(TaskSpec.model_validate(task) for task in data["tasks"])
        rejected = tuple(Admission(one["task"], tuple(one["faults"])) for one in data["rejected"])
        refused = {str(name): tuple(map(int, places)) for name, places in data["refused"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return Built(tasks, rejected, refused)


def keep(path: Path, built: Built) -> None:
    """Keep a build; written aside and renamed, so that no reader sees half of it."""
    data = {
        "tasks": [task.model_dump(mode="json") for task in built.tasks],
        "rejected": [{"task": one.task_id, "faults": one.faults} for one in built.rejected],
        "refused": built.refused,
    }
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_suffix(f".{os.getpid()}")
        aside.write_text(json.dumps(data), encoding="utf-8")
        aside.replace(path)
        for old in path.parent.glob(f"{path.name.rsplit('-', 1)[0]}-*"):  # one that a kill left aside too
            if old != path:
                old.unlink(missing_ok=True)
