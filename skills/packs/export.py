"""Skills for other runtimes: folders in the Agent Skills format, or a .zip of them with the same bytes every time.

The tools that a Skill opens also stand as `allowed-tools`, which others read; rules and references go along. What is
exported can be installed again.
"""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from runtime.contract import Json, UserError
from skills.compile import Source
from skills.packs.store import pack_digest, written
from skills.packs.unpack import files_of
from skills.skill import FILE_NAME, Skill

LICENCE = "Apache-2.0"
"""Of the package's own Skills; a pack keeps what it says."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest moment that a .zip can name: no time of day changes its bytes."""


def skill_text(skill: Skill, licence: str = LICENCE) -> str:
    """A SKILL.md that other runtimes read, and that gives the same Skill here."""
    metadata: Json = {}
    for key, value, between in (
        ("tools", skill.tools, " "), ("phrases", skill.phrases, " | "), ("uses", skill.uses, " "),
        ("requires", skill.requires, " | "), ("ensures", skill.ensures, " | "),
    ):  # fmt: skip
        if value:
            metadata[key] = between.join(value)
    fields: Json = {"name": skill.name, "description": skill.description, "license": licence}
    if skill.tools:
        fields["allowed-tools"] = " ".join(skill.tools)
    if metadata:
        fields["metadata"] = metadata
    head = yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=110)
    return f"---\n{head}---\n\n{skill.instructions}\n"


def export(sources: Sequence[Source], target: Path) -> dict[str, str]:
    """Write Skills into a new folder, or into a file that ends in `.zip`; their digests by slug."""
    groups = {one.skill.name: _files(one) for one in sources}
    try:
        _put(groups, target)
    except OSError as error:
        raise UserError(f"`{target}` can't be written: {error.strerror}. Name another folder or file.") from None
    return {slug: pack_digest(files) for slug, files in groups.items()}


def _put(groups: Mapping[str, Mapping[str, bytes]], target: Path) -> None:
    if target.suffix == ".zip":
        target.write_bytes(zipped(groups))
    else:
        for slug, files in groups.items():
            if (target / slug).exists():
                raise UserError(f"`{target / slug}` is there already. Name another folder, or remove it.")
            written(target / slug, files)


def _files(source: Source) -> dict[str, bytes]:
    files = files_of(source.path.parent)
    said = re.search(r"^license:[ \t]*(\S.*)$", files[FILE_NAME].decode(), re.MULTILINE)
    return files | {FILE_NAME: skill_text(source.skill, said[1].strip(" \"'") if said else LICENCE).encode()}


def zipped(groups: Mapping[str, Mapping[str, bytes]]) -> bytes:
    """A .zip of Skill folders."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for slug in sorted(groups):
            for name in sorted(groups[slug]):
                entry = zipfile.ZipInfo(f"{slug}/{name}", EPOCH)
                entry.external_attr = 0o644 << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, groups[slug][name])
    return stream.getvalue()
