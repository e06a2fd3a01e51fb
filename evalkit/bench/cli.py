"""Bench: measure one part of the project in this machine's terms: runtime, sandbox, spoken, embedder, recall, memory,
device.

Exit codes: 0 measured (whether or not a limit holds), 2 wrong use, 130 interrupted.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from runtime.cli.common import JsonFlag, SetOption, out, print_json
from runtime.contract import Json

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Measure one part of the project, and print figures with limits."
)
PartOption = Annotated[list[str] | None, typer.Option("--part", help="Only this part; may be repeated.")]
RunsOption = Annotated[int, typer.Option("--runs", min=1, help="Runs behind a figure; 5 is the least that counts.")]
LimitOption = Annotated[int | None, typer.Option("--limit", min=1, help="Fewer items, for a quick look.")]


@app.command(epilog="Examples: pocket bench runtime --part decode --json; pocket bench runtime --faults --limit 20")
def runtime(faults: Annotated[bool, typer.Option("--faults", help="Kill runs and go on with them instead.")] = False,
            part: PartOption = None, runs: RunsOption = 5, limit: LimitOption = None,
            planner: Annotated[str | None, typer.Option(help="embedded, a GGUF file.")] = None,
            assignments: SetOption = None, json: JsonFlag = False) -> None:  # fmt: skip
    """Seconds a decision, speed against llama.cpp's own, overhead, memory. Parts: decisions, growth, decode,
    prefill, memory, help; --faults: kills.
    """
    _bench("runtime --faults" if faults else "runtime", part, runs, limit, assignments, json, planner=planner)


@app.command(epilog="Example: pocket bench sandbox --json")
def sandbox(part: PartOption = None, runs: RunsOption = 5, limit: LimitOption = None,
            suite: Annotated[list[str] | None, typer.Option("--suite", help="Only this suite's tasks.")] = None,
            assignments: SetOption = None, json: JsonFlag = False) -> None:  # fmt: skip
    """The sandbox phone: reset, calls a second, cost of a long history, of 10,000 worlds, of all dev and test tasks.
    Parts: reset, calls, spoken, slowdown, worlds, replay.
    """
    _bench("sandbox", part, runs, limit, assignments, json, suites=suite)


@app.command(epilog="Example: pocket bench spoken")
def spoken(json: JsonFlag = False) -> None:
    """Spoken times, dates, durations and amounts: 200 values checked by hand."""
    _bench("spoken", None, 1, None, None, json)


@app.command(epilog="Example: pocket bench embedder --utterances data/utterances --json")
def embedder(
    utterances: Annotated[Path | None, typer.Option(help="A folder of .jsonl files, one utterance a line.")] = None,
    part: PartOption = None, limit: LimitOption = None, json: JsonFlag = False,
) -> None:  # fmt: skip
    """The embedder's cost, and tool recall over a folder of utterances. Parts: cost, recall."""
    _bench("embedder", part, 1, limit, None, json, utterances=utterances)


@app.command(epilog="Example: pocket bench recall data/utterances --json")
def recall(
    folder: Annotated[Path | None, typer.Argument(help="A folder of .jsonl files; none: the cost alone.")] = None,
    utterances: Annotated[Path | None, typer.Option(help="The same folder, as for `bench embedder`.")] = None,
    part: PartOption = None, runs: RunsOption = 5, limit: LimitOption = None,
    assignments: SetOption = None, json: JsonFlag = False,
) -> None:  # fmt: skip
    """Whether the right tool is among the 15 recalled, and the CPU time of a request. Parts: utterances, cost."""
    _bench("recall", part, runs, limit, assignments, json, utterances=folder or utterances)


@app.command(epilog="Examples: pocket bench memory --json; pocket bench memory --faults --part kills --limit 50")
def memory(
    long: Annotated[bool, typer.Option("--long", help="Histories of up to 10 million tokens instead.")] = False,
    faults: Annotated[bool, typer.Option("--faults", help="Kills, erasures, strangers, damage instead.")] = False,
    tokens: Annotated[
        list[int] | None, typer.Option("--tokens", min=1000, help="With --long: this length; may be repeated.")
    ] = None,
    part: PartOption = None, runs: RunsOption = 5, limit: LimitOption = None, json: JsonFlag = False,
) -> None:  # fmt: skip
    """The memory: changed facts, query, capture, process, beside a plain FAISS + JSON store. Parts: updates, query,
    capture, process; --long: length; --faults: kills, erasures, tenants, fuzz, cache.
    """
    if long and faults:
        raise typer.BadParameter("give one of `--long` and `--faults`.")
    name = "memory --long" if long else "memory --faults" if faults else "memory"
    _bench(name, part, runs, limit, None, json, sizes=tokens)


@app.command(epilog="Examples: pocket bench device --json; pocket bench device --faults --part kills --limit 10")
def device(
    faults: Annotated[bool, typer.Option("--faults", help="Broken lines, hostile texts, kills instead.")] = False,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Break the bridge, one line at a time, and play the android suite.")
    ] = False,
    part: PartOption = None, limit: LimitOption = None, json: JsonFlag = False,
) -> None:  # fmt: skip
    """The way to a phone, on a software phone through the real adb. Parts: shell, dump; --faults: drops, texts, kills.

    With --faults and --mutants, what was measured before Ctrl-C is kept, and the same command goes on.
    """
    if faults and mutants:
        raise typer.BadParameter("give one of `--faults` and `--mutants`.")
    _bench("device --faults" if faults else "device --mutants" if mutants else "device", part, 1, limit, None, json)


@app.command(epilog="Example: pocket bench gui --json")
def gui(
    planner: Annotated[
        str, typer.Option(help="The outer planner: oracle, written by the embedded model, or one that chooses.")
    ] = "oracle",
    limit: LimitOption = None, assignments: SetOption = None, json: JsonFlag = False,
) -> None:  # fmt: skip
    """Tasks on the screen of a software phone: every step chosen by the outer planner, and handed over."""
    _bench("gui", None, 1, limit, assignments, json, planner=planner)


def _bench(name: str, parts: Sequence[str] | None, runs: int, limit: int | None, assignments: Sequence[str] | None,
           json: bool, planner: str | None = None, utterances: Path | None = None,
           suites: Sequence[str] | None = None, sizes: Sequence[int] | None = None) -> None:  # fmt: skip
    from evalkit.bench.frame import Order, run_bench
    from evalkit.bench.registry import BENCHES
    from runtime.config import load_settings

    settings = load_settings({"planner": {"use": planner}} if planner else {}, assignments or ())
    order = Order(settings, runs=runs, limit=limit, utterances=utterances)
    order = replace(order, suites=tuple(suites) if suites else order.suites, sizes=tuple(sizes or ()))
    report = run_bench(BENCHES[name], order, parts or ())
    if json:
        print_json(report)
    else:
        _show(report, {figure.key: figure.meaning for figure in BENCHES[name].figures})


def _show(report: Json, meanings: dict[str, str]) -> None:
    """The figures as a table, then what explains them."""
    from rich.table import Table

    table = Table(box=None, title=f"bench {report['bench']}", title_justify="left", header_style="dim")
    for heading in ("figure", "value", "limit", "", "meaning"):
        table.add_column(heading)
    for key, meaning in meanings.items():
        if key not in report:
            continue
        limit = report["limits"].get(key, {})
        side = next((f"{kind.replace('_', ' ')} {limit[kind]:g}" for kind in limit if kind != "met"), "")
        verdict = {True: "met", False: "missed"}.get(limit.get("met"), "")
        table.add_row(key, _number(report[key]), side, verdict, meaning)
    out().print(table)
    loops = [part["calibration"] for part in report["parts"].values()]
    loop = ", ".join(f"{loop['cpu_s'] * 1000:.1f} ms ({loop['wall_over_cpu']} x wall)" for loop in loops)
    machine = ", ".join(f"{name} {value}" for name, value in report["machine"].items())
    out().print(f"calibration loop before each part: {loop}\nconfiguration {report['config_digest']}; {machine}")


def _number(value: float | int | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
