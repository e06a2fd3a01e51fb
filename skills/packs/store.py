"""Installed packs: a folder a Skill, and `packs.json` with the digest under which each was installed.

    folder or archive -> unpack.py -> Skills found and checked -> written aside -> renamed -> pinned

A Skill whose files are not those that were installed any more is refused at every read: what a person agreed to is what
is used. Files are 0600 and none is ever run.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path

from pydantic import Field, ValidationError

from runtime.contract import Record, UserError
from skills.guide import read_guide
from skills.packs.unpack import files_of, refused
from skills.skill import FILE_NAME, MAX_NAME, NAME, Skill, read_skill

PINS = "packs.json"


class Pin(Record):
    """One installed Skill."""

    digest: str
    """`sha256:` and 64 hex digits over names and contents of its files."""
    source: str
    """Where it came from."""


class Pins(Record):
    """All of them."""

    skills: dict[str, Pin] = Field(default_factory=dict)
    """By slug."""


class Installed(Record):
    """What an installation did."""

    skills: dict[str, str]
    """Slug to digest."""
    left_out: tuple[str, ...] = ()
    """Files beside the Skills that were not taken."""


class PackStore:
    """The packs in one folder."""

    def __init__(self, folder: Path, taken: Collection[str] = ()) -> None:
        """`taken` are slugs of the package's own Skills."""
        self.folder, self._taken = folder, frozenset(taken)

    def pins(self) -> dict[str, Pin]:
        """What is installed, by slug."""
        path = self.folder / PINS
        if not path.is_file():
            return {}
        try:
            return dict(Pins.model_validate_json(path.read_bytes()).skills)
        except (OSError, ValidationError):
            raise UserError(f"`{path}` is damaged. Remove it and install the packs again.") from None

    def install(self, pack: Path, expected: str = "") -> Installed:
        """Install all Skills of a pack, or none; a wrong one or another digest than expected is a `UserError`."""
        pack = Path(os.path.abspath(pack))  # noqa: PTH100 - a link must stay one here
        groups, left_out = by_skill(pack, files_of(pack))
        digests = {slug: pack_digest(files) for slug, files in groups.items()}
        whole = pack_digest({f"{slug}/{name}": data for slug, files in groups.items() for name, data in files.items()})
        if expected and expected not in (whole, *(digests.values() if len(digests) == 1 else ())):
            raise refused(pack, f"its digest is `{whole}`, not `{expected}`")
        if own := sorted(self._taken & groups.keys()):
            raise refused(pack, f"a Skill `{own[0]}` is part of the package; rename it")
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(prefix=".new-", dir=self.folder) as aside:
            for slug, files in groups.items():
                written(Path(aside) / slug, files)
                _readable(pack, Path(aside), slug)
            for slug in groups:
                shutil.rmtree(self.folder / slug, ignore_errors=True)
                (Path(aside) / slug).rename(self.folder / slug)
        pins = self.pins() | {slug: Pin(digest=digest, source=str(pack)) for slug, digest in digests.items()}
        self._pin(pins)
        return Installed(skills=digests, left_out=tuple(left_out))

    def remove(self, slug: str) -> None:
        """Take one out; a `UserError` where there is none."""
        pins = self.pins()
        if slug not in pins:
            there = ", ".join(f"`{name}`" for name in sorted(pins)) or "none"
            raise UserError(f"no pack `{slug}` is installed; there is {there}. See `pocket skills list`.")
        del pins[slug]
        self._pin(pins)
        shutil.rmtree(self.folder / slug, ignore_errors=True)

    def skills(self) -> tuple[Skill, ...]:
        """The installed Skills; one that was changed since is a `UserError`."""
        return tuple(read_skill(folder / FILE_NAME) for folder in self.folders())

    def folders(self) -> tuple[Path, ...]:
        """Their folders, each with the files that were installed."""
        found = []
        for slug, pin in sorted(self.pins().items()):
            place = self.folder / slug
            if not NAME.fullmatch(slug) or len(slug) > MAX_NAME or not place.is_dir():
                raise UserError(f"the pack `{slug}` is gone from `{self.folder}`. `pocket skills remove {slug}`.")
            if pack_digest(files_of(place)) != pin.digest:
                raise UserError(
                    f"the pack `{slug}` is not what was installed from `{pin.source}`. Install it again, or "
                    f"`pocket skills remove {slug}`."
                )
            found.append(place)
        return tuple(found)

    def _pin(self, pins: Mapping[str, Pin]) -> None:
        aside = self.folder / f".{PINS}.new"
        text = Pins(skills=dict(sorted(pins.items()))).model_dump_json(indent=1)
        aside.write_text(text + "\n", encoding="utf-8")
        aside.chmod(0o600)
        aside.replace(self.folder / PINS)


def _readable(pack: Path, aside: Path, slug: str) -> None:
    """Refuse a Skill that can't be read, by its place in the pack and not by where it was unpacked."""
    try:
        read_skill(aside / slug / FILE_NAME)
        read_guide(aside / slug)
    except UserError as error:
        raise refused(pack, str(error).replace(f"{aside}/", "").rstrip(".")) from None


def by_skill(pack: Path, files: Mapping[str, bytes]) -> tuple[dict[str, dict[str, bytes]], list[str]]:
    """Files by Skill, and those that belong to none. A pack is one Skill folder, or a folder with several."""
    places = {name.rpartition("/")[0] for name in files if name.rpartition("/")[2] == FILE_NAME}
    if not places:
        raise refused(pack, f"no `{FILE_NAME}` is in it")
    groups: dict[str, dict[str, bytes]] = {}
    for place in sorted(places):
        slug = place.rpartition("/")[2] or (pack.name if pack.is_dir() else pack.name.partition(".")[0])
        if any(place.startswith(f"{other}/") or not other for other in places - {place}):
            raise refused(pack, f"the Skill `{place}` lies in another one")
        if not NAME.fullmatch(slug) or len(slug) > MAX_NAME:
            raise refused(pack, f"`{slug[:80]}` is no name of a Skill: 1 to {MAX_NAME} of a-z, 0-9 and single `-`")
        if slug in groups:
            raise refused(pack, f"two of its Skills are called `{slug}`")
        prefix = f"{place}/" if place else ""
        groups[slug] = {name[len(prefix) :]: data for name, data in files.items() if name.startswith(prefix)}
    beside = [name for name in files if not any(not place or name.startswith(f"{place}/") for place in places)]
    return groups, sorted(beside)


def written(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of one Skill into a new folder, readable by their owner alone."""
    for name, data in sorted(files.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as stream:
            stream.write(data)


def pack_digest(files: Mapping[str, bytes]) -> str:
    """Over names and contents, in the order of names."""
    listing = [[name, hashlib.sha256(files[name]).hexdigest()] for name in sorted(files)]
    return "sha256:" + hashlib.sha256(json.dumps(listing).encode()).hexdigest()
