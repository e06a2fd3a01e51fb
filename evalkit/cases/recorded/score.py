"""`pocket eval cases FILE`: every recorded case in the sandbox, and what differs."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from evalkit.cases.recorded.differ import differences, notes
from evalkit.cases.recorded.form import RecordedCase, read_cases
from evalkit.cases.recorded.mapping import load_map
from evalkit.cases.recorded.scenario import Scenario, scenario_of
from evalkit.cases.stage import Stage, open_stage
from runtime.contract import Json, ToolSpec


def run_recorded(path: Path) -> Json:
    """Figures and a line for each case: `passed` of `n`; those of the file's illustrations stand apart."""
    found = read_cases(path)
    with open_stage() as stage:
        cases = _scenarios(path, "cases", found.cases, stage.specs)
        examples = _scenarios(path, "replay_examples", found.replay_examples, stage.specs)
        lines = [_line(one, stage) for one in cases]
        shown = [_line(one, stage) for one in examples]
    return {
        "file": path.name,
        "n": len(lines),
        "passed": sum(line["passed"] for line in lines),
        "calls": sum(line["calls"] for line in lines),
        "stood_in": sum(len(line["stood_in"]) for line in lines),
        "examples_n": len(shown),
        "examples_passed": sum(line["passed"] for line in shown),
        "cases": lines,
        "examples": shown,
    }


def _scenarios(path: Path, field: str, cases: Sequence[RecordedCase],
               specs: Mapping[str, ToolSpec]) -> list[Scenario]:  # fmt: skip
    """All scenarios of a list: an unknown form is said before anything is played."""
    book = load_map()
    return [scenario_of(path, f"{field}.{place}", case, specs, book) for place, case in enumerate(cases)]


def _line(scenario: Scenario, stage: Stage) -> Json:
    stage.phone.expect(scenario.refusals)
    played = stage.play(scenario.task, scenario.script, scenario.before)
    differs = list(differences(scenario, played, stage.phone.sandbox))
    return {
        "case": scenario.name,
        "passed": not differs,
        "calls": len(scenario.calls),
        "stood_in": list(stage.phone.stood_in),
        "notes": list(notes(scenario, played)),
        "differs": differs,
    }
