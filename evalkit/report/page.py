"""The page: gathered from the store, laid out by one template, opened by any browser without a network.

stored runs -> figures, comparisons, floors on the same tasks, matrix, worst failures -> page.html.jinja -> one file
"""

from collections.abc import Sequence
from importlib.resources import files
from os import W_OK, access
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from evalkit.floors import FLOORS, floor_figures, instrument
from evalkit.overall import WEIGHTS
from evalkit.paired import compare_results, refuse_unlike
from evalkit.report.failures import worst
from evalkit.report.plots import Bar, bars, curve, matrix
from evalkit.results import Kept, ResultStore
from evalkit.score import score
from evalkit.stress import Stress
from evalkit.verify import GRADING
from runtime.contract import Json, UserError

NAMES = {"tool_use": "Tool Use", "memory": "Memory", "skill": "Skill", "sub_agent": "Sub-agent", "overall": "Overall"}


def write_page(store: ResultStore, runs: Sequence[str], output: Path, *, price: float | None = None,
               failures: int = 20, instrument: bool = True) -> None:  # fmt: skip
    """Write the page about some stored runs; `UserError` where the file can't be written."""
    if not access(output.parent, W_OK):
        raise UserError(f"`{output}` can't be written: its folder is missing or closed. Name another file with `-o`.")
    kept = [store.load(run) for run in runs]
    text = page_of(store, kept, price=price, failures=failures, tried=instrument)
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"`{output}` can't be written: {error}. Name another file with `-o`.") from None


def page_of(store: ResultStore, kept: Sequence[Kept], *, price: float | None, failures: int, tried: bool) -> str:
    """The page as text."""
    figures = [score(one.results, price=price) for one in kept]
    floors = floors_of(store, kept[0])
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["rate"], environment.filters["amount"] = _rate, _amount
    template = files("evalkit.report").joinpath("page.html.jinja").read_text(encoding="utf-8")
    return environment.from_string(template).render(
        grading=GRADING,
        names=NAMES,
        runs=list(zip([one.header for one in kept], figures, strict=True)),
        parts=bars(_part_bars(kept, figures)),
        comparisons=_comparisons(kept),
        floors=floors,
        floor_bars=bars([Bar(name, one["all"], one["all_low"], one["all_high"]) for name, one in floors.items()]),
        tried=instrument([*kept[0].tasks.values()]) if tried else None,
        matrix=matrix(kept[0].results),
        curve=curve(figures[0]),
        failures=worst(store, kept[0], failures),
        failed=sum(not one.verdict.success and one.verdict.valid for one in kept[0].results),
        uses=store.uses(kept[0].header.fingerprint),
    )


def _part_bars(kept: Sequence[Kept], figures: Sequence[Json]) -> list[Bar]:
    found: list[Bar] = []
    for name in ("overall", *WEIGHTS):
        for one, own in zip(kept, figures, strict=True):
            at = own["intervals"][name]
            if at["tasks"]:
                label = NAMES[name] if len(kept) == 1 else f"{NAMES[name]}: {one.header.planner}"
                found.append(Bar(label, at["value"], at["low"], at["high"]))
    return found


def _comparisons(kept: Sequence[Kept]) -> list[Json]:
    """Every other run against the first, or why that can't be."""
    found: list[Json] = []
    for other in kept[1:]:
        named = {"first": kept[0].header.planner, "second": other.header.planner}
        try:
            refuse_unlike(kept[0].header, other.header)
        except UserError as error:
            found.append({**named, "refused": str(error)})
        else:
            found.append({**named, "refused": "", **compare_results(kept[0].results, other.results)})
    return found


def floors_of(store: ResultStore, kept: Kept) -> dict[str, Json]:
    """The stored floors on the same tasks, by the agent's name; the newest of each."""
    found: dict[str, Json] = {}
    for header in store.headers():
        same = (header.fingerprint, header.limit, header.stress) == (
            kept.header.fingerprint,
            kept.header.limit,
            Stress(),
        )
        if same and header.planner in FLOORS and header.planner not in found:
            found[header.planner] = floor_figures(store.load(header.run, again=False).results)
    return {name: found[name] for name in FLOORS if name in found}


def _rate(value: float | int | str | None) -> str:
    return "–" if value is None else f"{value:.3f}" if isinstance(value, float) else f"{value}"


def _amount(value: float | None) -> str:
    """Three digits that count, however small or large."""
    return "–" if value is None else f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
