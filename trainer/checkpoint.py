"""A trained adapter becomes an installed checkpoint: a folder with the file and its manifest."""

import json
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from runtime.contract import Json, UserError
from runtime.planner.checkpoints import FOLDER, Manifest, write_manifest
from runtime.planner.embedded import BASE_FILE, BASE_PACKAGE, base_file
from runtime.planner.settings import cache_folder
from runtime.planner.states import file_digest
from trainer.recipe import Recipe

LIMIT_BYTES = 25_000_000
"""A checkpoint in the repository is no larger."""
SOURCES: tuple[Json, ...] = (
    {"name": "hwu64", "title": "NLU-Evaluation-Data, Liu et al. 2019", "licence": "CC BY 4.0"},
    {"name": "clinc150", "title": "CLINC150, Larson et al. 2019", "licence": "CC BY 3.0"},
    {"name": "snips", "title": "SNIPS 2017 built-in intents", "licence": "CC0"},
    {"name": "pocketplanner", "title": "suite core, train split", "licence": "Apache-2.0"},
)
"""Where phrasings come from."""


def earlier_runs(recipe: Recipe, runs: Path) -> list[Json]:
    """Recipes and corpora of the runs that this one goes on from or averages, each after those that it needs."""
    found: dict[str, Json] = {}
    for name in (recipe.start, *recipe.averaged):
        if not name or name in found:
            continue
        before = Recipe.model_validate_json((runs / name / "recipe.json").read_text())
        counts = json.loads((runs / name / "counts.json").read_text())
        found |= {one["name"]: one for one in earlier_runs(before, runs) if one["name"] not in found}
        found[name] = {**before.model_dump(mode="json"), "corpus": counts}
    return list(found.values())


def install(
    adapter: Path, recipe: Recipe, counts: Json, scores: Json, folder: Path = FOLDER, earlier: Sequence[Json] = ()
) -> Path:
    """Copy the adapter into `folder/<name>/` and write its manifest; an older version of the name is replaced."""
    size = adapter.stat().st_size
    if size > LIMIT_BYTES:
        raise UserError(
            f"`{adapter.name}` has {size:,} bytes; the limit of a checkpoint in the repository is {LIMIT_BYTES:,}. "
            "Train with a smaller `rank`."
        )
    target = folder / recipe.name
    target.mkdir(parents=True, exist_ok=True)
    file = target / "adapter.gguf"
    shutil.copyfile(adapter, file)
    used = counts.get("by_source", {})
    write_manifest(
        target,
        Manifest(
            name=recipe.name,
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            base=f"{BASE_PACKAGE}/{BASE_FILE}",
            base_digest=file_digest(base_file(), cache_folder()),
            adapter=file.name,
            adapter_digest=file_digest(file, cache_folder()),
            data=tuple({**source, "exchanges": used[source["name"]]} for source in SOURCES if source["name"] in used),
            recipe={**recipe.model_dump(mode="json"), "corpus": counts, "earlier": list(earlier)},
            seed=recipe.seed,
            scores=scores,
        ),
    )
    return target
