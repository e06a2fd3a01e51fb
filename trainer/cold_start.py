"""The planning cold start through TRL's SFTTrainer: token ids with masked labels, resumed from its last state.

    recipe -> corpus -> SFTTrainer (LoRA over frozen bfloat16 weights) -> run folder -> export -> gate -> checkpoint

The run folder (recipe, corpus, checkpoints with optimiser state, log) lies in the user's data folder. Eq. 4 of the
paper is the labels' mask: erroneous turns and everything that the planner did not write have label -100.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from runtime.contract import UserError
from trainer.base import load_base, save_base_config
from trainer.data.tokens import Tokens
from trainer.recipe import Recipe

log = logging.getLogger(__name__)
LINEAR_LAYERS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
ADAPTER_FOLDER = "adapter"


def train(recipe: Recipe, dialogues: Sequence[Tokens], folder: Path, max_steps: int = -1) -> Path:
    """Train on `dialogues` in their order and return the adapter's folder (the model's, for the method `full`).

    Resumes where the folder holds a checkpoint. `KeyboardInterrupt` passes through after the state was saved.
    """
    import torch
    from datasets import Dataset

    from trainer.labelled_loss import LabelledTrainer

    torch.set_num_threads(recipe.threads)
    torch.manual_seed(recipe.seed)
    model = load_base(half=recipe.method == "lora")
    rows = Dataset.from_dict({"input_ids": [one.ids for one in dialogues], "labels": [one.labels for one in dialogues]})
    folder.mkdir(parents=True, exist_ok=True)
    save_base_config(model, folder)
    trainer = LabelledTrainer(
        model=model,
        args=_arguments(recipe, folder, len(dialogues), max_steps),
        train_dataset=rows,
        peft_config=_lora(recipe) if recipe.method == "lora" else None,
        processing_class=_tokenizer(),
        callbacks=[_save_when_interrupted()],
    )
    last = last_checkpoint(folder)
    try:
        trainer.train(resume_from_checkpoint=str(last) if last else None)
    except KeyboardInterrupt:
        trainer._save_checkpoint(trainer.model, trial=None)
        raise
    target = folder / ADAPTER_FOLDER
    trainer.save_model(str(target))
    return target


def last_checkpoint(folder: Path) -> Path | None:
    """The newest checkpoint with an optimiser state."""
    found = [path for path in folder.glob("checkpoint-*") if (path / "trainer_state.json").is_file()]
    return max(found, key=lambda path: int(path.name.rpartition("-")[2])) if found else None


def steps_of(recipe: Recipe, dialogues: int) -> int:
    """Optimiser steps of one pass."""
    return -(-dialogues // recipe.batch)


def _arguments(recipe: Recipe, folder: Path, dialogues: int, max_steps: int) -> Any:
    from trl import SFTConfig

    if dialogues < recipe.batch:
        raise UserError(f"{dialogues} dialogues make no batch of {recipe.batch} (`batch`); give more `tokens`")
    steps = steps_of(recipe, dialogues)
    return SFTConfig(
        output_dir=str(folder),
        per_device_train_batch_size=1,
        gradient_accumulation_steps=recipe.batch,
        num_train_epochs=1,
        max_steps=max_steps,
        learning_rate=recipe.learning_rate,
        lr_scheduler_type="warmup_stable_decay",
        lr_scheduler_kwargs={"num_decay_steps": int(steps * recipe.decay_share), "min_lr_ratio": 0.1},
        warmup_steps=recipe.warmup_steps,
        weight_decay=recipe.weight_decay,
        max_grad_norm=1.0,
        optim="adamw_torch_fused",
        bf16=True,
        use_cpu=True,
        gradient_checkpointing=False,
        max_length=None,
        packing=False,
        shuffle_dataset=False,
        dataloader_num_workers=0,
        logging_steps=2,
        save_steps=recipe.save_steps,
        save_total_limit=None,
        report_to=[],
        seed=recipe.seed,
        data_seed=recipe.seed,
        disable_tqdm=True,
    )


def _lora(recipe: Recipe) -> Any:
    from peft import LoraConfig

    return LoraConfig(r=recipe.rank, lora_alpha=recipe.alpha, target_modules=list(LINEAR_LAYERS), task_type="CAUSAL_LM")


def _tokenizer() -> Any:
    """Only pads; every id comes ready from the tokenizer that serves."""
    from transformers import AutoTokenizer

    from runtime.planner.embedded import base_file

    file = base_file()
    tokenizer = AutoTokenizer.from_pretrained(str(file.parent), gguf_file=file.name)
    tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def _save_when_interrupted() -> Any:
    from transformers import TrainerCallback

    class Report(TrainerCallback):  # type: ignore[misc]
        """One line for each logging step: step of steps, loss, accuracy, tokens a second."""

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            if logs and "loss" in logs:
                print(
                    f"step {state.global_step}/{state.max_steps} loss {float(logs['loss']):.3f} "
                    f"accuracy {float(logs.get('mean_token_accuracy', 0)):.3f} lr {float(logs['learning_rate']):.1e}",
                    flush=True,
                )

    return Report()
