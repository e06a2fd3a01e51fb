"""Train: make the embedded planner's checkpoint (extra `trainer`), and what tool recall knows of phrasings.

Exit codes: 0 done, 1 the gate refused the candidate, 2 wrong use, 130 interrupted (the same command goes on).
"""

import json as json_module
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runtime.cli.common import JsonFlag, err, out, print_json
from runtime.cli.root import NOT_DONE
from runtime.contract import Json, SetupError, UserError

if TYPE_CHECKING:
    from trainer.recipe import Recipe

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Train, export and gate planner checkpoints (extra `trainer`); make the prototypes of tool recall.",
)
RecipeOption = Annotated[
    Path | None, typer.Option("--recipe", help="A recipe.json of an earlier run, or a checkpoint's manifest.json.")
]
SetRecipe = Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Any key of the recipe.")]
UtterancesOption = Annotated[Path | None, typer.Option("--utterances", help="Folder of utterance sets (.jsonl).")]
GateTasks = Annotated[int, typer.Option(help="Dev tasks for the gate.", min=1)]
GateRows = Annotated[int, typer.Option(help="Held-out utterances for the gate.", min=1)]


@app.command("cold-start", epilog="Example: pocket train cold-start --utterances data/utterances --set rank=32")
def cold_start(
    utterances: UtterancesOption = None,
    recipe: RecipeOption = None,
    assignments: SetRecipe = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget an earlier run of this name.")] = False,
    install: Annotated[bool, typer.Option(help="Export, gate and install when done.")] = True,
    tasks: GateTasks = 120,
    rows: GateRows = 300,
    json: JsonFlag = False,
) -> None:
    """Train the planning cold start on oracle trajectories and utterances; resumes where an earlier run stopped."""
    import os
    import shutil

    # Before the planner's room sets it for serving: threads that sleep cost a training a third of its speed.
    os.environ.setdefault("OMP_WAIT_POLICY", "active")
    stages = _stages(recipe, assignments)
    _needs_trainer()
    for stage in stages:
        if fresh:
            shutil.rmtree(run_folder(stage), ignore_errors=True)
        counts = _train(stage, utterances)
    if install and stage.method == "lora":
        _export(stage, run_folder(stage), counts, utterances, tasks, rows, json)


@app.command(epilog="Example: pocket train export cold-start --utterances data/utterances")
def export(
    name: Annotated[str, typer.Argument(help="Name of a run.")] = "cold-start",
    checkpoint: Annotated[int | None, typer.Option(help="A step's checkpoint instead of the last state.")] = None,
    utterances: UtterancesOption = None,
    tasks: GateTasks = 120,
    rows: GateRows = 300,
    json: JsonFlag = False,
) -> None:
    """Export a run's adapter to GGUF, measure it in closed loop, and install it when it beats the installed one."""
    from trainer.recipe import Recipe

    folder = run_folder(_stages(None, [f"name={name}"])[0])
    file = folder / "recipe.json"
    if not file.is_file():
        raise UserError(f"there is no run `{name}` in `{folder.parent}`. Start one: pocket train cold-start")
    recipe = Recipe.model_validate_json(file.read_text())
    counts = json_module.loads((folder / "counts.json").read_text())
    _export(recipe, folder, counts, utterances, tasks, rows, json, checkpoint)


@app.command(epilog="Example: pocket train average cold-start-8 cold-start-9 --name cold-start")
def average(
    runs: Annotated[list[str], typer.Argument(help="Names of finished runs, two or more.")],
    name: Annotated[str, typer.Option(help="Name of the run that is made.")] = "cold-start",
    rank: Annotated[int, typer.Option(help="Rank of the mean's adapter.", min=1)] = 32,
    json: JsonFlag = False,
) -> None:
    """Average the adapters of several runs into a new run; `pocket train export` measures and installs it."""
    from trainer.average import averaged_run

    folder = run_folder(_stages(None, [f"name={name}"])[0])
    _, counts = averaged_run(name, runs, folder.parent, rank)
    if json:
        print_json({"run": name, **counts})
    else:
        lost = f"{counts['lost']:.2%} of the change lost at rank {rank}"
        out().print(f"averaged: {folder} ({lost}). Next: pocket train export {name}", markup=False)


@app.command(epilog="Example: pocket train prototypes --utterances data/utterances")
def prototypes(
    utterances: UtterancesOption = None,
    folder: Annotated[Path | None, typer.Option(help="Where they go, instead of the installed ones' place.")] = None,
    json: JsonFlag = False,
) -> None:
    """Make the prototypes of tool recall from the phrasings of training, in half a minute, and install them.

    Needs no extra; what is interrupted leaves the installed ones as they were.
    """
    from rich.progress import track

    from runtime.prototypes import FOLDER
    from runtime.wiring import open_embedder
    from trainer.prototypes import make_prototypes

    if utterances is None and folder is None:
        raise UserError(
            "without `--utterances DIR` the installed prototypes would lose what real utterances say. Give the folder, "
            "or name another place for those of the suite alone: --folder DIR"
        )
    console = err()
    watch = partial(track, description="phrasings", console=console, transient=True, disable=not console.is_terminal)
    made = make_prototypes(utterances, open_embedder(), folder or FOLDER, watch=watch)
    if json:
        print_json(made.model_dump(mode="json"))
    else:
        said = f"prototypes of {made.tools} tools from {made.phrasings:,} phrasings in `{folder or FOLDER}`"
        out().print(said if folder else f"{said}. Next: pocket bench recall {utterances}", markup=False)


@app.command(epilog="Example: pocket train runs --json")
def runs(json: JsonFlag = False) -> None:
    """List the training runs: what each was made of, how far it is, and its loss over the last fifth of its steps."""
    from trainer.runs import as_json, need_rows

    found = need_rows(run_folder(_stages(None, None)[0]).parent)
    if json:
        print_json(as_json(found))
        return
    from rich.table import Table

    table = Table("run", "from", "method", "rate", "tokens", "steps", "loss", "accuracy", "corpus")
    for row in found:
        figures = ["" if value is None else f"{value:.3f}" for value in (row.loss, row.accuracy)]
        steps = f"{row.steps:,} of {row.of_steps:,}"
        cells = (row.name, row.start or "base", row.method, f"{row.learning_rate:g}", f"{row.tokens:,}", steps)
        table.add_row(*cells, *figures, row.corpus)
    out().print(table)


def run_folder(recipe: "Recipe") -> Path:
    """Where a run lives: outside the repository, under the user's data folder."""
    from runtime.planner.settings import data_folder

    return data_folder() / "training" / recipe.name


def _stages(file: Path | None, assignments: list[str] | None) -> "list[Recipe]":
    """The recipes to run in order: one, or all that a manifest names; `assignments` change the last."""
    from pydantic import ValidationError

    from trainer.recipe import Recipe

    try:
        values: Json = json_module.loads(file.read_text()) if file else {}
        values = values.get("recipe", values)
        every: list[Json] = [*values.pop("earlier", []), values]
        for assignment in assignments or []:
            key, _, value = assignment.partition("=")
            if key not in Recipe.model_fields:
                raise UserError(f"the recipe has no key `{key}`; it has: {', '.join(Recipe.model_fields)}")
            values[key] = value.split(",") if key in ("emphasis", "averaged") else value
        return [Recipe.model_validate({k: v for k, v in one.items() if k != "corpus"}) for one in every]
    except ValidationError as error:
        wrong = error.errors()[0]
        key = ".".join(str(part) for part in wrong["loc"])
        raise UserError(f"the recipe's `{key}` is {wrong['input']!r}: {wrong['msg']}. Correct it.") from None
    except (OSError, ValueError, AttributeError) as error:
        raise UserError(f"the recipe `{file}` can't be read: {error}. Name a recipe.json or a manifest.json.") from None


def _train(recipe: "Recipe", utterances: Path | None) -> Json:
    """One stage: its corpus made and trained on, unless it was finished before; the corpus's counts."""
    from trainer.cold_start import ADAPTER_FOLDER, train

    folder = run_folder(recipe)
    if recipe.averaged:
        return _averaged(recipe, folder)
    counts = _prepare(recipe, folder, utterances)
    from trainer.corpus import load_corpus

    if not (folder / ADAPTER_FOLDER).is_dir():
        train(recipe, load_corpus(folder / "corpus.npz"), folder)
    err().print(f"trained: {folder}")
    return counts


def _averaged(recipe: "Recipe", folder: Path) -> Json:
    """A stage that averages the stages before it, unless it was finished before."""
    from trainer.average import averaged_run
    from trainer.cold_start import ADAPTER_FOLDER

    if (folder / ADAPTER_FOLDER).is_dir():
        return dict(json_module.loads((folder / "counts.json").read_text()))
    return averaged_run(recipe.name, recipe.averaged, folder.parent, recipe.rank)[1]


def _prepare(recipe: "Recipe", folder: Path, utterances: Path | None) -> Json:
    """The corpus of a run, made once."""
    from runtime.wiring import open_recall
    from trainer.corpus import build_corpus

    counts_file = folder / "counts.json"
    if counts_file.is_file() and (folder / "corpus.npz").is_file():
        kept = (folder / "recipe.json").read_text()
        if json_module.loads(kept) != recipe.model_dump(mode="json"):
            raise UserError(
                f"the run `{recipe.name}` was begun with another recipe (`{folder / 'recipe.json'}`). "
                "Give `--fresh`, or another name: --set name=..."
            )
        return dict(json_module.loads(counts_file.read_text()))
    recipe.save(folder)
    corpus = build_corpus(recipe, utterances, open_recall(trained=recipe.prototypes))
    corpus.save(folder / "corpus.npz")
    counts_file.write_text(json_module.dumps(corpus.counts, indent=2))
    return corpus.counts


def _export(recipe: "Recipe", folder: Path, counts: Json, utterances: Path | None, tasks: int, rows: int,
            as_json: bool, checkpoint: int | None = None) -> None:  # fmt: skip
    from runtime.planner.checkpoints import installed
    from trainer.base import BASE_CONFIG
    from trainer.checkpoint import earlier_runs, install
    from trainer.export import export_adapter
    from trainer.gate import measure, model_file, passes

    source = folder / f"checkpoint-{checkpoint}" if checkpoint else folder / "adapter"
    if not source.is_dir():
        raise UserError(f"`{source}` is not there; the run has not got so far. Go on with: pocket train cold-start")
    adapter = export_adapter(source, folder / "adapter.gguf", base_config=folder / BASE_CONFIG)
    file = model_file(adapter, folder / "candidate.gguf")
    candidate = measure(str(file), utterances=utterances, tasks=tasks, rows=rows, likely=recipe.likely)
    before = measure("embedded", utterances=utterances, tasks=tasks, rows=rows) if installed() else None
    accepted = passes(candidate, before, err().print)
    if accepted:
        earlier = earlier_runs(recipe, folder.parent)
        err().print(f"installed: {install(adapter, recipe, counts, candidate, earlier=earlier)}")
    if as_json:
        print_json({"candidate": candidate, "installed_before": before, "accepted": accepted})
    raise typer.Exit(0 if accepted else NOT_DONE)


def _needs_trainer() -> None:
    import importlib.util

    missing = [name for name in ("torch", "trl", "peft", "datasets") if importlib.util.find_spec(name) is None]
    if missing:
        raise SetupError(
            f"training needs {', '.join(missing)}. In the clone, `./check` installs them; "
            "or by hand: pip install torch==2.13.0, then pip install -c constraints.txt -e '.[trainer]'"
        )
