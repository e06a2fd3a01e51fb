"""The mean of adapters: of their changes and not of their factors, with what they were trained for kept apart."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from runtime.cli.root import main
from trainer.average import average, averaged_run
from trainer.checkpoint import earlier_runs
from trainer.recipe import Recipe

A, B = "layers.0.mlp.up_proj.lora_A.weight", "layers.0.mlp.up_proj.lora_B.weight"


def run(folder: Path, name: str, b: list[list[float]], a: list[list[float]], alpha: int = 1, **more: object) -> Path:
    home = folder / name
    (home / "adapter").mkdir(parents=True)
    Recipe.model_validate({"name": name, **more}).save(home)
    save_file({A: np.array(a, np.float32), B: np.array(b, np.float32)}, home / "adapter" / "adapter_model.safetensors")
    config = {"r": len(a), "lora_alpha": alpha, "peft_type": "LORA"}
    (home / "adapter" / "adapter_config.json").write_text(json.dumps(config))
    (home / "counts.json").write_text(json.dumps({"tokens": 9, "by_source": {"pocketplanner": 4}}))
    (home / "base_config.json").write_text("{}")
    return home / "adapter"


def change(folder: Path) -> np.ndarray:
    weights = load_file(folder / "adapter_model.safetensors")
    return weights[B] @ weights[A]


def test_the_changes_are_averaged_with_their_scales(tmp_path: Path) -> None:
    first = run(tmp_path, "first", [[1.0], [0.0]], [[2.0, 0.0, 0.0]])
    second = run(tmp_path, "second", [[0.0], [1.0]], [[0.0, 0.0, 2.0]], alpha=2)
    lost = average([first, second], tmp_path / "mean", rank=2)
    # 1/2 (1/1) [[2 0 0] [0 0 0]] + 1/2 (2/1) [[0 0 0] [0 0 2]] = [[1 0 0] [0 0 2]]
    assert np.allclose(change(tmp_path / "mean"), [[1, 0, 0], [0, 0, 2]], atol=1e-6)
    assert lost == pytest.approx(0, abs=1e-6)


def test_factors_that_only_turned_change_nothing(tmp_path: Path) -> None:
    first = run(tmp_path, "first", [[1.0], [1.0]], [[1.0, 2.0, 3.0]])
    second = run(tmp_path, "second", [[-1.0], [-1.0]], [[-1.0, -2.0, -3.0]])  # the mean of the factors would be 0
    average([first, second], tmp_path / "mean", rank=1)
    assert np.allclose(change(tmp_path / "mean"), [[1, 2, 3], [1, 2, 3]], atol=1e-5)


def test_what_a_smaller_rank_loses_is_told(tmp_path: Path) -> None:
    first = run(tmp_path, "first", [[1.0], [0.0]], [[6.0, 0.0]])
    second = run(tmp_path, "second", [[0.0], [1.0]], [[0.0, 2.0]])
    # singular values 3 and 1: of the energy 9 + 1 a tenth is lost
    assert average([first, second], tmp_path / "mean", rank=1) == pytest.approx(0.1)
    assert np.allclose(change(tmp_path / "mean"), [[3, 0], [0, 0]], atol=1e-5)


def test_a_rank_above_the_runs_own_is_filled_with_nothing(tmp_path: Path) -> None:
    first = run(tmp_path, "first", [[1.0], [0.0]], [[1.0, 0.0]])
    average([first, first], tmp_path / "mean", rank=3)
    weights = load_file(tmp_path / "mean" / "adapter_model.safetensors")
    assert (weights[B].shape, weights[A].shape) == ((2, 3), (3, 2))
    assert np.allclose(change(tmp_path / "mean"), [[1, 0], [0, 0]], atol=1e-5)


def test_the_new_run_says_what_it_is_made_of(tmp_path: Path) -> None:
    run(tmp_path, "first", [[1.0], [0.0]], [[1.0, 0.0]], likely=4)
    run(tmp_path, "second", [[1.0], [0.0]], [[1.0, 0.0]], likely=4, start="first")
    recipe, counts = averaged_run("mean", ["first", "second"], tmp_path, 2)
    assert (recipe.averaged, recipe.likely, counts["by_source"]) == (("first", "second"), 4, {"pocketplanner": 8})
    assert [one["name"] for one in earlier_runs(recipe, tmp_path)] == ["first", "second"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("first",), "there is `1` run to average"),
        (("first", "third"), "`third` is no finished run; finished: first, other, second"),
        (("first", "second", "--name", "other"), "there is a run `other` already"),
        (("first", "other"), "differ in `likely` or `eta`"),
    ],
)
def test_what_can_not_be_averaged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str], told: str
) -> None:
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    runs = tmp_path / "data" / "training"
    run(runs, "first", [[1.0], [0.0]], [[1.0, 0.0]])
    run(runs, "second", [[1.0], [0.0]], [[1.0, 0.0]])
    run(runs, "other", [[1.0], [0.0]], [[1.0, 0.0]], likely=4)
    assert main(["train", "average", *words]) == 2
    assert told in capsys.readouterr().err
    assert not (runs / "cold-start").exists()
