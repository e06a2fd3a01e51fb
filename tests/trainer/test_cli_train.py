"""`pocket train`: wrong use is one line, exit code 2."""

import json
from pathlib import Path

import pytest

from runtime.cli.root import main


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    return main(["train", *words]), capsys.readouterr().err


def test_an_unknown_key_of_the_recipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    code, said = run(capsys, "cold-start", "--set", "rang=8")
    assert (code, "the recipe has no key `rang`" in said, "rank" in said) == (2, True, True)


def test_a_value_out_of_its_range(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    code, said = run(capsys, "cold-start", "--set", "rank=0")
    assert code == 2
    assert "Traceback" not in said


def test_a_run_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    code, said = run(capsys, "export", "nothing")
    assert (code, "there is no run `nothing`" in said) == (2, True)


def test_a_manifest_gives_all_runs_that_made_a_checkpoint(tmp_path: Path) -> None:
    from trainer.cli import _stages

    first = {"name": "cold-start-1", "learning_rate": 0.001, "corpus": {"exchanges": 9}}
    last = {"name": "cold-start", "start": "cold-start-1", "corpus": {"exchanges": 5}, "earlier": [first]}
    file = tmp_path / "manifest.json"
    file.write_text(json.dumps({"contract": 1, "name": "cold-start", "recipe": last}))
    stages = _stages(file, ["name=again"])
    assert [(stage.name, stage.start, stage.learning_rate) for stage in stages] == [
        ("cold-start-1", "", 0.001),
        ("again", "cold-start-1", 0.0015),
    ]


def test_a_file_that_is_no_recipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    (tmp_path / "list.json").write_text("[]")
    code, said = run(capsys, "cold-start", "--recipe", str(tmp_path / "list.json"))
    assert (code, "can't be read" in said) == (2, True)


def test_a_name_stays_in_the_folder_of_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    code, said = run(capsys, "cold-start", "--set", "name=../../evil", "--fresh")
    assert (code, "the recipe's `name` is '../../evil'" in said) == (2, True)
    assert not list(tmp_path.iterdir())
