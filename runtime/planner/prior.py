"""What recall says about the tools speaks in the choice of the first one.

A small planner knows the tools from training, recall knows them from their texts; they err on different requests. So
the name of the first call of a segment is drawn from

    p(tool | context) * exp(weight * (affinity(tool) - affinity of the nearest tool))        (not normalised)

token by token: a token's bias is the log of the prior mass of the names that it leaves possible, over the mass of those
that were possible before it, so that the biases of a name's tokens add up to its prior. Ask, refuse and finish stand
beside the nearest tool. Later names (further calls, later decisions) are the planner's alone.
"""

import math
import re
from collections.abc import Callable, Mapping

from runtime.dialect import CALL_OPEN, CONTROL_ACTIONS

NAME = re.compile(rf'(?:[^<]*\n)?{re.escape(CALL_OPEN)}{{"name": "([^"]*)')
"""The text of a decision up to some place within the name of its first call."""
CLOSING = '", "arguments": {'
"""What follows a name; a token may reach into it."""
FAR = -60.0
"""No tool is further away than this many nats."""
LONGEST = 16
"""Characters of the longest token that is tried."""


class ToolPrior:
    """Biases on the tokens of the first call's name."""

    def __init__(self, affinity: Mapping[str, float], weight: float, single: Callable[[str], int | None]) -> None:
        """`affinity` by exposed tool; `single` gives the id of a text that is one token, else None."""
        top = max(affinity.values())
        self._mass = {name: math.exp(max(FAR, weight * (value - top))) for name, value in affinity.items()}
        self._mass |= dict.fromkeys(CONTROL_ACTIONS, 1.0)
        self._single = single

    def biases(self, written: str) -> dict[int, float]:
        """Bias by token after the text `written`; empty outside the first name."""
        found = NAME.fullmatch(written)
        possible = {name: mass for name, mass in self._mass.items() if found and name.startswith(found[1])}
        if not found or not possible:
            return {}
        masses = _masses({f"{name}{CLOSING}"[len(found[1]) :]: mass for name, mass in possible.items()})
        before = math.log(sum(possible.values()))
        tokens = ((self._single(text), mass) for text, mass in masses.items())
        return {token: math.log(mass) - before for token, mass in tokens if token is not None}


def _masses(rests: Mapping[str, float]) -> dict[str, float]:
    """The prior mass behind each text that may come next, from what is still to be written of each name."""
    sums: dict[str, float] = {}
    for rest, mass in rests.items():
        for size in range(1, min(LONGEST, len(rest)) + 1):
            sums[rest[:size]] = sums.get(rest[:size], 0.0) + mass
    return sums
