"""A checkpoint is installed when it beats the installed one in closed loop, never with a malformed call."""

import json
from pathlib import Path

import pytest

from runtime.contract import UserError
from trainer.checkpoint import earlier_runs, install
from trainer.gate import overall, passes
from trainer.recipe import Recipe

GOOD = {"one_call_success": 0.8, "multi_call_success": 0.5, "ask_success": 0.7, "malformed_calls": 0}


def test_the_mean_of_the_shares_decides() -> None:
    assert overall(GOOD) == pytest.approx((0.8 + 0.5 + 0.7) / 3)
    assert overall({**GOOD, "tool_accuracy": 0.9, "call_exact": 0.6}) == pytest.approx(0.7)
    assert overall({**GOOD, "bench_tool_use": 0.2, "bench_skill": 0.3}) == pytest.approx(0.5)  # (2.0 + 0.5) / 5
    assert overall({"ask_success": None}) == 0.0


def test_only_a_better_candidate_passes() -> None:
    said: list[str] = []
    assert passes(GOOD, None, said.append)
    assert not passes(GOOD, GOOD, said.append)
    assert not passes({**GOOD, "malformed_calls": 1}, None, said.append)
    assert not passes({**GOOD, "bench_malformed_calls": 1}, None, said.append)
    assert said[1] == "gate: candidate 0.667, installed 0.667, malformed calls 0"


def test_an_installed_checkpoint_says_where_it_comes_from(tmp_path: Path) -> None:
    adapter = tmp_path / "trained.gguf"
    adapter.write_bytes(b"GGUF adapter")
    counts = {"by_source": {"hwu64": 5, "pocketplanner": 7}}
    folder = install(adapter, Recipe(name="trial"), counts, GOOD, tmp_path / "checkpoints")
    manifest = json.loads((folder / "manifest.json").read_text())
    assert [(source["name"], source["licence"], source["exchanges"]) for source in manifest["data"]] == [
        ("hwu64", "CC BY 4.0", 5),
        ("pocketplanner", "Apache-2.0", 7),
    ]
    assert manifest["recipe"]["rank"] == 32
    assert manifest["scores"] == GOOD


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    adapter = tmp_path / "large.gguf"
    with adapter.open("wb") as file:
        file.truncate(25_000_001)
    with pytest.raises(UserError, match=r"25,000,001 bytes; the limit .* is 25,000,000.*smaller `rank`"):
        install(adapter, Recipe(), {}, {}, tmp_path)


def test_a_manifest_holds_the_whole_chain_of_runs(tmp_path: Path) -> None:
    for name, start in (("one", ""), ("two", "one")):
        Recipe(name=name, start=start).save(tmp_path / name)
        (tmp_path / name / "counts.json").write_text('{"tokens": 5}')
    chain = earlier_runs(Recipe(name="three", start="two"), tmp_path)
    assert [(run["name"], run["corpus"]["tokens"]) for run in chain] == [("one", 5), ("two", 5)]
