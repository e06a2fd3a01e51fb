"""Weights that are learned: the sign that tells evidence from the rest gets the weight."""

import numpy as np

from evalkit.memory.fit import SIGNS, Case, figures, fit

TELLS = SIGNS.index("meaning")


def case(best, turns=5):
    signs = np.zeros((turns, len(SIGNS)))
    signs[best, TELLS] = 1.0
    signs[:, 0] = 0.5  # says nothing: the same everywhere
    return Case(signs, np.array([best]), np.arange(turns), "kind")


def test_what_tells_gets_the_weight():
    weights = fit([case(0), case(3)])
    assert weights[TELLS] > 3 and abs(weights[0]) < 1e-6


def test_a_step_that_would_overshoot_is_shortened():
    dice = np.random.default_rng(1)
    many = [case(0, turns=40)._replace(signs=dice.random((40, len(SIGNS))) ** 8) for _ in range(30)]
    for one in many:
        one.signs[0, TELLS] = 1.0
    weights = fit(many)
    assert np.abs(weights).max() < 40
    assert np.mean([first for _, _, first in figures(many, weights)]) > 0.8


def test_figures_by_hand():
    weights = np.zeros(len(SIGNS))
    weights[TELLS] = 1.0
    found = figures([case(2), case(2)._replace(evidence=np.array([2, 4]))], weights)
    assert found == [("kind", 1.0, 1.0), ("kind", 1.0, 1.0)]
    last = case(0, turns=12)._replace(evidence=np.array([11]))
    assert figures([last], weights) == [("kind", 0.0, 1 / 12)]
