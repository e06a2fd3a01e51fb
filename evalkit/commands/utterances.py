"""`pocket eval utterances`: first decisions on what people really said."""

from pathlib import Path
from typing import Annotated

import typer

from evalkit.commands.common import (
    FreshOption,
    LimitOption,
    PlannerOption,
    interrupted,
    open_store,
    rate,
    settings_of,
    watch,
)
from runtime.cli.common import JsonFlag, SetOption, interruptible, out, print_json
from runtime.cli.root import NOT_DONE
from runtime.contract import CancelToken


def utterances(
    folder: Annotated[Path, typer.Argument(help="A folder of .jsonl files, one utterance a line.")],
    planner: PlannerOption = None,
    part: Annotated[str, typer.Option(help="dev (held out of training), train or all.")] = "dev",
    limit: LimitOption = None,
    fresh: FreshOption = False,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Score a planner's first decision on annotated utterances."""
    from evalkit.utterances.score import score_utterances

    cancel = CancelToken()
    with open_store() as store, interruptible(cancel):
        report = score_utterances(folder, settings_of(planner, assignments), store, part=part, limit=limit, fresh=fresh,
                                  cancel=cancel, watch=watch)  # fmt: skip
    if json:
        print_json(report)
    else:
        for key, value in report.items():
            if not isinstance(value, dict):
                out().print(f"{key}: {rate(value) if isinstance(value, float) else value}")
    if cancel.cancelled:
        again = "Repeat the command" + (" without `--fresh`" if fresh else "")
        raise interrupted(f"{report['not_run']} utterances were not run; what was done is kept. {again} to go on.")
    raise typer.Exit(NOT_DONE if report["not_run"] else 0)
