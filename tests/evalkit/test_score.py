import pytest

from evalkit.results import Result
from evalkit.score import score
from runtime.contract import Domain, Verdict


def result(pattern, success, valid=True, **more):
    return Result(
        task_id=pattern,
        family=pattern,
        domain=Domain.TIME,
        pattern=pattern,
        verdict=Verdict(success=success, progress=float(success), valid=valid, grading="1"),
        stop="finished",
        steps=2,
        output_tokens=40,
        seconds=1.5,
        **more,
    )


def test_figures_stand_under_their_keys():
    figures = score(
        [
            result("one_call", True),
            result("one_call", False, malformed=1),
            result("multi_call", True),
            result("dependent_call", False, silent_cuts=2),
            result("ask", True),
            result("unseen_tools", False),
            result("permission", False, valid=False),
        ],
        cancelled=3,
    )
    assert figures["one_call_success"] == 0.5
    assert figures["multi_call_success"] == 0.5
    assert figures["ask_success"] == 1.0
    assert figures["unseen_tools_success"] == 0.0
    assert figures["permission_success"] is None
    assert figures["success"] == pytest.approx(3 / 5)
    assert (figures["tasks"], figures["infrastructure_failures"], figures["not_run"]) == (6, 1, 3)
    assert (figures["malformed_calls"], figures["silent_cuts"]) == (1, 2)
    assert (figures["steps_mean"], figures["output_tokens_mean"], figures["seconds_mean"]) == (2, 40, 1.5)
    assert figures["by_domain"] == {"Time Management": {"success": 0.5, "tasks": 6}}
    assert figures["stops"] == {"finished": 7}
