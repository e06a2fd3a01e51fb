import pytest

from evalkit.overall import overall, overall_facts, overall_intervals, weights_of
from evalkit.result import Result
from evalkit.score import score
from runtime.contract import CheckResult, Domain, Verdict


def result(part, success, valid=True, name="", checks=(), **more):
    return Result(
        task_id=name or f"{part}/{success}/{more.get('routing', '')}",
        family=more.pop("family", name or part),
        domain=Domain.TIME,
        pattern="one_call",
        part=part,
        verdict=Verdict(success=success, progress=float(success), valid=valid, checks=checks, grading="1"),
        stop=more.pop("stop", "finished"),
        steps=2,
        output_tokens=40,
        seconds=1.5,
        **more,
    )


FOUR = [
    *(result("tool_use", n < 3, name=f"t{n}") for n in range(4)),  # 0.75
    *(result("memory", n < 1, name=f"m{n}") for n in range(2)),  # 0.5
    *(result("skill", n < 1, name=f"s{n}") for n in range(4)),  # 0.25
    result("sub_agent", True, name="a"),  # 1.0
]


def test_the_overall_is_the_weighted_sum_of_the_parts():
    # .5 * .75 + .2 * .5 + .2 * .25 + .1 * 1 = .375 + .1 + .05 + .1
    assert overall(FOUR).value == pytest.approx(0.625)
    assert overall_facts(FOUR)["empty_parts"] == []


def test_the_ends_of_the_overall_come_from_those_of_its_parts():
    found = overall_intervals(FOUR)
    low = sum(
        (weight * (found[name].value - found[name].low)) ** 2
        for name, weight in (("tool_use", 0.5), ("memory", 0.2), ("skill", 0.2), ("sub_agent", 0.1))
    )
    assert found["overall"].low == pytest.approx(0.625 - low**0.5)
    assert found["overall"].low < 0.625 < found["overall"].high


def test_the_weight_of_an_empty_part_is_spread_and_the_part_is_named():
    half = [one for one in FOUR if one.part in ("tool_use", "memory")]
    assert weights_of(["tool_use", "memory"]) == pytest.approx({"tool_use": 5 / 7, "memory": 2 / 7})
    assert overall(half).value == pytest.approx((0.5 * 0.75 + 0.2 * 0.5) / 0.7)
    facts = overall_facts(half)
    assert facts["empty_parts"] == ["skill", "sub_agent"]
    assert "spread over the others" in facts["weight_rule"]


def test_nothing_has_no_overall():
    assert overall([]).value is None


def test_infrastructure_failures_are_apart_and_missing_tasks_are_failures():
    results = [
        result("tool_use", True, name="a"),
        result("tool_use", False, valid=False, name="b", stop="infrastructure"),
        result("tool_use", False, name="c", stop="missing"),
    ]
    figures = score(results)
    assert figures["overall"] == 0.5
    assert (figures["infrastructure_failures"], figures["not_run"], figures["tasks"]) == (1, 1, 2)
    assert figures["output_tokens_mean"] == 40  # of what was run


def test_a_skill_task_counts_under_each_routing_and_both_stand_apart():
    results = [
        result("skill", True, name="s", routing="mixed"),
        result("skill", False, name="s", routing="skill_only"),
        result("skill", False, name="r", routing="mixed"),
        result("skill", False, name="r", routing="skill_only"),
    ]
    found = overall_intervals(results)
    assert (found["skill"].value, found["skill"].tasks) == (0.25, 4)
    assert (found["skill_mixed"].value, found["skill_skill_only"].value) == (0.5, 0.0)


def test_memory_counts_searches_alone_and_reports_injected_records_apart():
    gate = CheckResult(name="the memories needed were searched for", passed=False, evidence={"missing": ["m1"]})
    opened = gate.model_copy(update={"passed": True, "evidence": {"missing": []}})
    results = [
        result("memory", False, name="a", checks=(gate,), injected=("m1",), success_with_injected=True),
        result("memory", True, name="b", checks=(opened,), success_with_injected=True),
    ]
    found, facts = overall_intervals(results), overall_facts(results)
    assert (found["memory"].value, found["memory_gate"].value, found["memory_with_injected"].value) == (0.5, 0.5, 1.0)
    assert (facts["injected_ids"], facts["results_with_injected_ids"]) == (1, 1)


def test_hand_written_tasks_are_scored_apart_too():
    figures = score([result("tool_use", True, name="a", hand_written=True), result("tool_use", False, name="b")])
    assert (figures["tool_use"], figures["hand_written"], figures["hand_written_overall"]) == (0.5, 1.0, 1.0)


def test_costs_stand_side_by_side_and_the_price_covers_output_alone():
    figures = score([result("tool_use", True, input_tokens=1000, device_s=0.2, harness_s=0.1)], price=0.5)
    assert figures["output_cost_per_1000_tasks"] == pytest.approx(0.02)  # 40 tokens * 1,000 tasks at 0.5 a million
    assert (figures["input_tokens_mean"], figures["device_seconds_mean"]) == (1000, 0.2)
    assert "output" not in score([], price=0.5)["cost_scope"].split(";")[1]
    assert score([result("tool_use", True)])["output_cost_per_1000_tasks"] is None
