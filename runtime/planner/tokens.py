"""Text to ids, piece by piece, exactly as the trainer does it.

`control` pieces may become special tokens, `content` never does, and a `model` piece is the ids that the planner itself
generated; replayed from elsewhere it is tokenised as content. No piece gets a beginning-of-text token. Ids never depend
on a neighbouring piece, so a context that grew keeps the ids that it had.
"""

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import llama_cpp as lc
from llguidance import LLTokenizer
from llguidance.llamacpp import lltokenizer_from_vocab

from runtime.contract import ContextPiece
from runtime.planner.engine import Engine


class Vocabulary:
    """The tokenizer of a GGUF file."""

    def __init__(self, vocab: Any) -> None:
        self._vocab = vocab
        self._grammar_tokenizer: LLTokenizer | None = None
        self.end = int(lc.llama_vocab_eos(vocab))
        """Id that ends a turn."""

    def encode(self, text: str, special: bool = False) -> list[int]:
        """Ids of `text`; marks become special tokens only with `special`."""
        data = text.encode(errors="replace")
        size = len(data) + 8
        ids = (lc.llama_token * size)()
        count = lc.llama_tokenize(self._vocab, data, len(data), ids, size, False, special)
        return list(ids[:count])

    def decode(self, ids: Sequence[int]) -> str:
        """Text of `ids`, special tokens included."""
        return b"".join(self.piece(token) for token in ids).decode(errors="replace")

    def piece(self, token: int) -> bytes:
        """Bytes of one token, perhaps a part of a character."""
        buffer = ctypes.create_string_buffer(256)
        count = lc.llama_token_to_piece(self._vocab, token, buffer, 256, 0, True)
        return buffer.raw[:count]

    def of_piece(self, piece: ContextPiece) -> list[int]:
        """Ids of one piece."""
        return self.encode(piece.text, special=piece.origin == "control")

    @property
    def for_grammar(self) -> LLTokenizer:
        """The same vocabulary for llguidance, made once (about 0.2 s)."""
        if self._grammar_tokenizer is None:
            self._grammar_tokenizer = lltokenizer_from_vocab(self._vocab)
        return self._grammar_tokenizer


def vocabulary_of(path: Path) -> tuple[Vocabulary, Engine]:
    """Only the tokenizer of a GGUF file, without its weights. Close the engine when done with it."""
    engine = Engine(path, vocab_only=True)
    return Vocabulary(engine.vocab), engine


class PieceIds:
    """Ids of a growing context: what was tokenised stays, what the planner generated keeps its own ids."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._known: list[tuple[str, str]] = []
        self._ids: list[list[int]] = []

    def ids(self, pieces: Sequence[ContextPiece]) -> list[list[int]]:
        """Ids of each piece. Pieces equal to the remembered ones keep their ids; the rest is tokenised."""
        keys: list[tuple[str, str]] = [(piece.text, piece.origin) for piece in pieces]
        same = next((i for i, (old, new) in enumerate(zip(self._known, keys, strict=False)) if old != new), None)
        same = min(len(self._known), len(keys)) if same is None else same
        self._known = keys
        self._ids = self._ids[:same] + [self._vocabulary.of_piece(piece) for piece in pieces[same:]]
        return self._ids

    def generated(self, raw: str, ids: Sequence[int]) -> None:
        """The planner wrote `raw` after the remembered pieces: the next piece, if it says so, has these ids."""
        self._known = [*self._known, (raw, "model")]
        self._ids = [*self._ids, list(ids)]
