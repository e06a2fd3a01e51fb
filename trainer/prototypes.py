"""The prototypes of tool recall, from the phrasings of training.

    families of `core` (train split, with the further phrasings)  |
    rows of the utterance sets that are not held out              |  -> embedder -> k-means in each tool -> prototypes

A tool that no training may see has none. The families' phrasings are neither those of dev nor those of test. Of the
rows, which people said, four are word for word what a template of dev or test says ("crack a joke", "decrease the
volume", "not so loud", "the time please").
"""

import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from device.sandbox.sandbox import Sandbox
from evalkit.suites.core.drafts import UNSEEN, seeded, spoken
from evalkit.suites.core.phrases import load_phrases
from evalkit.suites.core.values import Draw, load_values
from evalkit.utterances.mapping import gold_of, load_map
from evalkit.utterances.rows import read_utterances
from runtime.contract import Embedder, Json, Split, UserError
from runtime.prototypes import FOLDER, PrototypesManifest, save_prototypes
from trainer.checkpoint import SOURCES
from trainer.data.further import widened

EACH = 16
"""Most prototypes of a tool. Share of requests whose tool ranks first among all, on dev of `core` and on 800 held-out
rows: none .65 / .66, 8 .84 / .86, 16 .86 / .87, 32 .82 / .88, 64 .84 / .86."""
SEED = 0
OURS = "pocketplanner"
BATCH = 64
"""Texts that are embedded at once."""
Vectors = npt.NDArray[np.float32]
Watch = Callable[[Sequence[int]], Iterable[int]]


class Phrasing(NamedTuple):
    """One thing that is said."""

    text: str
    """As said."""
    tool: str
    """What it asks for."""
    source: str
    """Who says it: an utterance set, or this project."""


def phrasings(utterances: Path | None) -> list[Phrasing]:
    """What training says for one call, each with its tool."""
    values = load_values()
    found = []
    for entry in widened(load_phrases().one_call):
        for number, template in enumerate(entry.train):
            draw = Draw(values, Split.TRAIN, seeded("prototypes", entry.family, Split.TRAIN, number))
            found.append(Phrasing(spoken(draw.fill(template)), entry.tool, OURS))
    for row in read_utterances(utterances) if utterances is not None else ():
        gold = gold_of(row)
        if gold is not None and gold.tool and not row.held_out:
            found.append(Phrasing(row.text, gold.tool, row.source))
    return [one for one in found if one.tool not in UNSEEN]


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
    """Embed the phrasings and write the prototypes into `folder`; `watch` goes over the batches and may show them.

    A `UserError` where the folder can't be written, before anything is embedded.
    """
    said = phrasings(utterances)
    _may_write(folder)
    texts = [one.text for one in said]
    parts = [embedder.embed(texts[at : at + BATCH]) for at in watch(range(0, len(texts), BATCH))]
    vectors = np.concatenate(parts)
    rows = defaultdict(list)
    for row, one in enumerate(said):
        rows[one.tool].append(row)
    counts = Counter(one.source for one in said)
    manifest = PrototypesManifest(
        embedder=embedder.identity,
        digest="",
        tools=len(rows),
        phrasings=len(said),
        data=tuple({**known(source), "phrasings": count} for source, count in sorted(counts.items())),
        there=tuple(sorted(tool.name for tool in Sandbox().tools())),
        recipe={"each": each, "seed": SEED, "map": load_map()[2]},
    )
    return save_prototypes(folder, {tool: means(vectors[own], each) for tool, own in rows.items()}, manifest)


def known(source: str) -> Json:
    """What is known of a source: its title and licence; of others their name alone."""
    return next((dict(one) for one in SOURCES if one["name"] == source), {"name": source})


def _may_write(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UserError(f"`{folder}` can't be written ({reason}). Name another folder: --folder DIR") from error
