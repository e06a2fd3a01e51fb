import pytest

from evalkit.statistics import design_effect, mean, proportion, wilson


def test_wilson_of_eight_in_ten():
    # centre (.8 + 3.8415/20) / (1 + .38415) = .71675, half .22658
    assert wilson(0.8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_wilson_stays_inside_at_the_ends():
    low, high = wilson(1.0, 40)
    assert high == 1.0
    assert low == pytest.approx(0.9124, abs=1e-4)


def test_tasks_of_one_family_that_agree_count_less():
    # two families of four, all right and all wrong: residuals +2 and -2, variance 2 * 8 / 64 = .25 against .25 / 8
    assert design_effect([True] * 4 + [False] * 4, ["a"] * 4 + ["b"] * 4) == pytest.approx(8.0)


def test_independent_tasks_have_no_design_effect():
    assert design_effect([True, True], ["a", "b"]) == 1.0


def test_proportion_of_nothing_is_none():
    figure = proportion([], [])
    assert (figure.value, figure.low, figure.tasks) == (None, None, 0)


def test_proportion_reports_clusters():
    figure = proportion([True, True, False, False], ["a", "a", "b", "b"])
    assert (figure.value, figure.tasks, figure.families) == (0.5, 4, 2)
    assert figure.design_effect == pytest.approx(4.0)
    assert mean([1.0, 2.0]) == 1.5
