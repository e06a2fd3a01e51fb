"""The mean of several runs' adapters: what they agree on stays, what one of them got by chance fades.

    W = sum_i w_i (alpha_i / r_i) B_i A_i,  sum_i w_i = 1     (Wortsman et al. 2022, "Model soups")

The factors A and B themselves can't be averaged: a run may turn both without changing B A. So the changes are summed,
as one product of the stacked factors, and its largest `rank` singular values are kept; what is lost of them is told.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from runtime.contract import Json, UserError
from trainer.base import BASE_CONFIG
from trainer.cold_start import ADAPTER_FOLDER
from trainer.recipe import Recipe

WEIGHTS = "adapter_model.safetensors"
CONFIG = "adapter_config.json"
Array = npt.NDArray[np.float32]


def average(adapters: Sequence[Path], target: Path, rank: int) -> float:
    """Write the mean of PEFT folders of one base to `target`, at most of `rank`; the share of its energy that was lost.

    A `UserError` where the folders change different layers.
    """
    from safetensors.numpy import load_file, save_file

    configs = [json.loads((folder / CONFIG).read_text()) for folder in adapters]
    weights = [load_file(folder / WEIGHTS) for folder in adapters]
    if any(set(one) != set(weights[0]) for one in weights):
        raise UserError("these runs change different layers; average runs that go on from one another.")
    shares = [config["lora_alpha"] / config["r"] / len(adapters) for config in configs]
    mean, lost, energy = {}, 0.0, 0.0
    for a_name in sorted(name for name in weights[0] if "lora_A" in name):
        b_name = a_name.replace("lora_A", "lora_B")
        b, a, squares = low_rank_mean(weights, shares, a_name, b_name, rank)
        mean[a_name], mean[b_name] = a, b
        lost, energy = lost + float(squares[rank:].sum()), energy + float(squares.sum())
    target.mkdir(parents=True, exist_ok=True)
    save_file(mean, target / WEIGHTS)
    (target / CONFIG).write_text(json.dumps(configs[0] | {"r": rank, "lora_alpha": rank}, indent=2))
    return lost / energy if energy else 0.0


def low_rank_mean(
    weights: Sequence[Mapping[str, Array]], shares: Sequence[float], a_name: str, b_name: str, rank: int
) -> tuple[Array, Array, Array]:
    """(B, A, squared singular values) of the sum of `shares[i] * B_i A_i`: shapes (m, rank), (rank, n), (all of them).

    Each singular value is split evenly over both factors, so that neither is far larger than the other.
    """
    b = np.concatenate([share * one[b_name] for share, one in zip(shares, weights, strict=True)], axis=1)
    a = np.concatenate([one[a_name] for one in weights], axis=0)
    left, b_core = np.linalg.qr(b)
    right, a_core = np.linalg.qr(a.T)
    u, values, v = np.linalg.svd(b_core @ a_core.T)
    root = np.sqrt(values[:rank])
    whole_b, whole_a = (left @ u[:, :rank]) * root, root[:, None] * (v[:rank] @ right.T)
    return _padded(whole_b, rank, 1), _padded(whole_a, rank, 0), values**2


def _padded(factor: Array, rank: int, axis: int) -> Array:
    """Zeros up to `rank`, where the runs together have less."""
    missing = rank - factor.shape[axis]
    widths = [(0, missing if place == axis else 0) for place in range(2)]
    return np.ascontiguousarray(np.pad(factor, widths), np.float32)


def averaged_run(name: str, runs: Sequence[str], folder: Path, rank: int) -> tuple[Recipe, Json]:
    """The run `name` in `folder`, made of finished runs beside it; its recipe and its corpora's counts together.

    A `UserError` where a run isn't finished, the name is taken, or they were trained to be served differently.
    """
    recipes = [_finished(folder / run) for run in runs]
    if len(recipes) < 2:
        raise UserError(f"there is `{len(recipes)}` run to average; name two or more")
    if name in runs or (folder / name / ADAPTER_FOLDER).exists():
        raise UserError(f"there is a run `{name}` already; give another name, or move its folder away")
    if len({(one.likely, one.eta) for one in recipes}) > 1:
        raise UserError("these runs differ in `likely` or `eta`: no context suits them all. Average others.")
    made = Recipe(name=name, averaged=tuple(runs), rank=rank, alpha=rank, likely=recipes[0].likely, eta=recipes[0].eta)
    counts = [json.loads((folder / run / "counts.json").read_text()) for run in runs]
    target = folder / name
    lost = average([folder / run / ADAPTER_FOLDER for run in runs], target / ADAPTER_FOLDER, rank)
    (target / BASE_CONFIG).write_text((folder / runs[0] / BASE_CONFIG).read_text())
    made.save(target)
    together: Json = {"averaged": list(runs), "lost": round(lost, 6), "by_source": _sum(counts)}
    (target / "counts.json").write_text(json.dumps(together, indent=2))
    return made, together


def _finished(run: Path) -> Recipe:
    if not (run / ADAPTER_FOLDER).is_dir():
        known = ", ".join(sorted(path.parent.name for path in run.parent.glob(f"*/{ADAPTER_FOLDER}"))) or "none"
        raise UserError(f"`{run.name}` is no finished run; finished: {known}. Train it: pocket train cold-start")
    recipe = Recipe.model_validate_json((run / "recipe.json").read_text())
    if recipe.method != "lora":
        raise UserError(f"`{run.name}` trained all weights; only runs of the method `lora` can be averaged")
    return recipe


def _sum(counts: Sequence[Json]) -> dict[str, int]:
    """Exchanges by source over all corpora."""
    found: dict[str, int] = {}
    for one in counts:
        for source, number in one.get("by_source", {}).items():
            found[source] = found.get(source, 0) + int(number)
    return found
