"""The book of a user's rules: one JSON object a line, mode 0600.

Adding appends one line; removing writes the file beside its place and renames it, under a lock, so that two processes
lose nothing of each other. A line that can't be read is an error that names file and line: a `deny` that was lost in
silence would be worse than a run that does not start.
"""

import json
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from runtime import private_file
from runtime.contract import SetupError, UserError
from runtime.guard.rules import Rule

MOST = 1000
"""Rules of one book: each is looked at for each call."""


class RuleBook:
    """The rules of one file; `path` None keeps them in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._kept: list[Rule] = []
        self._read_at: tuple[int, int] | None = None

    def rules(self) -> list[Rule]:
        """All of them, oldest first; a change by another process is seen."""
        if self.path is None:
            return list(self._kept)
        try:
            state = self.path.stat()
        except FileNotFoundError:
            return []
        if self._read_at != (state.st_mtime_ns, state.st_size):
            self._kept = list(_read(self.path))
            self._read_at = (state.st_mtime_ns, state.st_size)
        return list(self._kept)

    def add(self, rule: Rule) -> Rule:
        """Keep a rule for good; it comes back with its id and time."""
        named = rule.model_copy(
            update={"id": f"ap_{uuid.uuid4().hex[:8]}", "made_at": datetime.now(UTC).isoformat(timespec="seconds")}
        )
        with self._locked():
            if len(known := self.rules()) >= MOST:
                raise UserError(
                    f"there are {len(known):,} rules; the limit is {MOST:,}. Remove some: `pocket approvals remove ID`."
                )
            if self.path is None:
                self._kept.append(named)
            else:
                private_file.append(self.path, named.model_dump_json() + "\n")
        return named

    def remove(self, rule_id: str) -> Rule:
        """Take a rule out; an unknown id is a `UserError`."""
        with self._locked():
            known = self.rules()
            gone = next((rule for rule in known if rule.id == rule_id), None)
            if gone is None:
                raise UserError(f"there is no rule `{rule_id}`. See `pocket approvals list`.")
            kept = [rule for rule in known if rule.id != rule_id]
            if self.path is None:
                self._kept = kept
            else:
                private_file.replace(self.path, "".join(rule.model_dump_json() + "\n" for rule in kept))
        return gone

    def _locked(self) -> AbstractContextManager[None]:
        return nullcontext() if self.path is None else private_file.locked(self.path)


def _read(path: Path) -> Iterator[Rule]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield Rule.model_validate(json.loads(line))
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"]))
            raise SetupError(
                f"`{path}` line {number}: field `{field}`: {first['msg'].lower()}. Correct or delete the line."
            ) from None
        except ValueError as error:
            raise SetupError(f"`{path}` line {number} is no JSON: {error}. Correct or delete the line.") from None
