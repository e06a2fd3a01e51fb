"""The decode loop: greedy first, one token checked, the vocabulary masked only on a miss.

1. What the grammar forces (a single choice) goes to the model in one batch with the token before it; after the prompt,
   so does the forced beginning. Only stretches shorter than BATCH_PAYS go one by one, which is faster.
2. Greedy: the argmax is checked alone; only if the grammar refuses it, the vocabulary is masked. Where a `Copier` is
   given, a token that goes on copying may take its place (copying.py); a `Leaning` shifts names (leaning.py).
3. Sampling (temperature > 0): always masked, since the distribution that was sampled must be known.

Each token is traced with its raw log-probability and the one under the distribution that it was drawn from. Greedy
decoding draws from a point mass: 0.0.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from llguidance import LLMatcher

from runtime.contract import Deadline, TokenTrace
from runtime.planner.copying import Copier
from runtime.planner.engine import BATCH, OUTPUTS, Engine, Logits
from runtime.planner.leaning import Leaning

BATCH_PAYS = 6
"""From so many tokens on, one batch costs less than one token at a time (Q8_0, AVX2: 6.5 ms a token alone; batches of
2, 4, 8 and 12 cost 22, 31, 37 and 45 ms)."""

Choice = tuple[int, float]
"""A token and its log-probability under the distribution that was sampled."""


@dataclass
class Generated:
    """What the loop gives back."""

    tokens: list[TokenTrace] = field(default_factory=list)
    """Every token, the closing one included where the loop came to it."""
    end: str = "closed"
    """`closed`, `tokens` (the limit), `deadline` or `cancelled`."""
    masked: int = 0
    """How often the vocabulary had to be masked."""
    copied: int = 0
    """How often a token gave way to one that goes on copying."""
    read_s: float = 0.0
    """Seconds until the first token could be chosen: the prompt and the forced beginning were read."""
    alone: int = 0
    """Tokens that were chosen and read one at a time, with nothing forced beside them."""
    alone_s: float = 0.0
    """Seconds that these took, checking and tracing included; `alone / alone_s` compares with llama.cpp's own loop."""


class Decoder:
    """One decision's generation."""

    def __init__(
        self,
        engine: Engine,
        matcher: LLMatcher | None,
        end: int,
        temperature: float = 0.0,
        seed: Sequence[int] = (0,),
        copier: Copier | None = None,
        leaning: Leaning | None = None,
        told: Callable[[int], None] | None = None,
    ) -> None:
        """`matcher` None: free text, for measuring. `end` closes a turn. `told` hears every token as it is written."""
        self._engine = engine
        self._matcher = matcher
        self._end = end
        self._temperature = temperature
        self._copier = copier
        self._leaning = leaning
        self._told = told
        self._random = np.random.default_rng(list(seed))
        self.result = Generated()

    def run(self, prompt: Sequence[int], limit: int, deadline: Deadline) -> Generated:
        """Read `prompt` (what the cache does not hold yet, at least one id), then write at most `limit` tokens."""
        result = self.result
        began = time.perf_counter()
        row = self._read(prompt, self._forced(), deadline)
        result.read_s = time.perf_counter() - began
        while row is not None:
            began = time.perf_counter()
            if self._closed():
                self._note(row, (self._end, 0.0), forced=True)
                return result
            token, sampled = self._choose(row)
            self._note(row, (token, sampled), forced=False)
            if token == self._end:
                return result
            if self._matcher:
                self._matcher.consume_token(token)
            if len(result.tokens) >= limit:
                result.end = "tokens"
                return result
            forced = self._forced()
            row = self._read([token], forced, deadline)
            if not forced:
                result.alone += 1
                result.alone_s += time.perf_counter() - began
        result.end = "cancelled" if deadline.cancel.cancelled else "deadline"
        return result

    def _read(self, ids: Sequence[int], forced: Sequence[int], deadline: Deadline) -> Logits | None:
        """Feed ids, then the forced ones, and trace those. The last row; None when time is over."""
        whole = [*ids, *forced]
        first = len(ids) - 1  # the first position whose logits are wanted: it predicts the first forced token
        row: Logits | None = None
        at = 0
        while at < len(whole):
            if deadline.expired or deadline.cancel.cancelled:
                return None
            stop = self._stop_of_batch(at, first, len(whole))
            wanted = max(0, stop - max(at, first))
            rows = self._engine.feed(whole[at:stop], wanted)
            for index in range(wanted):
                row = rows[index]
                position = stop - wanted + index - first
                if position < len(forced):
                    self._note(row, (forced[position], 0.0), forced=True)
            at = stop
        return row

    def _stop_of_batch(self, at: int, first: int, size: int) -> int:
        """Where the batch that begins at `at` ends."""
        if self.result.tokens and size < BATCH_PAYS:
            return at + 1
        stop = min(at + BATCH, size, max(first, at) + OUTPUTS)
        return stop - 1 if stop == size - 1 and stop - at > 2 else stop  # a last batch of one would round otherwise

    def _forced(self) -> list[int]:
        """The stretch with a single choice, already consumed by the matcher."""
        if self._matcher is None or self._matcher.is_stopped():
            return []
        forced = list(self._matcher.compute_ff_tokens())
        if forced:
            self._matcher.consume_tokens(forced)
        return forced

    def _closed(self) -> bool:
        return self._matcher is not None and self._matcher.is_stopped()

    def _choose(self, row: Logits) -> Choice:
        if self._temperature > 0:
            return self._sample(row)
        if self._leaning is not None:
            row = self._leaning.lean(row, [trace.id for trace in self.result.tokens])
        token = int(row.argmax())
        if self._matcher is not None and not self._allowed(token):
            self.result.masked += 1
            token = int(np.where(self._mask(), row, -np.inf).argmax())
        return self._copied(row, token), 0.0

    def _copied(self, row: Logits, token: int) -> int:
        """The token, or the likeliest near one that goes on copying and that the grammar takes."""
        if self._copier is None or self._matcher is None or token == self._end:
            return token
        written = [trace.id for trace in self.result.tokens]
        for other in self._copier.prefer(row, token, written):
            if other != self._end and self._allowed(other):
                self.result.copied += 1
                return other
        return token

    def _allowed(self, token: int) -> bool:
        assert self._matcher is not None
        if token == self._end:
            return bool(self._matcher.is_accepting())
        return bool(self._matcher.validate_tokens([token]) == 1)

    def _sample(self, row: Logits) -> Choice:
        scores = row.astype(np.float64) / self._temperature
        if self._matcher is not None:
            scores[~self._mask()] = -np.inf
        scores -= scores.max()
        weights = np.exp(scores)
        total = weights.sum()
        token = int(np.searchsorted(np.cumsum(weights), self._random.random() * total, side="right"))
        token = min(token, len(weights) - 1)
        return token, float(scores[token] - math.log(total))

    def _mask(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        assert self._matcher is not None
        bits = np.frombuffer(self._matcher.compute_bitmask(), np.uint8)
        return np.unpackbits(bits, bitorder="little")[: self._engine.vocab_size].astype(bool)

    def _note(self, row: Logits, choice: Choice, forced: bool) -> None:
        token, sampled = choice
        self.result.tokens.append(
            TokenTrace(id=token, logprob=log_probability(row, token), sampled_logprob=sampled, forced=forced)
        )
        if self._told is not None:
            self._told(token)


def log_probability(row: Logits, token: int) -> float:
    """log softmax(row)[token]; `row` (vocab,) are raw logits."""
    top = row.max()
    return float(row[token] - top - math.log(np.exp(row - top).sum()))
