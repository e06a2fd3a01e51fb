"""A saved recording: redacted again, with a dry run that changes nothing.

All of it is redacted before any of it is written: a folder is never half done.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from device.android.record import Finding, Redaction
from device.android.record.folder import CHANGE_KEYS
from device.android.record.forms import numbered
from device.android.record.redaction import painted
from runtime.contract import Json, UserError

TEXTS = ("events.jsonl", "episode.json", "changes.json", "steps.jsonl")
"""Files whose texts are redacted whole."""


@dataclass(frozen=True, slots=True)
class Redacted:
    """What a redaction would do, or did."""

    findings: tuple[Finding, ...]
    """All of them."""
    painted: tuple[str, ...]
    """Pictures with something painted over."""
    written: bool
    """False: a dry run."""

    def as_json(self) -> Json:
        """For `--json`; what was found stands in it, so that a person can judge."""
        rows = [
            {"kind": one.kind, "said": one.said, "becomes": one.placeholder, "where": one.where}
            for one in self.findings
        ]
        return {"written": self.written, "n": len(rows), "painted": list(self.painted), "findings": rows}


def steps_of(folder: Path) -> list[Json]:
    """The lines of `steps.jsonl`, their files in this folder whatever path they name; raises `UserError`."""
    from device.handset.recording import Recording

    rows = [step.model_dump(mode="json", exclude_defaults=True) for step in Recording(folder).steps]
    return [row | {name: Path(row[name]).name for name in ("tree", "picture") if row.get(name)} for row in rows]


def redact(folder: Path, redaction: Redaction, dry_run: bool) -> Redacted:
    """Take what is personal out of a saved recording; raises `UserError` for what is none."""
    steps = steps_of(folder)
    redaction.taken = numbered(_texts(folder, steps))
    changed: dict[Path, bytes] = {}
    findings: list[Finding] = []
    pictures: list[str] = []
    for step in steps:
        tree, picture = folder / step["tree"], folder / step.get("picture", "")
        xml, found, boxes = redaction.tree(_tree(tree), tree.name)
        findings += found
        if found:
            changed[tree] = xml.encode()
        if boxes and step.get("picture") and picture.is_file():
            changed[picture] = painted(picture.read_bytes(), boxes)
            pictures.append(picture.name)
    for name in TEXTS:
        file = folder / name
        if not file.is_file():
            continue
        try:
            old = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"`{file}` can't be read: {error}. Remove it, or record again.") from None
        new = _values(old, name, redaction, findings)
        if new != old:
            changed[file] = new.encode()
    if not dry_run:
        _write(changed)
    return Redacted(tuple(findings), tuple(pictures), not dry_run)


def _texts(folder: Path, steps: list[Json]) -> Iterator[str]:
    """All that may hold placeholders already."""
    for name in (*TEXTS, *(step["tree"] for step in steps)):
        if (folder / name).is_file():
            yield (folder / name).read_text(encoding="utf-8", errors="replace")


def _tree(path: Path) -> str:
    """A dump's XML."""
    from device.android.screen import DumpProblem
    from device.android.screen.dump import clean

    try:
        return clean(path.read_bytes())
    except DumpProblem as problem:
        raise UserError(f"`{path}` can't be read as a dump: {problem}.") from None


def _write(changed: dict[Path, bytes]) -> None:
    """All of the files, or none: they are written beside the old ones, which then give way."""
    parts = {file: file.with_name(f"{file.name}.part") for file in changed}
    try:
        for file, data in changed.items():
            parts[file].write_bytes(data)
    except OSError as error:
        for part in parts.values():
            with suppress(OSError):
                part.unlink(missing_ok=True)
        raise UserError(f"the recording can't be written: {error.strerror}. Nothing was changed in it.") from None
    for file, part in parts.items():
        part.replace(file)


FORM = frozenset(("at", "kind", "id", "started_at", "tree", "picture", "app", "stop", "call_id", "kinds",
                  "reason", "by", "what", "landed", "code", "error"))  # fmt: skip
"""Keys whose values are words of the recording's form."""
KEPT = {"events.jsonl": FORM, "steps.jsonl": FORM, "episode.json": FORM | {"name"}, "changes.json": CHANGE_KEYS}


def _values(text: str, name: str, redaction: Redaction, findings: list[Finding]) -> str:
    """JSON with the texts in it redacted."""
    try:
        if name.endswith(".jsonl"):
            rows = [json.loads(line) for line in text.split("\n") if line.strip()]  # a text may hold other ends
            clean = [redaction.value(row, name, findings, KEPT[name]) for row in rows]
            return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in clean)
        return json.dumps(redaction.value(json.loads(text), name, findings, KEPT[name]), ensure_ascii=False, indent=1)
    except ValueError as error:
        raise UserError(f"`{name}` of the recording is no JSON: {error}. Remove it, or record again.") from None
