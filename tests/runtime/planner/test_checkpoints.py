"""Adapter file, manifest and the assembled model."""

import gguf
import numpy as np
import pytest
from gguf.quants import dequantize

from runtime.contract import Deadline, SetupError, UserError
from runtime.planner import checkpoints, embedded
from runtime.planner.adapters import LowRank, gguf_row_order, read_adapter, write_adapter
from runtime.planner.assemble import assemble_model
from runtime.planner.checkpoints import Manifest, choose, installed, read_manifest, write_manifest
from runtime.planner.llama import LlamaPlanner
from runtime.planner.settings import PlannerSettings, cache_folder, data_folder
from runtime.planner.states import file_digest
from tests.runtime.planner.conftest import view_of

NAME = "blk.3.attn_v.weight"  # (192, 576) in the base


def change(rank: int = 4, out: int = 192, width: int = 576) -> LowRank:
    random = np.random.default_rng(0)
    return LowRank(
        (random.standard_normal((rank, width)) * 0.1).astype(np.float32),
        (random.standard_normal((out, rank)) * 0.1).astype(np.float32),
    )


def test_delta_is_scaled_by_alpha_over_rank():
    low = LowRank(np.array([[1.0, 2.0]], np.float32), np.array([[3.0], [5.0]], np.float32))
    assert low.delta(2.0).tolist() == [[6.0, 12.0], [10.0, 20.0]]  # 2 / 1 * b a


def test_row_order_interleaves_the_halves_of_each_head():
    rows = np.arange(8, dtype=np.float32).reshape(8, 1)  # two heads of four rows
    assert gguf_row_order(rows, 2).ravel().tolist() == [0, 2, 1, 3, 4, 6, 5, 7]


def test_an_adapter_comes_back(tmp_path):
    low = change(rank=32)
    for eight_bit, tolerance in ((False, 1e-3), (True, 5e-3)):
        write_adapter(tmp_path / "a.gguf", {NAME: low}, alpha=16.0, eight_bit=eight_bit)
        changes, alpha = read_adapter(tmp_path / "a.gguf")
        assert alpha == 16.0
        assert changes[NAME].a == pytest.approx(low.a, abs=tolerance)
        assert changes[NAME].b == pytest.approx(low.b, abs=tolerance)


@pytest.mark.model
def test_a_model_is_no_adapter(base):
    with pytest.raises(UserError, match="is no LoRA adapter"):
        read_adapter(base)


@pytest.mark.model
def test_merging_adds_the_change_and_keeps_the_rest(base, tmp_path):
    low = change()
    write_adapter(tmp_path / "a.gguf", {NAME: low}, alpha=8.0)
    seen = []
    target = assemble_model(
        base, tmp_path / "a.gguf", tmp_path / "m.gguf", lambda done, total: seen.append((done, total))
    )
    before, after = gguf.GGUFReader(base), gguf.GGUFReader(target)
    assert seen[-1] == (272, 272)
    tensors = {tensor.name: tensor for tensor in after.tensors}
    for tensor in (before.tensors[0], before.tensors[1]):  # Q8_0 and F32: copied
        assert np.array_equal(tensors[tensor.name].data, tensor.data)
    old = next(tensor for tensor in before.tensors if tensor.name == NAME)
    expected = dequantize(old.data, old.tensor_type) + 2.0 * low.b @ low.a
    assert tensors[NAME].tensor_type == gguf.GGMLQuantizationType.Q8_0
    assert dequantize(tensors[NAME].data, tensors[NAME].tensor_type) == pytest.approx(expected, abs=0.02)
    assert after.get_field("tokenizer.ggml.model").contents() == "gpt2"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".part")] == []


@pytest.mark.model
def test_merged_and_beside_the_base_say_nearly_the_same(base, tmp_path):
    write_adapter(tmp_path / "a.gguf", {NAME: change()}, alpha=40.0)
    merged = assemble_model(base, tmp_path / "a.gguf", tmp_path / "m.gguf")
    small = PlannerSettings(threads=1, context_tokens=512, max_output_tokens=32)
    scores = []
    for path, adapter in ((base, None), (base, tmp_path / "a.gguf"), (merged, None)):
        planner = LlamaPlanner(path, small, adapter=adapter)
        ids = planner.vocabulary.encode("turn on the light")
        scores.append(planner.engine.feed(ids, 1)[0].copy())
        planner.close()
    plain, beside, together = scores
    assert np.abs(together - beside).mean() < np.abs(plain - beside).mean() / 2


@pytest.mark.model
def test_an_adapter_of_another_base_is_refused(base, tmp_path):
    write_adapter(tmp_path / "a.gguf", {"blk.99.attn_v.weight": change()}, alpha=8.0)
    with pytest.raises(SetupError, match=r"blk.99.attn_v.weight.*does not have"):
        assemble_model(base, tmp_path / "a.gguf", tmp_path / "m.gguf")
    write_adapter(tmp_path / "b.gguf", {NAME: change(out=64)}, alpha=8.0)
    with pytest.raises(SetupError, match=r"shape \(64, 576\)"):
        assemble_model(base, tmp_path / "b.gguf", tmp_path / "m.gguf")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.gguf", "b.gguf"]


@pytest.mark.model
def test_a_folder_that_can_not_be_written_is_the_user_s_to_free(base, tmp_path):
    write_adapter(tmp_path / "a.gguf", {NAME: change()}, alpha=8.0)
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UserError, match="POCKET_HOME"):
        assemble_model(base, tmp_path / "a.gguf", tmp_path / "file" / "m.gguf")


def manifest(name: str, made_at: str, base_digest: str = "0" * 16, adapter_digest: str = "1" * 16) -> Manifest:
    return Manifest(
        name=name,
        made_at=made_at,
        base="SmolLM2-135M-Instruct",
        base_digest=base_digest,
        adapter="adapter.gguf",
        adapter_digest=adapter_digest,
    )


def test_the_newest_checkpoint_is_chosen(tmp_path):
    assert choose("", tmp_path) is None
    for name, made_at in (("b", "2026-01-01T00:00:00"), ("a", "2026-02-01T00:00:00")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "adapter.gguf").write_bytes(b"x")
        write_manifest(tmp_path / name, manifest(name, made_at))
    assert [path.name for path in installed(tmp_path)] == ["b", "a"]
    assert choose("", tmp_path).name == "a"
    assert choose("b", tmp_path).name == "b"
    with pytest.raises(UserError, match=r"no checkpoint `c`.*installed: `b`, `a`"):
        choose("c", tmp_path)


def test_a_broken_checkpoint_says_so(tmp_path):
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(SetupError, match="can't be read"):
        read_manifest(tmp_path)
    write_manifest(tmp_path, manifest("x", "2026"))
    with pytest.raises(SetupError, match=r"lacks its file `adapter\.gguf`"):
        read_manifest(tmp_path)


@pytest.mark.model
def test_the_embedded_planner_is_assembled_once(base, tmp_path, monkeypatch):
    folder = tmp_path / "checkpoints" / "tiny"
    folder.mkdir(parents=True)
    write_adapter(folder / "adapter.gguf", {NAME: change()}, alpha=8.0)
    digests = [file_digest(path, cache_folder()) for path in (base, folder / "adapter.gguf")]
    write_manifest(folder, manifest("tiny", "2026", *digests).model_copy(update={"recipe": {"likely": 3}}))
    monkeypatch.setattr(embedded, "choose", lambda name: checkpoints.choose(name, folder.parent))
    old = data_folder() / "models" / f"tiny-{'0' * 16}-{'0' * 16}.gguf"
    old.parent.mkdir(parents=True)
    old.write_bytes(b"an earlier version")
    planner = embedded.open_embedded(PlannerSettings(threads=1, context_tokens=512))
    assert planner.identity.startswith("embedded-tiny@")
    assert planner.likely == 3
    assert planner.decide(view_of("turn on the light"), Deadline(120)).tokens
    planner.close()
    made = list((data_folder() / "models").iterdir())
    assert [path.name for path in made] == [f"tiny-{digests[0]}-{digests[1]}.gguf"]
    stamp = made[0].stat().st_mtime_ns
    assert embedded.embedded_file(folder).stat().st_mtime_ns == stamp
    write_manifest(folder, manifest("tiny", "2026", digests[0], "f" * 16))
    with pytest.raises(SetupError, match="belongs to base"):
        embedded.embedded_file(folder)


@pytest.mark.model
def test_without_a_checkpoint_the_base_serves_with_a_warning(monkeypatch, caplog):
    monkeypatch.setattr(embedded, "choose", lambda name: None)
    planner = embedded.open_embedded(PlannerSettings(threads=1, context_tokens=512))
    planner.close()
    assert planner.identity.startswith("base@")
    assert "untrained base" in caplog.text
