import json

import pytest

from evalkit.admission import Admission
from evalkit.suites.bench import kept, release
from evalkit.suites.bench.kept import keep, kept_file, read_kept
from evalkit.suites.bench.release import Release, Sealed, load_releases, log_use, record, release_of, uses_file
from evalkit.suites.core.suite import Built
from evalkit.suites.registry import Suite
from runtime.contract import Split, UserError
from tests.evalkit.conftest import call


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))


def test_the_committed_releases_can_be_read():
    assert all({"train", "dev", "test"} >= set(one.splits) for one in load_releases())


def test_a_split_is_the_newest_release_that_has_its_fingerprint(monkeypatch):
    sealed = Sealed(fingerprint="aa11", tasks=3)
    lines = (Release(name="bench 1", splits={"test": sealed}), Release(name="bench 2", splits={"test": sealed}))
    monkeypatch.setattr(release, "load_releases", lambda: lines)
    assert release_of("test", "aa11") == "bench 2"
    assert release_of("test", "bb22") is None
    assert release_of("dev", "aa11") is None


def test_a_suite_with_a_failing_gold_or_a_taken_name_can_not_be_released(monkeypatch):
    failing = Suite("bench", Split.DEV, (), (Admission("bench/dev/hand_written/a/1", ("oracle fails: x",)),), "aa11")
    with pytest.raises(UserError, match=r"`bench/dev/hand_written/a/1` can't be released: oracle fails: x"):
        record("bench 9", {"dev": failing})
    taken = (Release(name="bench 9", splits={}),)
    monkeypatch.setattr(release, "load_releases", lambda: taken)
    with pytest.raises(UserError, match="there is a release `bench 9` already"):
        record("bench 9", {})


def test_a_release_is_a_line_of_the_file(monkeypatch, tmp_path):
    monkeypatch.setattr(release, "files", lambda package: tmp_path)
    (tmp_path / "releases.json").write_text('{"releases": []}')
    made = record("bench 1", {"dev": Suite("bench", Split.DEV, (), (), "aa11", {"recalled": (0, 4)})})
    assert load_releases() == (made,)
    assert made.splits["dev"] == Sealed(fingerprint="aa11", tasks=0, refused={"recalled": (0, 4)})


def test_an_older_release_without_refusals_stays_as_it_is(monkeypatch, tmp_path):
    monkeypatch.setattr(release, "files", lambda package: tmp_path)
    line = '{"name": "bench 1", "splits": {"dev": {"fingerprint": "aa11", "tasks": 3}}}'
    (tmp_path / "releases.json").write_text(f'{{"releases": [{line}]}}')
    record("bench 2", {})
    assert (tmp_path / "releases.json").read_text().splitlines()[1] == f"{line},"


def test_a_tree_that_can_not_be_written_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(release, "files", lambda package: tmp_path)
    (tmp_path / "releases.json").write_text('{"releases": []}')
    (tmp_path / "releases.json.part").mkdir()
    with pytest.raises(UserError, match=r"releases\.json` can't be written: Is a directory"):
        record("bench 1", {})


def test_every_use_of_test_is_kept_and_printed(capsys):
    log_use("bench", "aa11", 700)
    log_use("bench", "aa11", 700)
    uses = [json.loads(line) for line in uses_file().read_text().splitlines()]
    assert [(use["suite"], use["fingerprint"], use["tasks"]) for use in uses] == [("bench", "aa11", 700)] * 2
    assert "use 2 on record" in capsys.readouterr().err


def test_a_build_is_kept_until_something_changes(make, monkeypatch):
    task = make(call("manage_alarm", action="create", time="7 am"), {"finish": "Done."})
    built = Built((task,), (Admission("t/2", ("null passes",)),), {"recalled": (3,)})
    path = kept_file("bench", Split.DEV)
    assert read_kept(path) is None
    keep(path, built)
    assert read_kept(path) == built
    monkeypatch.setattr(kept, "suite_digest", lambda suite: "0123456789abcdef")
    other = kept_file("bench", Split.DEV)
    assert read_kept(other) is None
    keep(other, built)
    assert not path.exists()


def test_a_damaged_build_is_built_anew():
    path = kept_file("bench", Split.DEV)
    path.parent.mkdir(parents=True)
    path.write_text('{"tasks": [{"id": 3}], "rejected": []}')
    assert read_kept(path) is None


def test_where_nothing_can_be_kept_builds_are_made_and_uses_refused(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("POCKET_HOME", str(tmp_path / "file"))
    keep(kept_file("bench", Split.DEV), Built())
    assert read_kept(kept_file("bench", Split.DEV)) is None
    with pytest.raises(UserError, match=r"uses of the test split are kept in .* can't be written: Not a directory"):
        log_use("bench", "aa11", 700)


def test_a_release_has_a_plain_name():
    for name in ("", "../evil", "bench\n2", "x" * 60):
        with pytest.raises(UserError, match="is no name of a release"):
            record(name, {})
