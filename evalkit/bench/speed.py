"""The planner's reading and writing against llama.cpp's own, on the same file and tokens, one after the other.

1. Reading: an empty cache, the whole prompt with the beginning that the grammar forces; both sides read the same ids.
2. Writing: from a read prompt on. Our loop is taken over the tokens that were sampled with nothing forced beside them
   (choice, check, trace, grammar and reading included), so that forced stretches can't flatter the figure;
   `decode_ratio_all_tokens` counts every token and all the time.

Wall time on both sides, the best of `REPEATS` tries each (others may take a core meanwhile), the order changes with
each try, and a ratio is the median over prompts.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from evalkit.bench.frame import Order, median
from evalkit.bench.reference import Reference
from evalkit.bench.requests import requests, view
from runtime.contract import Deadline, Json, TokenTrace, ToolSpec, UserError
from runtime.planner.decoding import Decoder
from runtime.planner.grammar import GrammarCache
from runtime.planner.llama import LlamaPlanner, opened
from runtime.planner.tokens import PieceIds
from runtime.trace import Untraced
from runtime.wiring import open_rooms

PROMPTS = 10
"""Prompts of a measurement: every fifth request."""
REPEATS = 3
"""Tries of each side on each prompt."""
WRITTEN = 24
"""Tokens that the reference writes after a prompt: about as many as a decision has."""
NEVER = Deadline.never()


@dataclass(frozen=True)
class Prompt:
    """A context as the runtime lays it."""

    ids: list[int]
    """Its tokens."""
    exposed: Sequence[ToolSpec]
    """Its tools, which bind the answer."""


@dataclass
class Sides:
    """The two sides of a measurement."""

    planner: LlamaPlanner
    """Ours."""
    reference: Reference
    """llama.cpp alone."""
    grammars: GrammarCache
    """Compiled grammars."""
    prompts: list[Prompt]
    """What both read."""

    def decoder(self, prompt: Prompt) -> Decoder:
        """Our loop over an empty cache."""
        settings = self.planner.settings
        self.planner.engine.keep(0)
        matcher, _ = self.grammars.matcher(prompt.exposed, settings.max_calls, settings.thoughts)
        return Decoder(self.planner.engine, matcher, self.planner.vocabulary.end)


@contextmanager
def sides(order: Order) -> Iterator[Sides]:
    """Both sides opened; a planner without a local model is a `UserError`."""
    with open_rooms(order.settings, trace=Untraced()) as rooms:
        planner = rooms.rooms.planner
        if not isinstance(planner, LlamaPlanner):
            raise UserError(
                f"the planner `{order.settings.planner.use}` is no local GGUF; llama.cpp's speed is measured against "
                "one. Use `--planner embedded` or a GGUF file."
            )
        settings = planner.settings
        reference = Reference(planner.engine.path, settings.threads, settings.context_tokens)
        try:
            prompts = []
            for request in _spread(order.limit or PROMPTS):
                context = rooms.rooms.assembler.begin(view(request, order.settings), rooms.phone.tools(), NEVER)
                ids = [token for piece in PieceIds(planner.vocabulary).ids(opened(context.pieces)) for token in piece]
                prompts.append(Prompt(ids, context.exposed))
            yield Sides(planner, reference, GrammarCache(planner.vocabulary.for_grammar), prompts)
        finally:
            reference.close()


def _spread(count: int) -> Sequence[str]:
    """`count` requests from all over the list."""
    whole = requests()
    return whole[:: max(1, len(whole) // count)][:count]


def prefill(order: Order) -> Json:
    """Reading whole prompts."""
    ours, theirs, work, counts = [], [], [], []
    with sides(order) as both:
        for prompt in both.prompts:
            tokens = [*prompt.ids, *_forced(both, prompt)]
            own, other = _fastest(partial(_our_read, both, prompt), partial(both.reference.read, tokens))
            assert both.planner.engine.ids == tokens  # the same tokens on both sides
            ours.append(len(tokens) / own.wall)
            theirs.append(len(tokens) / other.wall)
            work.append(other.cpu / own.cpu)
            counts.append(len(tokens))
    return {
        "prefill_ratio": median(own / other for own, other in zip(ours, theirs, strict=True)),
        "prefill_cpu_ratio": median(work),
        "prefill_tokens_per_s": median(ours, 1),
        "reference_prefill_tokens_per_s": median(theirs, 1),
        "prefill_tokens_p50": median(counts),
        "prompts": len(ours),
    }


def decode(order: Order) -> Json:
    """Writing bound decisions."""
    alone, every, theirs, sampled = [], [], [], 0
    with sides(order) as both:
        for prompt in both.prompts:
            tries: list[tuple[float, float, int]] = []
            _, other = _fastest(partial(_our_write, both, prompt, tries), partial(_their_write, both, prompt))
            if not tries:
                continue
            alone.append(1 / min(one for one, _, _ in tries))
            every.append(1 / min(one for _, one, _ in tries))
            theirs.append(1 / other.wall)
            sampled += tries[-1][2]
    return {
        "decode_ratio": median(own / other for own, other in zip(alone, theirs, strict=True)),
        "decode_ratio_all_tokens": median(own / other for own, other in zip(every, theirs, strict=True)),
        "decode_tokens_per_s": median(alone, 1),
        "reference_decode_tokens_per_s": median(theirs, 1),
        "sampled_tokens": sampled,
        "prompts": len(alone),
    }


@dataclass(frozen=True)
class Least:
    """The best of a side's tries."""

    wall: float
    """Seconds."""
    cpu: float
    """Seconds of all threads."""


def _fastest(ours: Callable[[], float], theirs: Callable[[], float]) -> tuple[Least, Least]:
    """The least of either side, after one try of each that only warms up."""
    tries: dict[Callable[[], float], list[tuple[float, float]]] = {ours: [], theirs: []}
    for number in range(REPEATS + 1):
        for side in (ours, theirs) if number % 2 else (theirs, ours):
            start = time.process_time()
            wall = side()
            tries[side].append((wall, time.process_time() - start))
    own, other = ([min(column) for column in zip(*tries[side][1:], strict=True)] for side in (ours, theirs))
    return Least(*own), Least(*other)


def _our_read(both: Sides, prompt: Prompt) -> float:
    """Seconds until the first token could be chosen."""
    decoder = both.decoder(prompt)
    return decoder.run(prompt.ids, 1, NEVER).read_s


def _our_write(both: Sides, prompt: Prompt, tries: list[tuple[float, float, int]]) -> float:
    """Write a decision; notes seconds a sampled token, seconds a token, and the number of sampled ones."""
    decoder = both.decoder(prompt)
    start = time.perf_counter()
    done = decoder.run(prompt.ids, both.planner.settings.max_output_tokens, NEVER)
    took = time.perf_counter() - start - done.read_s
    written = len(done.tokens) - _opening(done.tokens)
    if done.alone and written > 0:
        tries.append((done.alone_s / done.alone, took / written, done.alone))
    return took


def _opening(tokens: Sequence[TokenTrace]) -> int:
    """Forced tokens before the first sampled one: they were read with the prompt."""
    return next((at for at, token in enumerate(tokens) if not token.forced), len(tokens))


def _their_write(both: Sides, prompt: Prompt) -> float:
    """Seconds a token of llama.cpp's own loop."""
    both.reference.read(prompt.ids)
    return both.reference.write(WRITTEN) / WRITTEN


def _forced(both: Sides, prompt: Prompt) -> list[int]:
    """The beginning that the grammar forces."""
    settings = both.planner.settings
    matcher, _ = both.grammars.matcher(prompt.exposed, settings.max_calls, settings.thoughts)
    return list(matcher.compute_ff_tokens())
