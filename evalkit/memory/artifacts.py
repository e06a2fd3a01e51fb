"""What an evaluation leaves behind, so that it can go on after a kill and be looked at later: one folder a run.

    <data>/memory-eval/<run>/manifest.json           dataset, configuration, embedder, code: what the run id is made of
                             ingestion.jsonl         a line a sample: report of capture, fingerprint of the records
                             stores/<n>.sqlite3      the snapshot that questions are asked of
                             retrieval.jsonl         a line a question: what was shown, attempts, ranks of the evidence
                             answers-*.jsonl         a line a question: the prompt's digest, the answer
                             judgements-*.jsonl      a line a question: the judge's words and the score
                             figures.json            the report

A line is written whole and flushed to disk before the next question begins. A torn last line is dropped; one that
holds no longer what it must (lines.py) is passed over, said so, and done again.
"""

import hashlib
import json
import logging
import os
from pathlib import Path
from typing import Any

from evalkit.memory.lines import whole
from runtime.contract import Json
from runtime.contract.base import canonical_json, digest_of
from runtime.planner.settings import data_folder


def code_digest() -> str:
    """Of the files of `memory` and `evalkit.memory` that figures depend on, 16 hex digits."""
    import memory

    digest = hashlib.sha256()
    for root in (Path(memory.__file__).parent, Path(__file__).parent):
        for path in sorted((*root.rglob("*.py"), *root.rglob("*.toml"))):
            digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


class Artifacts:
    """The folder of one run."""

    def __init__(self, manifest: Json, *, fresh: bool = False) -> None:
        """Open the run that belongs to this manifest; `fresh`: forget what it has."""
        self.run = digest_of(manifest)
        self.folder = data_folder() / "memory-eval" / self.run
        if fresh:
            self._forget()
        (self.folder / "stores").mkdir(parents=True, exist_ok=True, mode=0o700)
        self.write("manifest.json", manifest)

    def store(self, number: int) -> Path:
        """The file of a sample's snapshot."""
        return self.folder / "stores" / f"{number:04d}.sqlite3"

    def write(self, name: str, value: Json) -> None:
        """A file, whole or not at all."""
        aside = self.folder / f".{name}.{os.getpid()}"
        aside.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        aside.replace(self.folder / name)

    def log(self, name: str) -> "Log":
        """The checkpoints under a name."""
        return Log(self.folder / f"{name}.jsonl")

    def _forget(self) -> None:
        for path in sorted(self.folder.rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()


class Log:
    """Checkpoints by key, a line each; of two with one key the later counts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._kept: dict[str, Json] = {}
        data = path.read_bytes() if path.exists() else b""
        end = data.rfind(b"\n") + 1
        if end < len(data):
            os.truncate(path, end)
        damaged = 0
        for value in map(_value, data[:end].splitlines()):
            if whole(path.stem, value):
                self._kept[value["key"]] = value
            else:
                damaged += 1
        if damaged:
            logging.getLogger(__name__).warning(
                "`%s` has %d damaged lines; what they held is done again", path, damaged
            )

    def get(self, key: str) -> Json | None:
        """What was kept under a key."""
        return self._kept.get(key)

    def put(self, key: str, value: Json) -> Json:
        """Keep a value on disk before returning."""
        line = {"key": key, **value}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(canonical_json(line) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self._kept[key] = line
        return line


def _value(line: bytes) -> Any:
    """The JSON of a line; None where it is none."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
