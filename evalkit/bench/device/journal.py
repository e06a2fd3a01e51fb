"""Outcomes of a long part, kept as they come: after Ctrl-C the same command goes on where it stopped.

One file for each part in the cache folder: a line that says of what it is the journal, then a line for each outcome.
A journal of other code or of another size is not continued. One that is whole is removed: the next run measures anew.
A second run of the same part at the same time is refused.
"""

import fcntl
import json
from collections.abc import Callable
from pathlib import Path

from runtime.contract import Json, UserError, digest_of
from runtime.planner.settings import cache_folder

ROOT = Path(__file__).parents[3]
CODE = ("device/android", "device/handset", "evalkit/bench/device")
"""Whose change makes outcomes old."""


class Journal:
    """The outcomes of one part, by number."""

    def __init__(self, name: str, total: int, folder: Path | None = None) -> None:
        self.total = total
        self.path = (folder or cache_folder() / "bench") / f"device-{name}.jsonl"
        self._head = {"part": name, "total": total, "code": code_digest()}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = self.path.with_suffix(".lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"`{self.path}` is in use: this part is being measured. Wait for its end.") from None
        self._lines = self._read()
        if not self._lines:
            self.path.write_text(json.dumps(self._head) + "\n", encoding="utf-8")

    def fact(self, name: str, find: Callable[[], Json]) -> Json:
        """Something that all outcomes of a journal share, found once."""
        if name not in self._lines:
            self.add(name, find())
        return self._lines[name]

    def left(self) -> list[int]:
        """Numbers without an outcome."""
        return [number for number in range(self.total) if str(number) not in self._lines]

    def add(self, key: int | str, outcome: Json) -> None:
        """Keep one outcome."""
        self._lines[str(key)] = outcome
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": str(key), "outcome": outcome}, ensure_ascii=False) + "\n")

    def outcomes(self) -> list[Json]:
        """All that have a number, in order; the journal has served then."""
        found = [self._lines[str(number)] for number in range(self.total) if str(number) in self._lines]
        if len(found) == self.total:
            self.path.unlink(missing_ok=True)
        self._lock.close()
        return found

    def _read(self) -> dict[str, Json]:
        """By key; nothing where there is none to go on with. A last line that was torn is cut off."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return {}
        whole = data[: data.rfind(b"\n") + 1]
        try:
            head, *rest = [json.loads(line) for line in whole.splitlines()]
            found = {line["key"]: line["outcome"] for line in rest}
        except (ValueError, LookupError, TypeError):
            return {}
        if head != self._head:
            return {}
        self.path.write_bytes(whole)
        return found


def code_digest() -> str:
    """Of everything whose change makes outcomes old."""
    files = sorted(file for folder in CODE for file in (ROOT / folder).rglob("*") if file.suffix in (".py", ".toml"))
    return digest_of([[file.name, file.read_text(encoding="utf-8")] for file in files])
