"""What the embedder costs and how near it stays to fp32: `python -m memory.embedder.measure`.

1. Cost, in a fresh process: import, load, a short query, a text at the token limit, resident memory.
2. Agreement with an fp32 graph of the same model (`--reference`, kept by `export`), over texts that a person said
   (`--utterances`, a folder of JSONL files with a `text` in each row).
Times are CPU time of this process, medians of several runs.
"""

import hashlib
import json
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer

from memory.embedder.encoder import Encoder, Vectors
from memory.embedder.manifest import Agreement, Manifest
from memory.embedder.onnx import MiniLmEmbedder

SAMPLE = 500
QUERIES = (
    "wake me at half past seven tomorrow and call it morning run",
    "turn the bluetooth off",
    "what is on my calendar on friday afternoon",
    "send a message to Anna that I will be ten minutes late",
    "how much battery is left",
    "play something quiet in the kitchen",
    "add oat milk and bread to the shopping list",
    "navigate to the nearest pharmacy",
)


def sample_texts(folder: Path, count: int = SAMPLE) -> list[str]:
    """`count` different texts out of the JSONL files in `folder`, chosen by hash so that every run takes the same."""
    files = sorted(folder.glob("*.jsonl"))
    texts = {json.loads(line)["text"] for path in files for line in path.read_text(encoding="utf-8").splitlines()}
    return sorted(texts, key=lambda text: hashlib.sha256(text.encode()).digest())[:count]


def agreement(ours: Vectors, reference: Vectors, source: str) -> Agreement:
    """Compare two sets of unit vectors (texts, dimension) of the same texts, row by row."""
    cosine = np.einsum("ij,ij->i", ours, reference)
    return Agreement(
        texts=len(ours),
        source=source,
        cosine_mean=round(float(cosine.mean()), 4),
        cosine_p01=round(float(np.quantile(cosine, 0.01)), 4),
        cosine_min=round(float(cosine.min()), 4),
        nearest_kept=round(float((_nearest(ours) == _nearest(reference)).mean()), 4),
    )


def against_reference(
    manifest: Manifest, folder: Path, reference: Path, texts: Sequence[str], source: str
) -> Agreement:
    """Agreement of the model in `folder` with the fp32 graph at `reference` over `texts`."""
    tokenizer = folder / manifest.tokenizer.name
    both = [
        Encoder(path, tokenizer, manifest.max_tokens, threads=1).vectors(texts, manifest.dimension)[0]
        for path in (folder / manifest.graph.name, reference)
    ]
    return agreement(both[0], both[1], source)


def cost() -> dict[str, float]:
    """Time and memory of the shipped embedder in this process, which must not have loaded it before."""
    before, start = memory_mb("VmRSS"), time.process_time()
    embedder = MiniLmEmbedder()
    embedder.embed(["a"])
    load = time.process_time() - start
    query = statistics.median(_cpu_ms(embedder, text) for text in QUERIES * 10)
    short = memory_mb("VmRSS")
    long = " ".join(QUERIES * 8)
    return {
        "load_cpu_s": round(load, 3),
        "query_cpu_ms": round(query, 2),
        "full_length_cpu_ms": round(statistics.median(_cpu_ms(embedder, long) for _ in range(9)), 1),
        "rss_before_mb": round(before, 1),
        "rss_short_mb": round(short, 1),
        "rss_peak_mb": round(memory_mb("VmHWM"), 1),
    }


def memory_mb(field: str) -> float:
    """A memory field of this process (`VmRSS` now, `VmHWM` highest), in MB of 1,048,576 bytes; Linux only."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    return float("nan")


def _cpu_ms(embedder: MiniLmEmbedder, text: str) -> float:
    start = time.process_time()
    embedder.embed([text])
    return (time.process_time() - start) * 1000


def _nearest(vectors: Vectors) -> npt.NDArray[np.intp]:
    similarity: Vectors = vectors @ vectors.T
    np.fill_diagonal(similarity, -1.0)
    nearest: npt.NDArray[np.intp] = similarity.argmax(axis=1)
    return nearest


def main(
    reference: Annotated[Path | None, typer.Option(help="fp32 graph of the same model, kept by `export`.")] = None,
    utterances: Annotated[Path | None, typer.Option(help="Folder of JSONL files with a `text` in each row.")] = None,
) -> None:
    """Print cost and agreement of the shipped embedder as JSON.

    Example: python -m memory.embedder.measure --reference /tmp/fp32.onnx --utterances utterances/
    """
    report: dict[str, object] = {"cost": cost()}
    embedder = MiniLmEmbedder()
    report["identity"] = embedder.identity
    if reference is not None and utterances is not None:
        texts = sample_texts(utterances)
        compared = against_reference(embedder.manifest, embedder.folder, reference, texts, utterances.name)
        report["agreement"] = compared.model_dump()
    typer.echo(json.dumps(report, indent=2))


if __name__ == "__main__":
    typer.run(main)
