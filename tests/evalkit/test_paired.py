import pytest

from evalkit.paired import compare_results, refuse_unlike
from evalkit.results import Header
from evalkit.statistics import Pair, paired_difference
from runtime.contract import Digests, UserError
from tests.evalkit.test_overall import result


def header(**more):
    fields = {"run": "a", "suite": "s", "split": "dev", "planner": "p", "fingerprint": "f", "grading": "1",
              "digests": Digests(), "trials": (), "started_at": "2026-11-29T00:00:00+00:00"}  # fmt: skip
    return Header(**{**fields, **more})


def test_a_difference_that_all_families_share_has_no_width():
    pairs = [Pair(group="tool_use", family=name, change=0.5) for name in "abc"]
    found = paired_difference(pairs, {"tool_use": 1.0})
    assert (found.value, found.low, found.high) == (0.5, 0.5, 0.5)


def test_the_interval_sums_within_families_first():
    changes = {"a": (1, 1), "b": (0, 0)}
    pairs = [Pair(group="g", family=name, change=one) for name, both in changes.items() for one in both]
    found = paired_difference(pairs, {"g": 1.0})
    # mean .5; each family is 2 * .5 / 4 = .25 off; variance 2 / 1 * (.0625 + .0625) = .25, half 1.96 * .5
    assert found.value == 0.5
    assert found.high - found.value == pytest.approx(1.959964 * 0.5)
    assert (found.tasks, found.families) == (4, 2)


def test_one_family_gives_no_interval():
    found = paired_difference([Pair(group="g", family="a", change=1.0)] * 3, {"g": 1.0})
    assert (found.value, found.low, found.high) == (1.0, None, None)


def test_parts_are_weighted_and_given_in_points():
    first = [result("tool_use", False, name="a"), result("tool_use", False, name="b"),
             result("memory", True, name="m"), result("memory", True, name="n")]  # fmt: skip
    second = [result("tool_use", True, name="a"), result("tool_use", False, name="b"),
              result("memory", False, name="m"), result("memory", True, name="n")]  # fmt: skip
    report = compare_results(first, second)
    # 5/7 * 50 points of Tool Use less 2/7 * 50 of Memory
    assert report["overall_diff"] == pytest.approx(50 * 3 / 7)
    assert (report["parts"]["tool_use"]["diff"], report["parts"]["memory"]["diff"]) == (50.0, -50.0)
    assert (report["second_better"], report["first_better"], report["alike"]) == (1, 1, 2)


def test_attempts_are_averaged_before_they_are_paired():
    first = [result("tool_use", False, name="a", attempt=n) for n in range(2)]
    second = [result("tool_use", n == 0, name="a", attempt=n) for n in range(2)]
    report = compare_results(first, second)
    assert (report["overall_diff"], report["pairs"]) == (50.0, 1)


def test_infrastructure_failures_are_left_out_and_counted():
    first = [result("tool_use", True, name="a"), result("tool_use", False, valid=False, name="b")]
    second = [result("tool_use", True, name="a"), result("tool_use", True, name="b")]
    report = compare_results(first, second)
    assert (report["pairs"], report["left_out"]) == (1, 1)


def test_other_gradings_are_refused_with_both_named():
    with pytest.raises(UserError, match=r"`a` was graded under version 1, run `b` under 2.*pocket eval score"):
        refuse_unlike(header(), header(run="b", grading="2"))


@pytest.mark.parametrize(("what", "value"), [("fingerprint", "g"), ("limit", 20), ("routing", "mixed")])
def test_other_tasks_are_refused_with_both_named(what, value):
    with pytest.raises(UserError, match=f"`a` has {what} .*`b` has `{value}`"):
        refuse_unlike(header(), header(run="b", **{what: value}))
