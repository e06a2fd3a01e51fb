"""The training itself, on a random model of two tiny layers: the loss is TRL's, and an interrupted run goes on."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
import torch
from datasets import Dataset
from transformers import LlamaConfig, LlamaForCausalLM
from trl import SFTConfig, SFTTrainer

from trainer import cold_start
from trainer.data.tokens import IGNORED, Tokens
from trainer.export import export_adapter
from trainer.labelled_loss import LabelledTrainer
from trainer.recipe import Recipe

pytestmark = pytest.mark.slow
SMALL = Recipe(name="small", rank=2, alpha=2, batch=2, save_steps=2, warmup_steps=1, learning_rate=0.01)


def tiny(half: bool = False) -> LlamaForCausalLM:
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=49152, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=1, max_position_embeddings=256, tie_word_embeddings=True,
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    return model.to(torch.bfloat16) if half else model


def dialogue(seed: int, length: int = 40) -> Tokens:
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(3, 49000, (length,), generator=generator).tolist()
    return Tokens(ids, [IGNORED] * (length // 2) + ids[length // 2 :])


def losses(kind: type[SFTTrainer], folder: Path, batch: dict[str, Any]) -> float:
    rows = Dataset.from_dict({"input_ids": [dialogue(1).ids], "labels": [dialogue(1).labels]})
    args = SFTConfig(output_dir=str(folder), use_cpu=True, bf16=True, max_length=None, report_to=[])
    made = kind(model=tiny(), args=args, train_dataset=rows, processing_class=cold_start._tokenizer())
    with torch.no_grad():
        return float(made.compute_loss(made.model, dict(batch)))


def test_the_loss_is_trls(tmp_path: Path) -> None:
    one = dialogue(5)
    batch = {
        "input_ids": torch.tensor([one.ids]),
        "labels": torch.tensor([one.labels]),
        "attention_mask": torch.ones(1, len(one), dtype=torch.long),
    }
    ours, theirs = (losses(kind, tmp_path, batch) for kind in (LabelledTrainer, SFTTrainer))
    assert ours == pytest.approx(theirs, rel=2e-3)
    assert ours == pytest.approx(10.8, abs=0.3)  # log(49152) = 10.80: a random model knows nothing


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dialogues = [dialogue(seed) for seed in range(12)]
    whole = cold_start.train(SMALL, dialogues, tmp_path / "whole", tiny)
    step = LabelledTrainer.training_step
    calls = []

    def interrupted(self: Any, *args: Any, **kwargs: Any) -> Any:
        calls.append(1)
        if len(calls) == 6:
            os.kill(os.getpid(), signal.SIGINT)
        return step(self, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(LabelledTrainer, "training_step", interrupted)
        with pytest.raises(KeyboardInterrupt):
            cold_start.train(SMALL, dialogues, tmp_path / "parts", tiny)
    last = cold_start.last_checkpoint(tmp_path / "parts")
    assert last is not None
    assert json.loads((last / "trainer_state.json").read_text())["global_step"] == 3
    parts = cold_start.train(SMALL, dialogues, tmp_path / "parts", tiny)
    first, second = (export_adapter(f, f / "a.gguf", f.parent / "base_config.json") for f in (whole, parts))
    assert first.read_bytes() == second.read_bytes()


def test_a_run_that_is_cut_ends_after_that_step(tmp_path: Path) -> None:
    cut = SMALL.model_copy(update={"cut": 2})
    cold_start.train(cut, [dialogue(seed) for seed in range(12)], tmp_path, tiny)
    last = cold_start.last_checkpoint(tmp_path)
    assert last is not None
    assert json.loads((last / "trainer_state.json").read_text())["global_step"] == 2
