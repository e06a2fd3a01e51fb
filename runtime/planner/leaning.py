"""The choice between acting and asking, leaned: what training showed more often than people do is taken back.

A corpus holds as many questions and refusals as it takes to learn them, far more than requests that need one. The
planner takes their share for theirs in life. Where a name is about to be written, the first tokens of `ask` and
`refuse` lose `bias` nats, as for any shift of class priors (Saerens et al. 2002); a planner that is certain of its
question still asks. The bias belongs to a checkpoint and is found on dev tasks.
"""

from collections.abc import Callable, Sequence

from runtime.planner.engine import Logits

NAME_OPENS = '"name": "'
"""What stands before a name, at the end of what was generated."""
TAIL = 6
"""Tokens that hold it at most."""
LEANED = ("ask", "refuse")
"""Actions that lose."""


class Leaning:
    """Shifts the logits of names."""

    def __init__(
        self, encode: Callable[[str], Sequence[int]], decode: Callable[[Sequence[int]], str], bias: float
    ) -> None:
        self._decode, self._bias = decode, bias
        place = len(encode(NAME_OPENS))
        self._first = [encode(f"{NAME_OPENS}{name}")[place] for name in LEANED]

    def lean(self, row: Logits, written: Sequence[int]) -> Logits:
        """`row` (vocab,) as it is, or a copy with the shift where a name begins. `written`: ids so far."""
        if not self._decode(written[-TAIL:]).endswith(NAME_OPENS):
            return row
        leaned = row.copy()
        leaned[self._first] -= self._bias
        return leaned
