"""The best local file of base and checkpoint: merged tensor by tensor into Q8_0, once, in the user's data folder.

    base (Q4_1) -> float32 -> + alpha / rank * B @ A -> Q8_0 -> new GGUF

Q8_0 because re-quantising a fine-tune of this base to 4 bits snaps every code back to the base's grid and erases it,
and because llama.cpp reads a prompt twice as fast from Q8_0 as from Q4_1. One tensor is in memory at a time. The file
is written beside its place and renamed; its name holds both digests, so that another base or adapter makes another one.
"""

import contextlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from gguf.quants import dequantize, quantize

from runtime.contract import SetupError, UserError
from runtime.planner.adapters import LowRank, read_adapter

Progress = Callable[[int, int], None]
"""Told (tensors done, tensors in all)."""
Q8 = gguf.GGMLQuantizationType.Q8_0
KEEP = {gguf.GGMLQuantizationType.F32, Q8}
"""Kinds that are copied where the adapter does not touch them."""
FILE_TYPE_Q8 = 7
"""llama.cpp's number for a file that is mostly Q8_0."""


def assemble_model(base: Path, adapter: Path, target: Path, progress: Progress | None = None) -> Path:
    """Write `target` from `base` and `adapter` unless it is there; `UserError` when it can't be written."""
    if target.is_file():
        return target
    changes, alpha = read_adapter(adapter)
    part = target.with_name(f".part-{os.getpid()}-{target.name}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _merge(base, changes, alpha, part, progress)
        part.replace(target)
    except OSError as error:
        raise UserError(
            f"the model can't be written to `{target.parent}` ({error.strerror or error}). It needs about 150 MB: free "
            "them, or set POCKET_HOME to a folder that can be written."
        ) from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
    return target


def _merge(base: Path, changes: Mapping[str, LowRank], alpha: float, part: Path, progress: Progress | None) -> None:
    reader = gguf.GGUFReader(base)
    unknown = sorted(set(changes) - {tensor.name for tensor in reader.tensors})
    if unknown:
        raise SetupError(f"the adapter changes `{unknown[0]}`, which `{base.name}` does not have. Use its own base.")
    writer = gguf.GGUFWriter(part, "llama")
    _copy_keys(reader, writer)
    for tensor in reader.tensors:
        kind = tensor.tensor_type if _stays(tensor, changes) else Q8
        shape = [int(size) for size in reversed(tensor.shape)]
        size = gguf.quant_shape_to_byte_shape(shape, kind) if kind == Q8 else tensor.data.shape
        dtype = np.dtype(np.uint8 if kind == Q8 else np.float32)
        writer.add_tensor_info(tensor.name, size, dtype, int(np.prod(size)) * dtype.itemsize, kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for done, tensor in enumerate(reader.tensors, 1):
        writer.write_tensor_data(tensor.data if _stays(tensor, changes) else _merged(tensor, changes, alpha))
        if progress is not None:
            progress(done, len(reader.tensors))
    writer.close()


def _stays(tensor: Any, changes: Mapping[str, LowRank]) -> bool:
    return tensor.name not in changes and tensor.tensor_type in KEEP


def _merged(tensor: Any, changes: Mapping[str, LowRank], alpha: float) -> np.ndarray[Any, Any]:
    """Q8_0 bytes of one changed tensor."""
    weights = np.array(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)
    change = changes.get(tensor.name)
    if change is not None:
        delta = change.delta(alpha)
        if delta.shape != weights.shape:
            raise SetupError(
                f"the adapter's `{tensor.name}` has shape {delta.shape}, the base's {weights.shape}. Use its own base."
            )
        weights += delta
    return np.asarray(quantize(weights, Q8))


def _copy_keys(reader: gguf.GGUFReader, writer: gguf.GGUFWriter) -> None:
    """All metadata of the base; only the file type changes."""
    for field in reader.fields.values():
        if field.name.startswith("GGUF.") or field.name in ("general.architecture", "general.file_type"):
            continue
        kind = field.types[0]
        inner = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, field.contents(), kind, sub_type=inner)
    writer.add_file_type(FILE_TYPE_Q8)
