"""The adapter file: low-rank changes as GGUF, so that llama.cpp itself can load it beside the base.

For a tensor `T` of the base it holds `T.lora_a` (rank, in) and `T.lora_b` (out, rank), F16 or Q8_0, and the key
`adapter.lora.alpha`; the change is `alpha / rank * B @ A`.

Rows stand in GGUF's order. For the llama architecture that order differs from transformers' in `attn_q` and `attn_k`,
where the halves of each head's rotary pairs are interleaved: whoever exports from transformers passes the rows of B for
these two through `gguf_row_order`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np
import numpy.typing as npt
from gguf.quants import dequantize, quantize

from runtime.contract import UserError

Floats = npt.NDArray[np.float32]
Q8_BLOCK = 32
"""Q8_0 keeps one scale for so many values of a row."""


@dataclass(frozen=True)
class LowRank:
    """The change of one tensor."""

    a: Floats
    """(rank, in)."""
    b: Floats
    """(out, rank)."""

    def delta(self, alpha: float) -> Floats:
        """(out, in), in the unit of the weights."""
        return np.asarray((alpha / self.a.shape[0]) * (self.b @ self.a), dtype=np.float32)


def gguf_row_order(rows: Floats, heads: int) -> Floats:
    """Rows (out, n) of a query or key projection from transformers' order into GGUF's; `heads` of that projection."""
    out, width = rows.shape
    return rows.reshape(heads, 2, out // heads // 2, width).swapaxes(1, 2).reshape(out, width)


def write_adapter(path: Path, tensors: Mapping[str, LowRank], alpha: float, eight_bit: bool = False) -> None:
    """Write an adapter for the llama architecture; keys are tensor names of the base (`blk.0.attn_q.weight`).

    `eight_bit` stores Q8_0 where a row's length is a multiple of 32, and F16 elsewhere.
    """
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    for name, change in tensors.items():
        for suffix, values in (("lora_a", change.a), ("lora_b", change.b)):
            if eight_bit and values.shape[1] % Q8_BLOCK == 0:
                kind = gguf.GGMLQuantizationType.Q8_0
                writer.add_tensor(f"{name}.{suffix}", quantize(values, kind), raw_dtype=kind)
            else:
                writer.add_tensor(f"{name}.{suffix}", values.astype(np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def read_adapter(path: Path) -> tuple[dict[str, LowRank], float]:
    """Tensor name -> change, and alpha; `UserError` when the file is no adapter."""
    reader = gguf.GGUFReader(path)
    alpha = reader.get_field("adapter.lora.alpha")
    values = {tensor.name: dequantize(tensor.data, tensor.tensor_type) for tensor in reader.tensors}
    names = sorted({name.rpartition(".")[0] for name in values})
    whole = all({f"{name}.lora_a", f"{name}.lora_b"} <= set(values) for name in names)
    if alpha is None or not names or not whole:
        raise UserError(f"`{path}` is no LoRA adapter in GGUF. Name the adapter file of a checkpoint.")
    changes = {
        name: LowRank(np.asarray(values[f"{name}.lora_a"]), np.asarray(values[f"{name}.lora_b"])) for name in names
    }
    return changes, float(alpha.contents())
