"""`pocket eval memory`: evidence and answers on LoCoMo, LongMemEval and BEAM."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalkit.commands.common import FreshOption, rate, watch
from runtime.cli.common import JsonFlag, interruptible, out, print_json
from runtime.contract import CancelToken, Json, UserError

if TYPE_CHECKING:
    from evalkit.memory.answering import Asker


def memory(
    file: Annotated[Path, typer.Argument(help="The published set's file; for BEAM a chat's folder or one of many.")],
    format: Annotated[str, typer.Option("--format", help="locomo, longmemeval or beam.")],
    mode: Annotated[
        str, typer.Option("--mode", help="What the answerer sees: direct (the history) or harness.")
    ] = "harness",
    budget: Annotated[int, typer.Option(min=64, help="Tokens of it; the earliest history is cut.")] = 8000,
    answerer: Annotated[str | None, typer.Option(help="An endpoint that answers: URL#model.")] = None,
    judge: Annotated[str | None, typer.Option(help="An endpoint that judges: URL#model.")] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="The first so many questions of a sample.")
    ] = None,
    fresh: FreshOption = False,
    json: JsonFlag = False,
) -> None:
    """Measure memory on a published set: evidence recall without a judge, answers with an answerer and a judge.

    A run that was interrupted goes on where it stopped when the same command is given again.
    """
    from evalkit.memory.dataset import load
    from evalkit.memory.evaluation import Plan, evaluate
    from runtime.wiring import open_embedder

    if mode not in ("direct", "harness"):
        raise UserError(f"`--mode` is `{mode[:40]}`; it is `direct` or `harness`.")
    if mode == "direct" and answerer is None:
        raise UserError("`--mode direct` needs someone who answers. Add `--answerer http://host/v1#model`.")
    if judge is not None and answerer is None:
        raise UserError("`--judge` has nothing to judge. Add `--answerer http://host/v1#model`.")
    cancel = CancelToken()
    plan = Plan(load(format, file.expanduser()), open_embedder(), _asker(mode, budget, answerer, judge), limit, fresh)
    with interruptible(cancel):
        report = evaluate(plan, watch, cancel)
    if json:
        print_json(report)
    else:
        _show(report)
    if cancel.cancelled:
        raise typer.Exit(130)


def _asker(mode: str, budget: int, answerer: str | None, judge: str | None) -> "Asker | None":
    if answerer is None:
        return None
    from evalkit.memory.answering import Asker
    from evalkit.text_model import EndpointModel

    first = EndpointModel(answerer)
    second = EndpointModel(judge) if judge else None
    return Asker("direct" if mode == "direct" else "harness", budget, first, first.identity, second,
                 second.identity if second else "")  # fmt: skip


def _show(report: Json) -> None:
    from rich.table import Table

    out().print(f"{report['format']} {report['dataset']}: run {report['run']}, configuration {report['config_digest']}")
    if "mrr" in report:
        table = Table(box=None, title="evidence", title_justify="left")
        for heading in ("", "questions", "recall at 5", "at 10", "at 20", "MRR"):
            table.add_column(heading)
        for name, row in {**report["by_category"], "all": report}.items():
            values = (row["recall_at_5"], row["recall_at_10"], row["recall_at_20"], row["mrr"])
            table.add_row(name, str(row["questions"]), *(rate(value) for value in values))
        out().print(table)
    if answers := report.get("answers"):
        for name in ("protocol_accuracy", "end_to_end_accuracy", "coverage"):
            out().print(f"{name} ({answers['mode']}): {rate(answers[name])}")
        out().print("failures: " + ", ".join(f"{name} {count}" for name, count in answers["failures"].items()))
    out().print(f"kept in {report['folder']}", markup=False)
