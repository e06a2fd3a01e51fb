import pytest

from evalkit.attempts import pass_figures
from evalkit.statistics import pass_at_k, pass_hat_k
from tests.evalkit.test_overall import result


def test_worked_numbers():
    # 5 tries, 2 passed, k = 2: of 10 pairs 3 hold no pass, 1 holds two
    assert pass_at_k(5, 2, 2) == pytest.approx(0.7)
    assert pass_hat_k(5, 2, 2) == pytest.approx(0.1)
    # 4 tries, 3 passed, k = 3: each triple holds a pass, 1 of 4 holds three
    assert (pass_at_k(4, 3, 3), pass_hat_k(4, 3, 3)) == (1.0, 0.25)
    assert (pass_at_k(3, 1, 1), pass_hat_k(3, 1, 1)) == pytest.approx((1 / 3, 1 / 3))


@pytest.mark.parametrize(("tries", "passed", "k"), [(2, 1, 3), (2, 3, 1), (2, 1, 0)])
def test_what_was_not_tried_has_no_estimate(tries, passed, k):
    with pytest.raises(ValueError, match="no estimate"):
        pass_at_k(tries, passed, k)


def test_figures_are_averaged_over_tasks():
    passed = {"a": (True, True, False), "b": (False, True, False), "c": (False, False, False)}
    results = [
        result("tool_use", success, name=name, attempt=number)
        for name, tries in passed.items()
        for number, success in enumerate(tries)
    ]
    figures = pass_figures(results)
    assert figures["attempts"] == 3
    # k = 2: a 1, b 2/3, c 0; all of two: a 1/3
    assert figures["pass_at_k"]["2"]["value"] == pytest.approx((1 + 2 / 3) / 3)
    assert figures["pass_hat_k"]["2"]["value"] == pytest.approx(1 / 9)
    assert figures["pass_at_k"]["1"]["value"] == figures["pass_hat_k"]["1"]["value"] == pytest.approx(1 / 3)
    assert figures["pass_at_k"]["3"]["value"] == pytest.approx(2 / 3)


def test_an_attempt_lost_to_infrastructure_leaves_its_task_out_of_larger_k():
    results = [
        result("tool_use", True, name="a", attempt=0),
        result("tool_use", False, name="a", attempt=1, valid=False),
        result("tool_use", True, name="b", attempt=0),
        result("tool_use", True, name="b", attempt=1),
    ]
    figures = pass_figures(results)
    assert figures["tasks_with_too_few_attempts"] == {"1": 0, "2": 1}
    assert figures["pass_hat_k"]["2"]["tasks"] == 1


def test_single_attempts_have_no_such_figures():
    assert pass_figures([result("tool_use", True)]) == {}
