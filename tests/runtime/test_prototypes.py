"""What people say for a tool, kept as a few vectors: the file, and what recall does with it."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from memory.sqlite import open_database
from runtime.contract import SetupError, TaskView
from runtime.digests import harness_digest
from runtime.eta import load_eta
from runtime.prototypes import FOLDER, PrototypesManifest, load_prototypes, read_manifest, save_prototypes
from runtime.recall import Recall

MANIFEST = PrototypesManifest(embedder="words", digest="", tools=2, phrasings=5, there=("a",))


def unit(*parts):
    vector = np.array(parts, np.float32)
    return vector / np.linalg.norm(vector)


def test_what_was_saved_is_loaded_for_its_embedder_and_for_no_other(tmp_path):
    kept = {"b": np.stack([unit(3, 4)]), "a": np.stack([unit(1, 0), unit(0, -1)])}
    made = save_prototypes(tmp_path, kept, MANIFEST.model_copy(update={"there": ("a", "b", "c")}))
    loaded = load_prototypes("words", tmp_path)
    assert sorted(loaded) == ["a", "b", "c"]
    assert loaded["c"].shape == (0, 2)
    assert loaded["a"].tolist() == [[1, 0], [0, -1]]
    assert loaded["b"][0] == pytest.approx([0.6, 0.8], abs=0.005)
    assert load_prototypes("another", tmp_path) == {}
    assert read_manifest(tmp_path) == made


@settings(max_examples=30, deadline=None)
@given(arrays(np.float32, (3, 8), elements=st.floats(-1, 1, width=32).filter(lambda x: abs(x) > 0.05)))
def test_a_byte_a_part_keeps_the_direction(tmp_path_factory, vectors):
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    folder = tmp_path_factory.mktemp("kept")
    save_prototypes(folder, {"tool": vectors}, MANIFEST)
    assert np.einsum("ij,ij->i", load_prototypes("words", folder)["tool"], vectors).min() > 0.999


@pytest.mark.parametrize("name", ["vectors.npz", "manifest.json"])
@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no archive", b"\xff\xfe{", b"{}", None])
def test_damaged_files_are_named(tmp_path, name, content):
    save_prototypes(tmp_path, {"a": np.stack([unit(1, 2)])}, MANIFEST)
    (tmp_path / name).unlink() if content is None else (tmp_path / name).write_bytes(content)
    with pytest.raises(SetupError, match=f"`{name}` can't be read"):
        load_prototypes("words", tmp_path)


def test_vectors_of_another_making_are_not_taken(tmp_path):
    save_prototypes(tmp_path, {"a": np.stack([unit(1, 2)])}, MANIFEST)
    manifest = json.loads((tmp_path / "manifest.json").read_text()) | {"digest": "0" * 16}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(SetupError, match="its digest is not the manifest's"):
        load_prototypes("words", tmp_path)


def test_a_field_that_is_wrong_is_named(tmp_path):
    save_prototypes(tmp_path, {"a": np.stack([unit(1, 2)])}, MANIFEST)
    manifest = json.loads((tmp_path / "manifest.json").read_text()) | {"tools": "many"}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(SetupError, match=r"`manifest.json` can't be read .tools: "):
        load_prototypes("words", tmp_path)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_byte_that_turned_is_noticed(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("kept")
    save_prototypes(folder, {"a": np.stack([unit(1, 2)])}, MANIFEST)
    packed = bytearray((folder / "vectors.npz").read_bytes())
    packed[data.draw(st.integers(0, len(packed) - 1))] ^= data.draw(st.integers(1, 255))
    (folder / "vectors.npz").write_bytes(packed)
    with pytest.raises(SetupError, match="its digest is not the manifest's"):
        load_prototypes("words", folder)


def test_the_installed_ones_are_those_of_the_embedder_in_the_package():
    from runtime.wiring import open_embedder, open_recall

    manifest = read_manifest(FOLDER)
    assert manifest.embedder == open_embedder().identity
    kept = load_prototypes(manifest.embedder)
    assert sum(len(one) > 0 for one in kept.values()) == manifest.tools
    assert len(kept) == len(manifest.there) == 227
    assert max(map(len, kept.values())) == manifest.recipe["each"]
    assert sum(source["phrasings"] for source in manifest.data) == manifest.phrasings
    assert open_recall().identity != open_recall(trained=False).identity


def said_for(embedder, tools, **phrases):
    """Prototypes as if `tools` had been there, and people had said these phrases."""
    return {**dict.fromkeys(tools, embedder.embed([])), **{tool: embedder.embed(one) for tool, one in phrases.items()}}


def test_a_tool_is_found_by_what_was_said_for_it(embedder, phone):
    there = [tool.name for tool in phone.tools()]
    spoken = said_for(embedder, there, read_notes=["hand over what i jotted"])
    request = TaskView(request="hand over what i jotted")
    assert Recall(embedder, open_database, prototypes=spoken).rank(request, phone.tools())[0].name == "read_notes"
    assert Recall(embedder, open_database).rank(request, phone.tools())[0].name != "read_notes"


def test_a_tool_that_came_later_keeps_the_place_of_its_own_texts(embedder, phone, make_spec):
    later = make_spec("mcp__shop__pay", {}).model_copy(update={"description": "Settle my debts with the shop."})
    there = [tool.name for tool in phone.tools()]
    phrase = "settle my debts today"
    spoken = said_for(embedder, there, **{name: [f"{phrase} {name}"] for name in there})
    tools, request = [*phone.tools(), later], TaskView(request=phrase)
    assert Recall(embedder, open_database).rank(request, tools)[0] is later
    ranked = Recall(embedder, open_database, prototypes=spoken).rank(request, tools)
    assert (ranked[0] is later, len(ranked)) == (True, len(tools))
    known = Recall(embedder, open_database, prototypes=spoken).rank(request, phone.tools())
    assert ranked[1:] == known


def test_other_prototypes_are_another_recall(embedder):
    kinds = [{}, {"a": np.stack([unit(1, 0)])}, {"a": np.stack([unit(0, 1)])}, {"b": np.stack([unit(1, 0)])}]
    identities = [Recall(embedder, open_database, prototypes=kind).identity for kind in kinds]
    assert len(set(identities)) == 4
    assert all(one.startswith("words ") for one in identities)
    assert Recall(embedder, open_database).identity == identities[0]
    eta = load_eta()
    assert len({harness_digest(eta, {}, one) for one in identities}) == 4
