"""From a trained LoRA to the adapter file that a checkpoint ships.

Row order: llama.cpp interleaves the halves of each rotary pair in queries and keys, so the rows of B for `attn_q` and
`attn_k` are reordered (runtime/planner/adapters.py). The adapter stays in 16 bits beside its base: re-quantising a
fine-tune of this base to four bits erases it.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from runtime.contract import SetupError
from runtime.planner.adapters import LowRank, gguf_row_order, write_adapter

NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
"""transformers' names of the linear layers and llama.cpp's."""
LORA_KEY = re.compile(r"layers\.(\d+)\.([\w.]+?)\.lora_([AB])\.(?:default\.)?weight$")


def low_rank_changes(weights: Mapping[str, npt.NDArray[np.float32]], heads: int, kv_heads: int) -> dict[str, LowRank]:
    """LoRA weights under PEFT's names to changes under GGUF's tensor names, rows in GGUF's order."""
    halves: dict[str, dict[str, npt.NDArray[np.float32]]] = {}
    for key, value in weights.items():
        found = LORA_KEY.search(key)
        if found is None or found[2] not in NAMES:
            raise SetupError(f"`{key}` is no LoRA weight of a llama layer; only its linear layers can be exported")
        halves.setdefault(f"blk.{found[1]}.{NAMES[found[2]]}.weight", {})[found[3]] = value
    return {name: _change(name, half, heads, kv_heads) for name, half in sorted(halves.items())}


def _change(name: str, half: Mapping[str, npt.NDArray[np.float32]], heads: int, kv_heads: int) -> LowRank:
    b = half["B"]
    if "attn_q" in name or "attn_k" in name:
        b = gguf_row_order(b, heads if "attn_q" in name else kv_heads)
    return LowRank(a=half["A"], b=b)


def export_adapter(folder: Path, target: Path, base_config: Path) -> Path:
    """Write the GGUF adapter of a PEFT folder (`adapter_model.safetensors`, `adapter_config.json`) to `target`.

    `base_config` holds the shape of the base, as the training saved it.
    """
    import json

    from safetensors.numpy import load_file

    config: dict[str, Any] = json.loads((folder / "adapter_config.json").read_text())
    model: dict[str, Any] = json.loads(base_config.read_text())
    weights = {
        name: value.astype(np.float32) for name, value in load_file(folder / "adapter_model.safetensors").items()
    }
    changes = low_rank_changes(weights, model["num_attention_heads"], model["num_key_value_heads"])
    write_adapter(target, changes, float(config["lora_alpha"]))
    return target
