"""A thin hold on llama.cpp: one model, one sequence, the ids that its KV cache holds, logits where asked.

`Engine` knows nothing of contexts, grammars or tools. llama.cpp's own log is kept back; its last errors become the
reason in our messages. Weights are mapped from the file, so they count once however many processes share it.

Flash attention is off: with it the logits of a prompt change with the way in which it is split into batches (by up to
0.7, measured), without it they are equal to the last bit for all batches of two and more. So an episode does not depend
on how much of its prompt was cached.
"""

import ctypes
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import llama_cpp as lc
import numpy as np
import numpy.typing as npt

from runtime.contract import InfrastructureError, UserError

Logits = npt.NDArray[np.float32]

BATCH = 256
"""Tokens of one call into llama.cpp. Without flash attention a batch attends over all that the cache holds at its end:
a prompt of 430 tokens costs 0.97 CPU seconds in one batch of 512, 0.93 in batches of 256 and 0.95 in batches of 128."""
OUTPUTS = 64
"""Most rows of logits of one call; llama.cpp sizes its buffers by it."""
GGUF_MAGIC, GGUF_VERSIONS = b"GGUF", (2, 3)
ADAPTER = b"general.type" + (8).to_bytes(4, "little") + (7).to_bytes(8, "little") + b"adapter"
"""The entry of a GGUF's header (key, type text, length, text) that says what the file is."""
HEADER_BYTES = 65536
"""That entry stands among the first."""
LEVEL_ERROR = 4

_errors: deque[str] = deque(maxlen=8)


@lc.llama_log_callback  # type: ignore[untyped-decorator]
def _keep_errors(level: int, text: bytes, _user: Any) -> None:
    if level == LEVEL_ERROR:
        _errors.append(text.decode(errors="replace").strip())


def _silence() -> None:
    lc.llama_log_set(_keep_errors, ctypes.c_void_p(0))
    _errors.clear()


def check_gguf(path: Path) -> None:
    """Refuse what is plainly no GGUF file (`UserError`), before llama.cpp reads it."""
    if not path.is_file():
        raise UserError(f"`{path}` is not a file. Name a GGUF file, or use `--planner embedded`.")
    with path.open("rb") as file:
        head = file.read(24)
    version = int.from_bytes(head[4:8], "little")
    if head[:4] != GGUF_MAGIC:
        raise UserError(f"`{path}` is no GGUF file: it begins with {head[:4]!r}, not {GGUF_MAGIC!r}. Name a GGUF file.")
    if len(head) < 24 or version not in GGUF_VERSIONS:
        raise UserError(f"`{path}` has GGUF version {version} and {path.stat().st_size} bytes; 2 and 3 are read.")


def refuse_adapter(path: Path) -> None:
    """A LoRA adapter is no model (`UserError`); llama.cpp would only miss some tensor."""
    with path.open("rb") as file:
        if ADAPTER in file.read(HEADER_BYTES):
            raise UserError(
                f"`{path}` is a LoRA adapter, not a model: it changes the base that it was trained on. Merge it into "
                "that base (`llama-export-lora` of llama.cpp) and name the merged file, or use `--planner embedded`."
            )


class Engine:
    """One loaded model with a KV cache for one sequence."""

    def __init__(self, path: Path, *, threads: int = 2, context_tokens: int = 4096, vocab_only: bool = False) -> None:
        """Load `path`; `UserError` when it is no whole GGUF model. `vocab_only` gives a tokenizer in a few MB."""
        check_gguf(path)
        refuse_adapter(path)
        _silence()
        lc.llama_backend_init()
        params = lc.llama_model_default_params()
        params.vocab_only = vocab_only
        self.path = path
        self.context_tokens = context_tokens
        self.ids: list[int] = []
        self._context: Any = None
        self._model = lc.llama_model_load_from_file(str(path).encode(), params)
        if not self._model:
            raise UserError(f"`{path}` can't be loaded: {_reason()}. Is it whole? Copy or download it again.")
        self.vocab = lc.llama_model_get_vocab(self._model)
        self.vocab_size = int(lc.llama_vocab_n_tokens(self.vocab))
        if not vocab_only:
            self._open(threads)

    def _open(self, threads: int) -> None:
        params = lc.llama_context_default_params()
        params.n_ctx = self.context_tokens
        params.n_batch = params.n_ubatch = min(BATCH, self.context_tokens)
        params.n_outputs_max = OUTPUTS
        params.n_threads = params.n_threads_batch = threads
        params.no_perf = True
        params.flash_attn_type = lc.LLAMA_FLASH_ATTN_TYPE_DISABLED
        self._context = lc.llama_init_from_model(self._model, params)
        if not self._context:
            raise UserError(
                f"no context of {self.context_tokens} tokens for `{self.path}`: {_reason()}. "
                "Lower `planner.context_tokens`."
            )
        self._memory = lc.llama_get_memory(self._context)
        self._batch = lc.llama_batch_init(BATCH, 0, 1)
        self._tokens = np.ctypeslib.as_array(self._batch.token, (BATCH,))
        self._positions = np.ctypeslib.as_array(self._batch.pos, (BATCH,))
        self._wanted = np.ctypeslib.as_array(self._batch.logits, (BATCH,))
        for index in range(BATCH):
            self._batch.n_seq_id[index] = 1
            self._batch.seq_id[index][0] = 0

    def use_adapter(self, path: Path, scale: float = 1.0) -> None:
        """Add a LoRA adapter (GGUF) beside the base; `UserError` when it does not fit."""
        check_gguf(path)
        adapter = lc.llama_adapter_lora_init(self._model, str(path).encode())
        if not adapter:
            raise UserError(f"adapter `{path}` does not fit `{self.path.name}`: {_reason()}. Assemble it again.")
        adapters = (lc.llama_adapter_lora_p_ctypes * 1)(adapter)
        lc.llama_set_adapters_lora(self._context, adapters, 1, (ctypes.c_float * 1)(scale))
        self.keep(0)

    def keep(self, count: int) -> None:
        """Shorten the KV cache to its first `count` tokens."""
        if count < len(self.ids):
            lc.llama_memory_seq_rm(self._memory, 0, count, -1)
            del self.ids[count:]

    def feed(self, ids: Sequence[int], rows: int = 0) -> Logits:
        """Append `ids` (at most BATCH) to the cache; logits (rows, vocab) after each of the last `rows` ids.

        The result is a view that the next call overwrites. `InfrastructureError` when llama.cpp fails; what the cache
        holds is then unknown, so it is emptied.
        """
        count, start = len(ids), len(self.ids)
        if count > BATCH or rows > min(OUTPUTS, count) or start + count > self.context_tokens:
            raise InfrastructureError(
                f"{start} + {count} tokens with {rows} rows of logits do not fit the window of {self.context_tokens}"
            )
        self._tokens[:count] = ids
        self._positions[:count] = np.arange(start, start + count)
        self._wanted[:count] = 0
        self._wanted[count - rows : count] = 1
        self._batch.n_tokens = count
        status = lc.llama_decode(self._context, self._batch)
        if status != 0:
            lc.llama_memory_clear(self._memory, True)
            self.ids.clear()
            raise InfrastructureError(f"llama.cpp could not read {count} tokens (status {status}): {_reason()}")
        self.ids.extend(ids)
        if not rows:
            return np.empty((0, self.vocab_size), np.float32)
        return np.ctypeslib.as_array(lc.llama_get_logits(self._context), (rows, self.vocab_size))

    def state(self) -> bytes:
        """The sequence's KV cache as bytes."""
        size = lc.llama_state_seq_get_size(self._context, 0)
        buffer = (ctypes.c_uint8 * size)()
        written = lc.llama_state_seq_get_data(self._context, buffer, size, 0)
        return bytes(memoryview(buffer)[:written])

    def restore(self, state: bytes, ids: Sequence[int]) -> bool:
        """Replace the cache by a state that `state()` gave for `ids`; False (and an empty cache) when it is refused."""
        self.keep(0)
        buffer = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
        if lc.llama_state_seq_set_data(self._context, buffer, len(state), 0) == 0:
            lc.llama_memory_clear(self._memory, True)
            return False
        self.ids = list(ids)
        return True

    def close(self) -> None:
        """Free the model; further calls are an error."""
        if self._context:
            lc.llama_batch_free(self._batch)
            lc.llama_free(self._context)
            self._context = None
        if self._model:
            lc.llama_model_free(self._model)
            self._model = None


def _reason() -> str:
    """llama.cpp's own words; the most telling line comes first among its errors."""
    return _errors[0] if _errors else "llama.cpp gave no reason"
