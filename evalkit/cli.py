"""Eval: run suites and utterance sets, and look at what they hold.

Exit codes: 0 done, 1 not all was run, 2 wrong use, 130 interrupted (what was done is kept; the same command goes on).
The commands stand in `evalkit/commands/`, a module for each group.
"""

import typer

from evalkit.commands import backends, cases, coverage, floors, memory, replay, run, runs, scores, suites, utterances
from evalkit.outside.cli import app as outside

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Run suites and utterance sets, and look at what they hold."
)
app.command(epilog="Example: pocket eval run --suite core --split test --planner embedded --json")(run.run)
app.command(epilog="Example: pocket eval runs --limit 5")(runs.runs)
app.command(epilog="Example: pocket eval score last --price 0.4 --json")(scores.score)
app.command(epilog="Example: pocket eval compare 3f2a 90bc --json")(scores.compare)
app.command(epilog="Example: pocket eval report last -o report.html")(scores.report)
app.command(epilog="Example: pocket eval suites --suite core --json")(suites.suites)
app.command(epilog="Example: pocket eval admit --suite core --split dev")(suites.admit)
app.command(epilog="Example: pocket eval coverage --suite bench --all")(coverage.coverage)
app.command(epilog="Example: pocket eval floors --split dev --json")(floors.floors)
app.command(epilog="Example: pocket eval replay --suite core --split dev --json")(replay.replay)
app.command(epilog="Example: pocket eval backends --tool manage_wifi --json")(backends.backends)
app.command(epilog="Example: pocket eval utterances data/utterances --planner embedded --part dev --json")(
    utterances.utterances
)
app.command(epilog="Example: pocket eval memory --format locomo locomo10.json --json")(memory.memory)
app.command(epilog="Example: pocket eval cases --json")(cases.cases)
app.add_typer(outside, name="outside")
