"""`pocket eval cases`: the twelve cases that the paper describes, each right path and every wrong one.

A right path passes when its state, its gates and the order of its calls hold. A wrong variant must fail, and by the
check that it was written for; one that fails by others alone is counted as `astray`.
"""

from collections.abc import Iterable, Sequence

from evalkit.cases.case import Case, load_cases
from evalkit.cases.order import judge_order
from evalkit.cases.stage import Stage, open_stage
from evalkit.verify import CoreVerifier
from runtime.contract import CheckResult, Json


def run_twelve(cases: Sequence[Case] | None = None) -> Json:
    """Figures and a line for each case: `passed` of `n`, `wrong_passed` of `wrong`."""
    with open_stage() as stage:
        lines = [_line(case, stage) for case in cases or load_cases()]
    wrong = [one for line in lines for one in line["wrong"]]
    return {
        "n": len(lines),
        "passed": sum(line["passed"] for line in lines),
        "wrong": len(wrong),
        "wrong_passed": sum(one["passed"] for one in wrong),
        "astray": sum(one["astray"] for one in wrong),
        "cases": lines,
    }


def judged(case: Case, script: Sequence[Json], stage: Stage) -> list[CheckResult]:
    """Every check on one path through a case."""
    played = stage.play(case.task(stage.specs), script)
    verdict = CoreVerifier().judge(case.policy(), played.episode, played.diff)
    return [*verdict.checks, *judge_order(case.waits, case.most, played.episode)]


def _line(case: Case, stage: Stage) -> Json:
    failed = _failed(judged(case, case.right, stage))
    return {
        "name": case.name,
        "figure": case.figure,
        "passed": not failed,
        "differs": failed,
        "wrong": [_wrong(one.name, one.fails, _failed(judged(case, one.steps, stage))) for one in case.wrong],
    }


def _failed(checks: Iterable[CheckResult]) -> list[str]:
    return [check.name for check in checks if not check.passed]


def _wrong(name: str, fails: str, failed: Sequence[str]) -> Json:
    astray = bool(failed) and not any(fails in check for check in failed)
    return {"name": name, "passed": not failed, "astray": astray, "failed_by": list(failed)}
