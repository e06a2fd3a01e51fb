"""A LoRA under transformers' names becomes changes under GGUF's, rows in GGUF's order."""

from pathlib import Path

import numpy as np
import pytest

from runtime.contract import SetupError
from runtime.planner.adapters import read_adapter, write_adapter
from trainer.export import low_rank_changes

PREFIX = "base_model.model.model.layers.3."


def test_names_and_rows() -> None:
    a = np.ones((2, 4), dtype=np.float32)
    b = np.arange(16, dtype=np.float32).reshape(8, 2)
    weights = {
        PREFIX + "self_attn.q_proj.lora_A.weight": a,
        PREFIX + "self_attn.q_proj.lora_B.weight": b,
        PREFIX + "mlp.down_proj.lora_A.weight": a,
        PREFIX + "mlp.down_proj.lora_B.weight": b,
    }
    changes = low_rank_changes(weights, heads=2, kv_heads=1)
    assert sorted(changes) == ["blk.3.attn_q.weight", "blk.3.ffn_down.weight"]
    # two heads of four rows: within a head the halves (0 1 | 2 3) are interleaved to 0 2 1 3
    assert changes["blk.3.attn_q.weight"].b[:, 0].tolist() == [0, 4, 2, 6, 8, 12, 10, 14]
    assert changes["blk.3.ffn_down.weight"].b.tolist() == b.tolist()


def test_other_weights_are_refused() -> None:
    with pytest.raises(SetupError, match=r"lm_head"):
        low_rank_changes({"base_model.model.lm_head.lora_A.weight": np.ones((2, 2), dtype=np.float32)}, 1, 1)


def test_the_file_reads_back(tmp_path: Path) -> None:
    weights = {
        PREFIX + "mlp.up_proj.lora_A.weight": np.full((2, 4), 0.5, dtype=np.float32),
        PREFIX + "mlp.up_proj.lora_B.weight": np.full((8, 2), 0.25, dtype=np.float32),
    }
    write_adapter(tmp_path / "adapter.gguf", low_rank_changes(weights, 1, 1), alpha=4)
    changes, alpha = read_adapter(tmp_path / "adapter.gguf")
    # delta = alpha / rank * B A = 4 / 2 * (0.25 * 0.5 * 2) = 0.5 everywhere
    assert np.allclose(changes["blk.3.ffn_up.weight"].delta(alpha), 0.5)
