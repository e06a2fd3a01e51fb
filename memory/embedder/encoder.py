"""One ONNX sentence encoder: tokens by `tokenizers`, vectors by onnxruntime.

1. A text is cut at `max_tokens`, and the cut is told to the caller.
2. Each text runs alone. Dynamic int8 takes one activation scale per run, so in a batch a text's vector would hang on
   what stands beside it (cosine down to .96, measured), and batches of 32 would save only a quarter of the time.
3. The session is set for a small device: no memory pattern, no spinning threads. The arena stays: single texts
   bound it (15 MB more after a full-length one), and without it malloc's leftovers came to between 14 and 60 MB.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt

from runtime.contract.errors import SetupError

Vectors = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]

MAX_CHARACTERS = 16_384
"""A text is cut here before it is tokenised (64 characters a token): a megabyte costs no more than a page."""


class Session(Protocol):
    """The part of onnxruntime's `InferenceSession` that is used here."""

    def run(self, output_names: list[str] | None, input_feed: dict[str, Ids]) -> list[Vectors]:
        """Values of the named outputs."""
        ...


class TokenIds(Protocol):
    """The part of a tokenizers `Encoding` that is used here."""

    @property
    def ids(self) -> list[int]:
        """Token ids, markers included."""
        ...

    @property
    def overflowing(self) -> list["TokenIds"]:
        """What the cut left out, in pieces."""
        ...


class Tokenizer(Protocol):
    """The part of a tokenizers `Tokenizer` that is used here."""

    def no_padding(self) -> None:
        """Texts keep their own length."""
        ...

    def enable_truncation(self, max_length: int) -> None:
        """Cut at `max_length` ids, keeping the end marker."""
        ...

    def encode(self, sequence: str) -> TokenIds:
        """Ids of one text."""
        ...


def open_session(model: Path, threads: int) -> Session:
    """An onnxruntime session over `model` on `threads` CPU threads, tuned for little memory."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        # By path, so that the weights beside the graph are mapped.
        return cast(Session, onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"]))
    except Exception as error:  # onnxruntime's exceptions share no base class of their own
        reason = str(error).splitlines()[0][:200]
        raise SetupError(f"onnxruntime can't open `{model}`: {reason}. Reinstall pocketplanner.") from error


def open_tokenizer(path: Path, max_tokens: int) -> Tokenizer:
    """The tokenizer at `path`, cutting at `max_tokens`, without padding."""
    import tokenizers

    try:
        tokenizer = cast(Tokenizer, tokenizers.Tokenizer.from_file(str(path)))
    except Exception as error:  # tokenizers raises plain `Exception`
        reason = str(error).splitlines()[0][:200]
        raise SetupError(f"tokenizers can't read `{path}`: {reason}. Reinstall pocketplanner.") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=max_tokens)
    return tokenizer


class Encoder:
    """An opened model with its tokenizer."""

    def __init__(self, model: Path, tokenizer: Path, max_tokens: int, threads: int) -> None:
        """Open both files; a damaged one is a `SetupError`."""
        self._session = open_session(model, threads)
        self._tokenizer = open_tokenizer(tokenizer, max_tokens)

    def ids(self, text: str) -> tuple[list[int], bool]:
        """Token ids of `text`, and whether something was cut."""
        # A lone surrogate is no text for the tokenizer; it becomes "?".
        readable = text[:MAX_CHARACTERS].encode("utf-8", "replace").decode()
        encoded = self._tokenizer.encode(readable)
        return encoded.ids, bool(encoded.overflowing) or len(text) > MAX_CHARACTERS

    def vectors(self, texts: Sequence[str], dimension: int) -> tuple[Vectors, int]:
        """Unit vectors (len(texts), dimension), and how many of the texts were cut."""
        out = np.empty((len(texts), dimension), dtype=np.float32)
        cut = 0
        for row, text in enumerate(texts):
            ids, was_cut = self.ids(text)
            out[row] = self._one(ids)
            cut += was_cut
        return out, cut

    def _one(self, ids: list[int]) -> Vectors:
        tokens: Ids = np.array([ids], dtype=np.int64)
        vector: Vectors = self._session.run(None, {"input_ids": tokens, "attention_mask": np.ones_like(tokens)})[0][0]
        return vector
