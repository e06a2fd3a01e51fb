"""The planning cold start through TRL's SFTTrainer: token ids with masked labels, resumed from its last state.

    recipe -> corpus -> SFTTrainer (LoRA over frozen bfloat16 weights) -> run folder -> export -> gate -> checkpoint

The run folder (recipe, corpus, checkpoints with optimiser state, log) lies in the user's data folder. Eq. 4 of the
paper is the labels' mask: erroneous turns and everything that the planner did not write have label -100.
"""

import logging
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

from runtime.contract import UserError
from trainer.base import load_base, save_base_config
from trainer.data.tokens import Tokens
from trainer.recipe import Recipe

log = logging.getLogger(__name__)
LINEAR_LAYERS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
ADAPTER_FOLDER = "adapter"


def train(recipe: Recipe, dialogues: Sequence[Tokens], folder: Path, load: Callable[[bool], Any] = load_base) -> Path:
    """Train on `dialogues` in their order and return the adapter's folder (the model's, for the method `full`).

    Resumes where the folder holds a checkpoint. `KeyboardInterrupt` passes through after the state was saved. `load`
    gives the base, its weights in bfloat16 for a true argument.
    """
    import torch
    from datasets import Dataset

    from trainer.labelled_loss import LabelledTrainer

    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(recipe.threads)
    torch.manual_seed(recipe.seed)
    model = load(recipe.method == "lora")
    save_base_config(model, folder)
    if recipe.start:
        model = _with_adapter(model, folder.parent / recipe.start)
    rows = Dataset.from_dict({"input_ids": [one.ids for one in dialogues], "labels": [one.labels for one in dialogues]})
    report, last = _report(recipe.cut), last_checkpoint(folder)
    trainer = LabelledTrainer(
        model=model,
        args=_arguments(recipe, folder, len(dialogues)),
        train_dataset=rows,
        peft_config=_lora(recipe) if recipe.method == "lora" and not recipe.start else None,
        processing_class=_tokenizer(),
        callbacks=[report],
    )
    with _stopping_at_a_step(report):
        trainer.train(resume_from_checkpoint=str(last) if last else None)
    if report.stopped:
        raise KeyboardInterrupt
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


def _arguments(recipe: Recipe, folder: Path, dialogues: int) -> Any:
    from trl import SFTConfig

    if dialogues < recipe.batch:
        raise UserError(f"{dialogues} dialogues make no batch of {recipe.batch} (`batch`); give more `tokens`")
    steps = steps_of(recipe, dialogues)
    return SFTConfig(
        output_dir=str(folder),
        per_device_train_batch_size=1,
        gradient_accumulation_steps=recipe.batch,
        num_train_epochs=1,
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
        logging_steps=5,
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


def _with_adapter(model: Any, run: Path) -> Any:
    """The base under the newest adapter of an earlier run, trainable."""
    from peft import PeftModel

    source = last_checkpoint(run) or run / ADAPTER_FOLDER
    if not source.is_dir():
        raise UserError(f"`{run}` holds no adapter to go on from (`start`). Train that run first.")
    return PeftModel.from_pretrained(model, str(source), is_trainable=True)


def _tokenizer() -> Any:
    """Only pads; every id comes ready from the tokenizer that serves."""
    from transformers import AutoTokenizer

    from runtime.planner.embedded import base_file

    file = base_file()
    tokenizer = AutoTokenizer.from_pretrained(str(file.parent), gguf_file=file.name)
    tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def _report(cut: int) -> Any:
    """Says how far the run is; ends it, with its state saved, after step `cut` or when it was interrupted."""
    from transformers import TrainerCallback

    class Report(TrainerCallback):  # type: ignore[misc]
        """One line for each logging step."""

        stopped = False

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            """Save and stop where Ctrl-C or the recipe asked for it."""
            if self.stopped or state.global_step == cut:
                control.should_save = control.should_training_stop = True

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            """Step, loss, accuracy, rate."""
            if logs and "loss" in logs:
                print(
                    f"step {state.global_step}/{state.max_steps} loss {float(logs['loss']):.3f} "
                    f"accuracy {float(logs.get('mean_token_accuracy', 0)):.3f} lr {float(logs['learning_rate']):.1e}",
                    file=sys.stderr,
                    flush=True,
                )

    return Report()


@contextmanager
def _stopping_at_a_step(report: Any) -> Iterator[None]:
    """The first Ctrl-C ends the run after the step that is under way; the second breaks off at once."""

    def handle(number: int, frame: Any) -> None:
        if report.stopped:
            signal.default_int_handler(number, frame)
        report.stopped = True

    before = signal.signal(signal.SIGINT, handle) if current_thread() is main_thread() else None
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)
