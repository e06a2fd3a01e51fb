"""The local planner: a GGUF model through llama.cpp, bound to the exposed tools.

1. tokenise    piece by piece; the ids that it generated stay as they were          tokens.py
2. reuse       the KV cache keeps the common prefix; the static prefix is restored from a saved state   states.py
3. bind        a grammar from the exposed tools                                     grammar.py
4. decode      greedy first                                                         decoding.py
5. read back   thought and actions from the text                                    runtime/dialect.py

Over a segment, `prompt_ids` and `tokens` of its decisions, one after the other, are exactly the ids of its context.
"""

import codecs
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import llama_cpp as lc

from runtime.contract import (
    Action,
    ContextPiece,
    ContextView,
    Deadline,
    Decision,
    InfrastructureError,
    Json,
    ParseError,
    ToolSpec,
    Usage,
)
from runtime.dialect import RAW_KEPT, parse_decision
from runtime.layout import open_assistant
from runtime.planner.copying import Copier, dialogue_of
from runtime.planner.decoding import Decoder, Generated
from runtime.planner.engine import BATCH, Engine
from runtime.planner.grammar import GrammarCache, digest_of_grammar, lark_of
from runtime.planner.leaning import Leaning
from runtime.planner.settings import PlannerSettings, cache_folder
from runtime.planner.states import StateStore, file_digest
from runtime.planner.tokens import PieceIds, Vocabulary

MIN_OUTPUT = 64
"""Tokens that must stay free for an action."""
WHY = {
    "tokens": "the token limit (`planner.max_output_tokens`) cut the action off; write a shorter one",
    "deadline": "the deadline cut the action off; allow more seconds (`budget.seconds`)",
    "cancelled": "the action was cancelled",
}


class PromptTooLongError(InfrastructureError):
    """The context does not fit the window; nothing was cut. Carries `tokens` and `limit`."""

    def __init__(self, tokens: int, limit: int) -> None:
        super().__init__(
            f"the context has {tokens:,} tokens; the limit is {limit:,} (planner.context_tokens less {MIN_OUTPUT} for "
            "the action). Begin a new segment, expose fewer tools, or raise `planner.context_tokens`."
        )
        self.tokens = tokens
        self.limit = limit


class LlamaPlanner:
    """A planner over one GGUF file, with an optional LoRA adapter beside it."""

    accepts: frozenset[Literal["text", "image"]] = frozenset({"text"})

    def __init__(
        self, path: Path, settings: PlannerSettings | None = None, name: str = "", adapter: Path | None = None
    ) -> None:
        """Load the model; `UserError` when the file is no whole GGUF."""
        self.settings = settings or PlannerSettings()
        self.engine = Engine(path, threads=self.settings.threads, context_tokens=self.settings.context_tokens)
        digest = file_digest(path, cache_folder())
        if adapter is not None:
            self.engine.use_adapter(adapter)
            digest += "+" + file_digest(adapter, cache_folder())
        self.identity = f"{name or path.stem}@{digest}"
        self.likely = 0
        """Likely tools that its training named after each request."""
        self.context_tokens = self.settings.context_tokens
        self.vocabulary = Vocabulary(self.engine.vocab)
        self._pieces = PieceIds(self.vocabulary)
        self._states = StateStore(cache_folder(), f"{digest} {lc.__version__}")
        self._grammars: GrammarCache | None = None
        self._sent: list[int] = []
        self.listener: Callable[[str], None] | None = None
        """Hears each token's text as it is written."""
        self.last: Generated | None = None
        """How the last decision was generated, for measuring."""

    @property
    def sampling(self) -> Json:
        """Sampling parameters, for the trace."""
        kept = {"temperature", "seed", "max_output_tokens", "grammar", "thoughts", "max_calls", "copy_bias"}
        return self.settings.model_dump(include=kept | {"tool_bias"})

    def grammar_digest(self, exposed: Sequence[ToolSpec]) -> str:
        """Digest of the grammar that binds a decision over these tools."""
        return digest_of_grammar(lark_of(exposed, self.settings.max_calls, self.settings.thoughts))

    def count_tokens(self, text: str) -> int:
        """Tokens of `text` read as content; marks inside cost more here than as control pieces, never less."""
        return len(self.vocabulary.encode(text))

    def decide(self, context: ContextView, deadline: Deadline) -> Decision:
        """The next decision; `PromptTooLongError` when the context does not fit."""
        began = time.perf_counter()
        pieces = opened(context.pieces)
        ids = self._pieces.ids(pieces)
        prompt = [token for piece in ids for token in piece]
        limit = self.context_tokens - MIN_OUTPUT
        if len(prompt) > limit:
            raise PromptTooLongError(len(prompt), limit)
        cached = self._reuse(prompt, [token for piece in ids[: context.static_pieces] for token in piece], deadline)
        self.last = generated = self._generate(context, prompt, deadline)
        raw = self._raw(generated)
        thought, actions = self._read(raw, generated, context)
        appended = prompt[len(self._sent) :] if prompt[: len(self._sent)] == self._sent else prompt
        self._sent = [*prompt, *(token.id for token in generated.tokens)]
        return Decision(
            actions=actions,
            thought=thought,
            raw=raw,
            prompt_ids=tuple(appended),
            tokens=tuple(generated.tokens),
            usage=Usage(prompt_tokens=len(prompt), cached_tokens=cached, output_tokens=len(generated.tokens)),
            seconds=time.perf_counter() - began,
        )

    def _reuse(self, prompt: list[int], static: list[int], deadline: Deadline) -> int:
        """Bring the KV cache to the longest prefix of `prompt` that costs nothing; its length."""
        engine = self.engine
        common = common_prefix(engine.ids, prompt)
        if common < len(engine.ids) and self.settings.reuse == "static":
            common = min(common, len(static))
        engine.keep(min(common, len(prompt) - 2))  # the last ids are always read: their logits choose the next token
        if len(engine.ids) < len(static) < len(prompt):
            return self._static(static, deadline)
        return len(engine.ids)

    def _static(self, static: list[int], deadline: Deadline) -> int:
        """Restore the static prefix from its saved state, or read it and save the state."""
        engine = self.engine
        saved = self._states.load(static) if self.settings.save_state else None
        if saved is not None:
            if engine.restore(saved, static):
                return len(static)
            self._states.drop(static)
        engine.keep(0)
        for at in range(0, len(static), BATCH):
            if deadline.expired or deadline.cancel.cancelled:
                return 0
            engine.feed(static[at : at + BATCH])
        if self.settings.save_state:
            self._states.save(static, engine.state())
        return 0

    def _generate(self, context: ContextView, prompt: list[int], deadline: Deadline) -> Generated:
        settings = self.settings
        matcher = None
        if settings.grammar:
            if self._grammars is None:
                self._grammars = GrammarCache(self.vocabulary.for_grammar)
            matcher, _ = self._grammars.matcher(context.exposed, settings.max_calls, settings.thoughts)
        seed = (settings.seed, context.segment, len(prompt))
        copier = None
        if settings.copy_bias:
            said = dialogue_of(context.pieces)
            copier = Copier(said, context.exposed, self.vocabulary.decode, settings.copy_bias)
        leaning = None
        if settings.tool_bias:
            leaning = Leaning(self.vocabulary.encode, self.vocabulary.decode, settings.tool_bias)
        decoder = Decoder(
            self.engine, matcher, self.vocabulary.end, settings.temperature, seed, copier, leaning, self._told()
        )
        room = self.context_tokens - len(prompt) - MIN_OUTPUT // 2  # forced stretches may overshoot a little
        return decoder.run(prompt[len(self.engine.ids) :], min(settings.max_output_tokens, room), deadline)

    def _told(self) -> Callable[[int], None] | None:
        """Passes tokens on to the listener as text; a character that several tokens make is told whole."""
        tell = self.listener
        if tell is None:
            return None
        reader = codecs.getincrementaldecoder("utf-8")("replace")

        def told(token: int) -> None:
            if token != self.vocabulary.end:
                tell(reader.decode(self.vocabulary.piece(token)))

        return told

    def _raw(self, generated: Generated) -> str:
        """The text without the closing mark; remembered with its ids for the next context."""
        ids = [token.id for token in generated.tokens if token.id != self.vocabulary.end]
        raw = self.vocabulary.decode(ids)
        self._pieces.generated(raw, ids)
        return raw

    def _read(self, raw: str, generated: Generated, context: ContextView) -> tuple[str, tuple[Action, ...]]:
        turn = sum(piece.origin == "model" for piece in context.pieces)
        if generated.end == "closed":
            return parse_decision(raw, f"{context.segment}.{turn}")
        return "", (cut_off(raw, generated.end),)

    def close(self) -> None:
        """Free the model."""
        self.engine.close()


def opened(pieces: Sequence[ContextPiece]) -> list[ContextPiece]:
    """The pieces, ending with the mark after which the planner writes."""
    mark = open_assistant()
    tail = [piece.text for piece in pieces[-len(mark) :]]
    return list(pieces) if tail == [piece.text for piece in mark] else [*pieces, *mark]


def common_prefix(left: Sequence[int], right: Sequence[int]) -> int:
    """Length of the longest common prefix."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(left), len(right)))


def cut_off(raw: str, why: str) -> ParseError:
    """An action that a limit broke off: kept as data, never run."""
    if len(raw) > RAW_KEPT:
        half = RAW_KEPT // 2
        raw = f"{raw[:half]} ... {len(raw) - RAW_KEPT} characters left out ... {raw[-half:]}"
    return ParseError(message=WHY[why], raw=raw, truncated=True)
