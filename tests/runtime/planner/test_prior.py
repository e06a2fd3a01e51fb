"""Recall's word in the choice of the first tool."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.contract import Deadline
from runtime.planner.llama import LlamaPlanner
from runtime.planner.prior import ToolPrior
from runtime.planner.settings import PlannerSettings

from .conftest import view_of

OPENING = '<tool_call>{"name": "'


def by_letter(text: str) -> int | None:
    """A vocabulary of single characters."""
    return ord(text) if len(text) == 1 else None


def test_a_tokens_bias_is_the_mass_of_the_names_behind_it() -> None:
    prior = ToolPrior({"ab": 0.5, "ac": 0.4}, 10.0, by_letter)
    # exp(0) + exp(-1) of the tools, and 1 each for ask, refuse and finish: "a" leads to ab, ac and ask
    whole = 3 + 1 + math.exp(-1)
    assert prior.biases(OPENING) == pytest.approx(
        {ord("a"): math.log((2 + math.exp(-1)) / whole), ord("r"): math.log(1 / whole), ord("f"): math.log(1 / whole)}
    )


@given(st.dictionaries(st.text("abcd_", min_size=1, max_size=8), st.floats(-1, 1), min_size=1), st.floats(0, 25))
def test_the_biases_along_a_name_add_up_to_its_prior(affinity: dict[str, float], weight: float) -> None:
    prior = ToolPrior(affinity, weight, by_letter)
    top = max(affinity.values())
    masses = {name: math.exp(weight * (value - top)) for name, value in affinity.items()}
    whole = sum(masses.values()) + len({"ask", "refuse", "finish"} - set(masses))
    for name, mass in masses.items():
        if name in ("ask", "refuse", "finish"):
            continue
        text = f'{name}"'
        total = sum(prior.biases(OPENING + text[:at])[ord(letter)] for at, letter in enumerate(text))
        assert total == pytest.approx(math.log(mass / whole), abs=1e-6)


def test_nothing_is_said_outside_the_first_name() -> None:
    prior = ToolPrior({"ab": 0.5}, 10.0, by_letter)
    first = OPENING + 'ab", "arguments": {}}</tool_call>'
    for written in ("", "<tool", OPENING + 'ab"', first, first + OPENING, OPENING + "zz"):
        assert prior.biases(written) == {}
    assert prior.biases("a thought\n" + OPENING) != {}


def test_a_planner_never_begins_with_a_tool_that_a_heavy_prior_rules_out(base, home) -> None:
    settings = PlannerSettings(recall_weight=1000.0, max_output_tokens=64)
    planner = LlamaPlanner(base, settings)
    try:
        view = view_of("xyz")
        chosen = []
        for far in ("manage_alarm", "control_flashlight"):
            affinity = {"manage_alarm": 1.0, "control_flashlight": 1.0, far: 0.0}
            decision = planner.decide(replace(view, affinity=affinity), Deadline.never())
            chosen.append(decision.raw.split('"')[3])
        assert chosen[0] in {"control_flashlight", "ask", "refuse", "finish"}
        assert chosen[1] in {"manage_alarm", "ask", "refuse", "finish"}
    finally:
        planner.close()
