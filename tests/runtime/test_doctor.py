"""Every problem at once, each with its fix."""

import re
import sys

from runtime import doctor
from runtime.cli import doctor as command
from runtime.cli import root
from runtime.contract import SetupError
from runtime.mcp.book import ServerBook
from runtime.mcp.records import Server
from runtime.prototypes import read_manifest


def test_a_check_that_fails_is_a_finding_and_the_others_still_run():
    def broken():
        raise SetupError("the file is damaged; reinstall")

    def fine():
        yield doctor.Finding("fine", True, "here")

    found = doctor.findings([broken, fine])
    assert [(one.name, one.right, one.fix) for one in found] == [
        ("broken", False, "the file is damaged; reinstall"),
        ("fine", True, ""),
    ]


def test_folders_that_can_not_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("POCKET_HOME", str(tmp_path / "file"))
    data, cache, *_ = doctor.folders()
    assert (data.right, data.required, cache.right, cache.required) == (False, True, False, False)
    assert "POCKET_HOME" in data.fix


def test_folders_that_can(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path / "new"))
    assert [one.right for one in doctor.folders()][:2] == [True, True]
    assert not list((tmp_path / "new" / "data").iterdir())


def test_mcp_servers_are_looked_at_where_there_are_some(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    assert list(doctor.mcp_servers()) == []
    book = ServerBook(tmp_path / "data" / "mcp.json")
    book.put(Server(name="gone", command=("/no/such/program",)))
    book.put(Server(name="web", url="https://example.org/mcp"))
    sdk, gone = doctor.mcp_servers()
    assert (sdk.right, sdk.required, sdk.found.partition(",")[0]) == (True, False, "2 servers")
    assert (gone.name, gone.right, gone.found) == ("mcp server gone", False, "no program `/no/such/program`")


def test_what_recall_learned_is_looked_at(monkeypatch):
    ours = read_manifest()
    assert [(one.name, one.right) for one in doctor.recall()] == [("recall", True)]
    monkeypatch.setattr("runtime.prototypes.read_manifest", lambda: ours.model_copy(update={"embedder": "other"}))
    (foreign,) = doctor.recall()
    assert (foreign.right, foreign.required, "pocket train prototypes" in foreign.fix) == (False, False, True)


def test_adb_is_optional(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setitem(sys.modules, "adbutils", None)
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")
    adb, _, server = doctor.adb()
    assert (adb.right, adb.required, adb.found) == (False, False, "none")
    assert (server.name, server.found, server.right) == ("adb server", "not running", True)


def test_the_trainer_is_optional(monkeypatch):
    monkeypatch.setattr(doctor, "_version", lambda name: None if name in ("trl", "peft") else "1.0")
    (found,) = doctor.trainer()
    assert (found.right, found.required, found.found) == (False, False, "missing: peft, trl")
    assert "pip install -e '.[trainer]'" in found.fix
    monkeypatch.setattr(doctor, "_version", lambda name: "1.0")
    (found,) = doctor.trainer()
    assert (found.right, found.found) == (True, "torch 1.0, trl 1.0")


def test_nothing_is_cut_on_a_narrow_terminal(monkeypatch, capsys):
    folder = "/a/folder/with/a/name/" + "q" * 90
    monkeypatch.setattr(
        command, "findings", lambda: [doctor.Finding("data folder", False, folder, "Make it writable.")]
    )
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert root.main(["doctor"]) == 1
    shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert max(len(line) for line in shown.splitlines()) <= 80
    assert "…" not in shown and shown.count("q") == 90


def test_a_compiler_is_needed_only_where_llama_is_missing(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    built = {one.name: one for one in doctor.llama()}
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    missing = {one.name: one for one in doctor.llama()}
    assert (built["llama-cpp-python"].right, built["compiler"].required) == (True, False)
    assert (missing["llama-cpp-python"].right, missing["compiler"].required) == (False, True)


def test_settings_that_are_wrong_are_a_finding(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    (tmp_path / "pocket.toml").write_text("[budget]\nstep = 3\n")
    (found,) = doctor.findings([doctor.settings])
    assert (found.right, "budget.steps" in found.fix) == (False, True)
