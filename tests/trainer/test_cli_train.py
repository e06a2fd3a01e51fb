"""`pocket train`: wrong use is one line, exit code 2."""

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
