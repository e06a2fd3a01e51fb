"""Skill packs: what is installed, what is refused, what goes out again."""

import io
import os
import stat
import tarfile
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.contract import UserError
from skills.compile import places_in, read_sources
from skills.loaders import LIBRARY, MORE, library
from skills.packs.export import export, skill_text
from skills.packs.store import PackStore, pack_digest
from skills.packs.unpack import MAX_FILE, MAX_FILES, files_of, safe_name
from skills.skill import parse_skill

HEAD = "name: tea-time\ndescription: Tea. Use it at five.\nmetadata:\n  tools: manage_countdown"
TEA = f"---\n{HEAD}\n---\nBoil, then wait.\n"


@pytest.fixture
def store(tmp_path):
    """An empty store; `smart-home` is a Skill of the package."""
    return PackStore(tmp_path / "packs", ["smart-home"])


@pytest.fixture
def folder(tmp_path):
    """A pack as a folder with one Skill."""
    place = tmp_path / "tea-time"
    place.mkdir()
    (place / "SKILL.md").write_text(TEA, encoding="utf-8")
    (place / "references").mkdir()
    (place / "references" / "leaves.md").write_text("Green.", encoding="utf-8")
    return place


def zipped(path, *entries):
    """A .zip of names and contents; an entry may be a `ZipInfo`."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return path


def tarred(path, *entries, mode="w:gz"):
    """A tar archive of names and contents, or of `TarInfo`s."""
    with tarfile.open(path, mode) as archive:
        for name, data in entries:
            info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            info.size = len(data) if info.isreg() else 0
            archive.addfile(info, io.BytesIO(data))
    return path


def refusal(store, pack):
    """Why a pack is refused; nothing of it is left."""
    with pytest.raises(UserError) as error:
        store.install(pack)
    assert store.pins() == {}
    assert not store.folder.exists() or [path for path in store.folder.iterdir() if path.is_dir()] == []
    return str(error.value)


@pytest.mark.parametrize("kind", ["folder", "zip", "tar", "tar.gz", "tar.bz2", "tar.xz"])
def test_a_pack_is_installed_from_a_folder_or_an_archive(store, folder, tmp_path, kind):
    entries = [("tea-time/SKILL.md", TEA.encode()), ("tea-time/references/leaves.md", b"Green.")]
    pack = folder
    if kind == "zip":
        pack = zipped(tmp_path / "tea.zip", *entries)
    elif kind != "folder":
        pack = tarred(tmp_path / f"tea.{kind}", *entries, mode="w:" + kind[4:])
    done = store.install(pack)
    assert list(done.skills) == ["tea-time"]
    assert done.skills["tea-time"] == store.pins()["tea-time"].digest == pack_digest(
        {"SKILL.md": TEA.encode(), "references/leaves.md": b"Green."}
    )  # fmt: skip
    (skill,) = store.skills()
    assert (skill.name, skill.tools) == ("tea-time", ("manage_countdown",))
    path = store.folder / "tea-time" / "references" / "leaves.md"
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"Green.", 0o600)


def test_several_skills_come_in_one_pack_and_the_rest_is_named(store, tmp_path):
    other = TEA.replace("tea-time", "coffee-time")
    pack = zipped(
        tmp_path / "both.zip",
        ("pack/tea-time/SKILL.md", TEA), ("pack/coffee-time/SKILL.md", other), ("pack/README.md", "hello"),
        ("__MACOSX/pack/._SKILL.md", "junk"), ("pack/.DS_Store", "junk"),
    )  # fmt: skip
    done = store.install(pack)
    assert (list(done.skills), done.left_out) == (["coffee-time", "tea-time"], ("pack/README.md",))
    assert [skill.name for skill in store.skills()] == ["coffee-time", "tea-time"]


def test_what_was_changed_since_is_refused(store, folder):
    store.install(folder)
    (store.folder / "tea-time" / "SKILL.md").write_text(TEA + "And then pay.\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"the pack `tea-time` is not what was installed from .*tea-time`\. Install it"):
        store.skills()
    store.install(folder)
    assert len(store.skills()) == 1
    (store.folder / "tea-time" / "extra.md").write_text("more", encoding="utf-8")
    with pytest.raises(UserError, match="is not what was installed"):
        store.skills()
    store.remove("tea-time")
    assert (store.skills(), store.pins()) == ((), {})
    with pytest.raises(UserError, match="no pack `tea-time` is installed; there is none"):
        store.remove("tea-time")


def test_another_digest_than_expected_is_refused(store, folder):
    assert "its digest is `sha256:" in _refused_with(store, folder, "sha256:" + "0" * 64)
    right = store.install(folder).skills["tea-time"]
    store.remove("tea-time")
    assert store.install(folder, right).skills == {"tea-time": right}


def _refused_with(store, pack, digest):
    with pytest.raises(UserError) as error:
        store.install(pack, digest)
    return str(error.value)


@pytest.mark.parametrize(
    "name",
    ["../SKILL.md", "tea-time/../../SKILL.md", "/etc/SKILL.md", "C:/tea-time/SKILL.md", "tea-time\\SKILL.md",
     "tea-time//SKILL.md", "./../x/SKILL.md"],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_a_name_that_leads_out_is_refused(store, tmp_path, name, kind):
    if kind == "zip":
        info = zipfile.ZipInfo("x")
        info.filename = name
        pack = zipped(tmp_path / "bad.zip", ("tea-time/SKILL.md", TEA), (info, TEA))
    else:
        pack = tarred(tmp_path / "bad.tar.gz", ("tea-time/SKILL.md", TEA.encode()), (name, TEA.encode()))
    assert "could lead out of its folder" in refusal(store, pack)
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "packs") == [pack.name]


def test_links_and_devices_are_refused(store, folder, tmp_path):
    link = zipfile.ZipInfo("tea-time/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert "is a link" in refusal(store, zipped(tmp_path / "l.zip", ("tea-time/SKILL.md", TEA), (link, "/etc/passwd")))
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
        info = tarfile.TarInfo("tea-time/link")
        info.type, info.linkname = kind, "/etc/passwd"
        pack = tarred(tmp_path / "l.tar.gz", ("tea-time/SKILL.md", TEA.encode()), (info, b""))
        assert "`tea-time/link` is a link or no plain file" in refusal(store, pack)
    (folder / "link").symlink_to("/etc/passwd")
    assert "`link` is a link" in refusal(store, folder)
    (folder / "link").unlink()
    os.mkfifo(folder / "pipe")
    assert "`pipe` is no plain file" in refusal(store, folder)
    (tmp_path / "alias").symlink_to(folder)
    assert "it is a link" in refusal(store, tmp_path / "alias")


def test_a_bomb_ends_at_the_limit(store, tmp_path):
    zeros = b"\0" * (50 * 1024 * 1024)
    pack = zipped(tmp_path / "bomb.zip", ("tea-time/SKILL.md", TEA), ("tea-time/zeros", zeros))
    assert pack.stat().st_size < 60 * 1024
    assert "`tea-time/zeros` is larger than 256 KiB" in refusal(store, pack)
    pack = tarred(tmp_path / "bomb.tar.gz", ("tea-time/SKILL.md", TEA.encode()), ("tea-time/zeros", zeros))
    assert "it is larger than 2 MiB" in refusal(store, pack)
    part = b"\0" * MAX_FILE
    many = [(f"tea-time/{number}", part) for number in range(12)]
    assert "it is larger than 2 MiB" in refusal(store, zipped(tmp_path / "b.zip", ("tea-time/SKILL.md", TEA), *many))
    many = [(f"tea-time/{number}", b"") for number in range(MAX_FILES)]
    assert f"more than {MAX_FILES} files" in refusal(
        store, zipped(tmp_path / "m.zip", ("tea-time/SKILL.md", TEA), *many)
    )


def test_a_deep_folder_and_a_large_archive_are_refused(store, folder, tmp_path):
    deep = folder / "/".join("abcdefgh")
    deep.mkdir(parents=True)
    (deep / "leaf.md").write_text("x", encoding="utf-8")
    assert "its folders stand more than 8 deep" in refusal(store, folder)
    (tmp_path / "large.zip").write_bytes(b"PK\x03\x04" + b"\0" * 8 * 1024 * 1024)
    assert "it is larger than 8 MiB" in refusal(store, tmp_path / "large.zip")


def test_two_files_of_one_name_are_refused(store, tmp_path):
    pack = zipped(tmp_path / "two.zip", ("tea-time/SKILL.md", TEA), ("tea-time/skill.md", "other"))
    assert "two of its files are called `tea-time/skill.md`" in refusal(store, pack)


def test_what_is_no_pack_is_refused(store, tmp_path):
    (tmp_path / "text.zip").write_text("no archive", encoding="utf-8")
    assert "it can't be read as a .zip or .tar archive" in refusal(store, tmp_path / "text.zip")
    whole = zipped(tmp_path / "t.zip", ("tea-time/SKILL.md", TEA)).read_bytes()
    (tmp_path / "half.zip").write_bytes(whole[: len(whole) // 2])
    assert "it can't be read as a .zip or .tar archive" in refusal(store, tmp_path / "half.zip")
    assert "no `SKILL.md` is in it" in refusal(store, zipped(tmp_path / "none.zip", ("README.md", "x")))
    assert "there is no pack" in refusal(store, tmp_path / "nothing.zip")
    assert "is no name of a Skill" in refusal(store, zipped(tmp_path / "n.zip", ("Tea Time/SKILL.md", TEA)))
    nested = zipped(tmp_path / "in.zip", ("tea-time/SKILL.md", TEA), ("tea-time/sub/SKILL.md", TEA))
    assert "lies in another one" in refusal(store, nested)
    own = TEA.replace("tea-time", "smart-home")
    assert "a Skill `smart-home` is part of the package" in refusal(
        store, zipped(tmp_path / "own.zip", ("smart-home/SKILL.md", own))
    )


def test_a_wrong_skill_in_a_pack_installs_nothing(store, tmp_path):
    pack = zipped(tmp_path / "two.zip", ("tea-time/SKILL.md", TEA), ("bad-one/SKILL.md", TEA))
    assert "field `name` is `tea-time`; it must be the name of its folder, `bad-one`" in refusal(store, pack)
    pack = zipped(tmp_path / "r.zip", ("tea-time/SKILL.md", TEA), ("tea-time/guidance.toml", "colour = 1"))
    assert "there is no field `colour`" in refusal(store, pack)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400), st.integers(0, 2))
def test_any_bytes_are_a_pack_or_a_user_error(tmp_path_factory, data, start):
    path = tmp_path_factory.mktemp("any") / "pack"
    path.write_bytes((b"", b"PK\x03\x04", b"\x1f\x8b\x08")[start] + data)
    try:
        assert isinstance(files_of(path), dict)
    except UserError as error:
        assert str(path) in str(error)


@given(st.text(max_size=30))
def test_a_safe_name_stays_in_its_folder(name):
    from pathlib import Path

    try:
        safe_name(Path("pack"), name)
    except UserError:
        return
    assert os.path.normpath(os.path.join("/base", name)).startswith("/base/")  # noqa: PTH118 - as the disk reads it


@pytest.mark.parametrize("slug", [place.name for shelf in (LIBRARY, MORE) for place in places_in(shelf)])
def test_an_exported_skill_is_the_same_skill(slug):
    (source,) = read_sources([next(place / slug for place in (LIBRARY, MORE) if (place / slug).is_dir())])
    assert parse_skill(skill_text(source.skill), source.path) == source.skill


def test_what_goes_out_can_come_in_again(tmp_path):
    sources = read_sources(places_in(LIBRARY))[:3]
    first, second = tmp_path / "one.zip", tmp_path / "two.zip"
    digests = export(sources, first)
    export(sources, second)
    assert first.read_bytes() == second.read_bytes()
    assert PackStore(tmp_path / "packs").install(first).skills == digests
    assert export(sources, tmp_path / "folder") == digests
    text = (tmp_path / "folder" / library()[0].name / "SKILL.md").read_text(encoding="utf-8")
    assert "license: Apache-2.0\nallowed-tools: search_user_memory add_user_memory" in text
    with pytest.raises(UserError, match=r"is there already\. Name another folder"):
        export(sources, tmp_path / "folder")


def test_a_pack_keeps_its_own_licence(store, folder, tmp_path):
    (folder / "SKILL.md").write_text(TEA.replace("metadata:", "license: MIT\nmetadata:"), encoding="utf-8")
    store.install(folder)
    export(read_sources(store.folders()), tmp_path / "out")
    assert "license: MIT\n" in (tmp_path / "out" / "tea-time" / "SKILL.md").read_text(encoding="utf-8")
