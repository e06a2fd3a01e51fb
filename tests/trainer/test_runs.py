"""The list of runs: figures from what was logged, unfinished runs named as such, none is wrong use."""

import json
from pathlib import Path

import pytest

from runtime.cli.root import main
from trainer.recipe import Recipe
from trainer.runs import rows


def run(folder: Path, name: str, losses: list[float], **more: object) -> None:
    home = folder / name
    Recipe.model_validate({"name": name, **more}).save(home)
    (home / "counts.json").write_text(json.dumps({"tokens": 900, "learned_tokens": 300, "dialogues": 10}))
    (home / "corpus.npz").write_bytes(b"ids")
    if losses:
        logged = [{"loss": loss, "mean_token_accuracy": 1 - loss} for loss in losses]
        (home / "checkpoint-10").mkdir()
        state = {"global_step": 10, "log_history": [*logged, {"train_runtime": 3.0}]}
        (home / "checkpoint-10" / "trainer_state.json").write_text(json.dumps(state))


def test_the_last_fifth_of_the_steps_counts(tmp_path: Path) -> None:
    run(tmp_path, "first", [0.9] * 8 + [0.2, 0.4], method="full")
    run(tmp_path, "second", [], start="first")
    done, begun = rows(tmp_path)
    assert (done.name, done.method, done.steps, done.of_steps) == ("first", "full", 10, 10)
    assert done.loss == pytest.approx(0.3)  # of ten logged steps the last two
    assert done.accuracy == pytest.approx(0.7)
    assert (begun.start, begun.steps, begun.loss) == ("first", 0, None)
    assert done.corpus == begun.corpus  # the same bytes


def test_a_run_whose_corpus_was_never_made_is_left_out(tmp_path: Path) -> None:
    Recipe(name="begun").save(tmp_path / "begun")
    assert rows(tmp_path) == []


def test_no_runs_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    assert main(["train", "runs"]) == 2
    assert "there is no run in" in capsys.readouterr().err
