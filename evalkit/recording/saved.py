"""A saved recording: redacted again, with a dry run that changes nothing.

All of it is redacted before any of it is written: a folder is never half done.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from device.android.record import Finding, Redaction
from device.android.record.folder import CHANGE_KEYS
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
    """The lines of `steps.jsonl`; raises `UserError`."""
    from device.handset.recording import Recording

    return [step.model_dump(mode="json", exclude_defaults=True) for step in Recording(folder).steps]


def redact(folder: Path, redaction: Redaction, dry_run: bool) -> Redacted:
    """Take what is personal out of a saved recording; raises `UserError` for what is none."""
    changed: dict[Path, bytes] = {}
    findings: list[Finding] = []
    pictures: list[str] = []
    for step in steps_of(folder):
        tree, picture = folder / Path(step["tree"]).name, folder / Path(step.get("picture", "")).name
        xml, found, boxes = redaction.tree(tree.read_text(encoding="utf-8"), tree.name)
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
        old = file.read_text(encoding="utf-8")
        new = _values(old, name, redaction, findings)
        if new != old:
            changed[file] = new.encode()
    if not dry_run:
        for file, data in changed.items():
            part = file.with_name(f"{file.name}.part")
            part.write_bytes(data)
            part.replace(file)
    return Redacted(tuple(findings), tuple(pictures), not dry_run)


FORM = frozenset(("at", "kind", "id", "started_at", "tree", "picture", "activity", "app", "stop", "call_id", "kinds",
                  "reason", "by", "what", "landed", "code", "error"))  # fmt: skip
"""Keys whose values are words of the recording's form."""
KEPT = {"events.jsonl": FORM, "steps.jsonl": FORM, "episode.json": FORM | {"name"}, "changes.json": CHANGE_KEYS}


def _values(text: str, name: str, redaction: Redaction, findings: list[Finding]) -> str:
    """JSON with the texts in it redacted."""
    try:
        if name.endswith(".jsonl"):
            rows = [json.loads(line) for line in text.splitlines() if line.strip()]
            clean = [redaction.value(row, name, findings, KEPT[name]) for row in rows]
            return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in clean)
        return json.dumps(redaction.value(json.loads(text), name, findings, KEPT[name]), ensure_ascii=False, indent=1)
    except ValueError as error:
        raise UserError(f"`{name}` of the recording is no JSON: {error}. Remove it, or record again.") from None
