"""The prototypes of tool recall, from the phrasings of training.

    families of `core` (train split, with the further phrasings)  |
    rows of the utterance sets that are not held out              |  -> embedder -> k-means in each tool -> prototypes

A tool that no training may see has none, and neither dev nor test says any of the phrasings.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evalkit.suites.core.drafts import UNSEEN, seeded, spoken
from evalkit.suites.core.phrases import load_phrases
from evalkit.suites.core.values import Draw, load_values
from evalkit.utterances.mapping import gold_of
from evalkit.utterances.rows import read_utterances
from runtime.contract import Embedder, Split
from runtime.prototypes import FOLDER, PrototypesManifest, save_prototypes
from trainer.checkpoint import SOURCES
from trainer.data.further import widened

EACH = 16
"""Most prototypes of a tool. Share of requests whose tool ranks first among all, on dev of `core` and on 800 held-out
rows: none .65 / .66, 8 .84 / .86, 16 .86 / .87, 32 .82 / .88, 64 .84 / .86."""
SEED = 0
BATCH = 64
"""Texts that are embedded at once."""
Vectors = npt.NDArray[np.float32]
Watch = Callable[[Sequence[int]], Iterable[int]]


def phrasings(utterances: Path | None) -> list[tuple[str, str]]:
    """What training says for one call, each with its tool."""
    values = load_values()
    found = []
    for entry in widened(load_phrases().one_call):
        for number, template in enumerate(entry.train):
            draw = Draw(values, Split.TRAIN, seeded("prototypes", entry.family, Split.TRAIN, number))
            found.append((spoken(draw.fill(template)), entry.tool))
    for row in read_utterances(utterances) if utterances is not None else ():
        gold = gold_of(row)
        if gold is not None and gold.tool and not row.held_out:
            found.append((row.text, gold.tool))
    return [(text, tool) for text, tool in found if tool not in UNSEEN]


def means(vectors: Vectors, most: int) -> Vectors:
    """At most `most` L2-normalised means of `vectors` (n, dimension) by spherical k-means; all, where n is less."""
    import faiss

    if len(vectors) <= most:
        return vectors
    found = faiss.Kmeans(
        vectors.shape[1], most, niter=20, seed=SEED, spherical=True, min_points_per_centroid=1, verbose=False
    )
    found.train(np.ascontiguousarray(vectors))
    return np.asarray(found.centroids, dtype=np.float32)


def make_prototypes(
    utterances: Path | None,
    embedder: Embedder,
    folder: Path = FOLDER,
    each: int = EACH,
    watch: Watch = iter,
) -> PrototypesManifest:
    """Embed the phrasings and write the prototypes into `folder`; `watch` goes over the batches and may show them."""
    said = phrasings(utterances)
    texts = [text for text, _ in said]
    parts = [embedder.embed(texts[at : at + BATCH]) for at in watch(range(0, len(texts), BATCH))]
    vectors = np.concatenate(parts)
    rows = defaultdict(list)
    for row, (_, tool) in enumerate(said):
        rows[tool].append(row)
    manifest = PrototypesManifest(
        embedder=embedder.identity,
        digest="",
        tools=len(rows),
        phrasings=len(said),
        data=SOURCES if utterances is not None else SOURCES[-1:],
        recipe={"each": each, "seed": SEED},
    )
    return save_prototypes(folder, {tool: means(vectors[own], each) for tool, own in rows.items()}, manifest)
