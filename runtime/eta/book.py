"""Every version of the instructions, and which one serves.

    shipped NAME.toml (version 1) -> revise: FOLDER/NAME/v0002.toml -> log.jsonl: what serves since when, and why
                                     rollback: another line of the log; no version is ever edited or deleted

1. What serves is the last line of a name's log; without one, what is shipped. Nothing changes while serving: a revision
   is a person's own deed at the command line.
2. A version is named by its number and checked by its digest. A file that was edited after it was kept is refused.
"""

import difflib
import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from runtime.contract import Domain, Record, SetupError, UserError
from runtime.eta import FOLDER, DomainEta, Eta, read_eta, shipped


class Deed(Record):
    """One line of a log."""

    at: str
    """UTC, ISO 8601."""
    did: Literal["revise", "rollback"]
    """What was done."""
    version: int
    """The version that serves since."""
    digest: str
    """Its digest."""
    before: int
    """The version that served until then."""
    why: str = ""
    """In the words of whoever did it."""


class EtaBook:
    """The instructions of one user: what is shipped, and what they made of it."""

    def __init__(self, folder: Path, shipped_in: Path = FOLDER) -> None:
        """`folder` holds the user's versions; it is made when the first one is kept."""
        self.folder, self._shipped_in = folder, shipped_in
        self._shipped = shipped(shipped_in)

    def names(self) -> list[str]:
        """General instructions first, then those of domains."""
        return list(self._shipped)

    def current(self, name: str) -> Eta:
        """The version that serves."""
        log = self.log(name)
        return self.version(name, log[-1].version) if log else read_eta(self._known(name))

    def version(self, name: str, number: int) -> Eta:
        """One version, checked against the log."""
        known = self.versions(name)
        if number not in known:
            have = ", ".join(map(str, sorted(known)))
            raise UserError(f"`{name}` has no version {number}. There are: {have}.")
        eta = read_eta(known[number], name)
        kept = next((deed for deed in self.log(name) if deed.version == number), None)
        if kept is not None and kept.digest != eta.digest:
            raise SetupError(
                f"`{known[number]}` is not what was kept as version {number} of `{name}` (digest {eta.digest}, kept "
                f"{kept.digest}). Restore it, or go back: `pocket eta rollback {name} --to {kept.before}`."
            )
        return eta

    def versions(self, name: str) -> Mapping[int, Path]:
        """Files by version number; a user's own come after what is shipped."""
        path = self._known(name)
        found = {read_eta(path).version: path}
        for own in sorted((self.folder / name).glob("v*.toml")):
            if own.stem[1:].isdigit():
                found[int(own.stem[1:])] = own
        return found

    def log(self, name: str) -> list[Deed]:
        """What was done, oldest first."""
        path = self._log(name)
        if not path.is_file():
            return []
        deeds = []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                deeds.append(Deed.model_validate(json.loads(line)))
            except ValidationError as error:
                field = ".".join(map(str, error.errors()[0]["loc"]))
                raise SetupError(f"`{path}` line {number}: field `{field}` is wrong. Delete the line.") from None
            except ValueError as error:
                raise SetupError(f"`{path}` line {number} is no JSON: {error}. Delete the line.") from None
        return deeds

    def revise(self, path: Path, name: str, why: str = "") -> Eta:
        """Keep the file `path` as the next version of `name`, which serves from now on."""
        eta, before = read_eta(path, name), self.current(name)
        following = max(self.versions(name)) + 1
        if eta.version != following:
            raise UserError(f"`{path}` has version {eta.version}; the next one of `{name}` is {following}. Correct it.")
        if getattr(eta, "domain", None) is not getattr(before, "domain", None):
            raise UserError(f"`{path}` is of another domain than `{name}`. Take the domain as it is.")
        if eta.components == before.components:
            raise UserError(f"`{path}` says what version {before.version} of `{name}` says. Nothing was kept.")
        own = self.folder / name / f"v{following:04d}.toml"
        own.parent.mkdir(parents=True, exist_ok=True)
        part = own.with_suffix(".part")
        part.write_bytes(path.read_bytes())
        part.replace(own)
        self._did(name, "revise", eta, before.version, why)
        return eta

    def rollback(self, name: str, to: int | None = None, why: str = "") -> Eta:
        """Let an earlier version serve again: `to`, else the one that served before."""
        log = self.log(name)
        if to is None and not log:
            raise UserError(f"`{name}` was never revised: version {self.current(name).version} is what is shipped.")
        eta = self.version(name, log[-1].before if to is None else to)
        before = log[-1].version if log else self.current(name).version
        if eta.version == before:
            raise UserError(f"version {before} of `{name}` serves already. `pocket eta show {name}` lists the others.")
        self._did(name, "rollback", eta, before, why)
        return eta

    def domains(self) -> dict[Domain, DomainEta]:
        """The instructions that serve for each domain."""
        found = (self.current(name) for name, path in self._shipped.items() if path.parent.name == "domains")
        return {eta.domain: eta for eta in found if isinstance(eta, DomainEta)}

    def _did(self, name: str, did: Literal["revise", "rollback"], eta: Eta, before: int, why: str) -> None:
        at = datetime.now(UTC).isoformat(timespec="seconds")
        deed = Deed(at=at, did=did, version=eta.version, digest=eta.digest, before=before, why=why)
        path = self._log(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(deed.model_dump_json() + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _log(self, name: str) -> Path:
        return self.folder / name / "log.jsonl"

    def _known(self, name: str) -> Path:
        if name not in self._shipped:
            known = ", ".join(f"`{one}`" for one in self._shipped)
            raise UserError(f"there are no instructions `{name}`. Use one of {known}.")
        return self._shipped[name]


def difference(old: Eta, new: Eta) -> list[str]:
    """A unified diff over components, a line each; empty where they say the same."""
    before, after = ([f"{key}: {text}" for key, text in one.components.items()] for one in (old, new))
    names = [f"{one.name} version {one.version}" for one in (old, new)]
    return list(difflib.unified_diff(before, after, names[0], names[1], lineterm="", n=99))
