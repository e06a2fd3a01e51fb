"""What the runs in the user's data folder came to: one row each, read from what TRL logged.

Each dialogue is trained on once, so the loss of a step is taken before anything was learned from it. The mean over the
last fifth of the steps therefore compares two runs on the same corpus (`same corpus`: equal seeds, sources and sizes)
without a set of its own.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from runtime.contract import Json, UserError
from trainer.cold_start import last_checkpoint, steps_of
from trainer.recipe import Recipe

LAST_SHARE = 5
"""A fifth of the logged steps, the last ones."""


@dataclass(frozen=True)
class RunRow:
    """One run."""

    name: str
    """Its name."""
    start: str
    """The run that it goes on from, or those that it is the mean of; empty: the base."""
    method: str
    """lora or full."""
    learning_rate: float
    """Peak."""
    tokens: int
    """Of its corpus."""
    learned_tokens: int
    """Of them learned."""
    steps: int
    """Steps that its last saved state has done."""
    of_steps: int
    """All steps."""
    loss: float | None
    """Mean over the last fifth of the logged steps; None before the first state was saved."""
    accuracy: float | None
    """Share of learned tokens that were the likeliest, over the same steps."""
    corpus: str
    """Digest of its corpus: runs with the same one can be compared. Empty for a mean, which has none of its own."""


def rows(folder: Path) -> list[RunRow]:
    """All runs of a folder, by name."""
    found = sorted(path.parent for path in folder.glob("*/recipe.json"))
    return [row for run in found if (row := _row(run)) is not None]


def need_rows(folder: Path) -> list[RunRow]:
    """The runs; a `UserError` where there is none."""
    found = rows(folder)
    if not found:
        raise UserError(f"there is no run in `{folder}`. Start one: pocket train cold-start")
    return found


def as_json(found: list[RunRow]) -> Json:
    """For programs."""
    return {"runs": [asdict(row) for row in found]}


def _row(run: Path) -> RunRow | None:
    try:
        recipe = Recipe.model_validate_json((run / "recipe.json").read_text())
        counts = json.loads((run / "counts.json").read_text())
        digest = "" if recipe.averaged else _digest(run / "corpus.npz")
    except (OSError, ValueError):
        return None  # its corpus was never finished
    steps, loss, accuracy = _logged(last_checkpoint(run))
    dialogues = int(counts.get("dialogues", 0))
    return RunRow(
        name=run.name,
        start=" + ".join(recipe.averaged) or recipe.start,
        method=recipe.method,
        learning_rate=recipe.learning_rate,
        tokens=int(counts.get("tokens", 0)),
        learned_tokens=int(counts.get("learned_tokens", 0)),
        steps=steps,
        of_steps=steps_of(recipe, dialogues) if dialogues else 0,
        loss=loss,
        accuracy=accuracy,
        corpus=digest,
    )


def _digest(corpus: Path) -> str:
    import hashlib

    with corpus.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:12]


def _logged(checkpoint: Path | None) -> tuple[int, float | None, float | None]:
    """(steps done, loss, accuracy) of a saved state."""
    if checkpoint is None:
        return 0, None, None
    state = json.loads((checkpoint / "trainer_state.json").read_text())
    logged = [entry for entry in state["log_history"] if "loss" in entry]
    last = logged[-max(1, len(logged) // LAST_SHARE) :]
    if not last:
        return int(state["global_step"]), None, None
    return int(state["global_step"]), _mean(last, "loss"), _mean(last, "mean_token_accuracy")


def _mean(entries: list[Json], key: str) -> float:
    return sum(float(entry[key]) for entry in entries) / len(entries)
