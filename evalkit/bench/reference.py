"""llama.cpp's own loop on the same file: what the planner's reading and writing are measured against.

Nothing of ours stands between its calls: a context with llama.cpp's default parameters (only window and threads are
the planner's), `llama_decode` over whole batches to read, and its greedy sampler with one token a call to write.
"""

import ctypes
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import llama_cpp as lc

from runtime.contract import SetupError


class Reference:
    """One model and context of llama.cpp."""

    def __init__(self, path: Path, threads: int, context_tokens: int) -> None:
        """Load the file; `SetupError` when it can't be."""
        lc.llama_backend_init()
        params = lc.llama_context_default_params()
        params.n_ctx, params.n_threads, params.n_threads_batch, params.no_perf = context_tokens, threads, threads, True
        self._model = lc.llama_model_load_from_file(str(path).encode(), lc.llama_model_default_params())
        self._context: Any = lc.llama_init_from_model(self._model, params) if self._model else None
        if not self._context:
            raise SetupError(f"`{path.name}` can't be loaded a second time. Free some memory.")
        self._batch = int(lc.llama_n_batch(self._context))
        self._sampler = lc.llama_sampler_init_greedy()

    def read(self, ids: Sequence[int]) -> float:
        """Wall seconds to read `ids` into an empty cache."""
        lc.llama_memory_clear(lc.llama_get_memory(self._context), True)
        start = time.perf_counter()
        for at in range(0, len(ids), self._batch):
            self._decode(ids[at : at + self._batch])
        lc.llama_synchronize(self._context)
        return time.perf_counter() - start

    def write(self, count: int) -> float:
        """Wall seconds to write `count` tokens after what was read, greedily."""
        start = time.perf_counter()
        for _ in range(count):
            self._decode([lc.llama_sampler_sample(self._sampler, self._context, -1)])
        lc.llama_synchronize(self._context)
        return time.perf_counter() - start

    def _decode(self, ids: Sequence[int]) -> None:
        tokens = (lc.llama_token * len(ids))(*ids)
        status = lc.llama_decode(self._context, lc.llama_batch_get_one(tokens, ctypes.c_int32(len(ids))))
        if status != 0:
            raise SetupError(f"llama.cpp could not read {len(ids)} tokens (status {status}).")

    def close(self) -> None:
        """Free model and context."""
        lc.llama_sampler_free(self._sampler)
        lc.llama_free(self._context)
        lc.llama_model_free(self._model)
