"""Where the weights of retrieval come from: `python -m evalkit.memory.fit locomo FILE`.

A softmax regression over the turns of each question's history: the evidence should outweigh the rest. Each sample is
scored with weights learned on the others; that left-out figure is the one to quote. The weights printed at the end are
learned on all samples.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt
import typer

from evalkit.memory.artifacts import Artifacts
from evalkit.memory.dataset import Dataset, Sample, load
from evalkit.memory.evaluation import manifest_of
from evalkit.memory.ingest import opened
from memory.retrieval import DEFAULT
from memory.service import MemoryService
from runtime.contract import Embedder, Json
from runtime.wiring import open_embedder

Floats = npt.NDArray[np.float64]

SIGNS = ("words", "window", "meaning", "around", "speaker", "question", "length", "date", "time", "answer")
"""The learned ones."""
CANDIDATES = 120
"""Turns beside the evidence that a question is learned on: those with the highest scores."""
RIDGE = 1e-3
STEPS, HALVINGS = 12, 12
"""Of Newton's method; of one step."""


class Case(NamedTuple):
    """One question."""

    signs: Floats
    """(turns, signs)."""
    evidence: npt.NDArray[np.int64]
    """Turns."""
    near: npt.NDArray[np.int64]
    """The candidates, evidence among them."""
    category: str
    """Its kind."""


def fit(cases: Sequence[Case]) -> Floats:
    """(signs,) weights under which the evidence is likeliest: a convex loss, by Newton's method with shorter steps
    where a whole one would not lower it."""
    weights = np.zeros(len(SIGNS))
    loss, gradient, curve = _loss(cases, weights)
    for _ in range(STEPS):
        step = np.linalg.solve(curve, gradient)
        for _ in range(HALVINGS):
            tried = _loss(cases, weights - step)
            if tried[0] <= loss:
                break
            step = step / 2
        else:
            break
        weights, (loss, gradient, curve) = weights - step, tried
    return np.asarray(weights, np.float64)


def _loss(cases: Sequence[Case], weights: Floats) -> tuple[float, Floats, Floats]:
    """Mean of the evidence's negative log-likelihood over questions, its gradient (signs,), its curvature."""
    loss, gradient = RIDGE * float(weights @ weights), 2 * RIDGE * weights
    curve = 2 * RIDGE * np.eye(len(SIGNS))
    for case in cases:
        signs = case.signs[case.near]
        score = signs @ weights
        top = float(score.max())
        share = np.exp(score - top)
        total = float(share.sum())
        share /= total
        expected, evidence = share @ signs, case.signs[case.evidence].mean(axis=0)
        loss += (top + float(np.log(total)) - float(evidence @ weights)) / len(cases)
        gradient = gradient + (expected - evidence) / len(cases)
        curve = curve + ((signs * share[:, None]).T @ signs - np.outer(expected, expected)) / len(cases)
    return loss, gradient, curve


def figures(cases: Sequence[Case], weights: Floats) -> list[tuple[str, float, float]]:
    """(category, recall at 10, one over the first place) of each question."""
    found = []
    for case in cases:
        order = np.argsort(-(case.signs @ weights), kind="stable")
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(1, len(order) + 1)
        ranks = place[case.evidence]
        found.append((case.category, float((ranks <= 10).mean()), float(1 / ranks.min())))
    return found


def cases_of(sample: Sample, service: MemoryService) -> list[Case]:
    """The questions of a sample with evidence."""
    cases: list[Case] = []
    turns: dict[str, int] = {}
    for question in sample.questions:
        if not question.scored:
            continue
        scored = service.retriever.scored(question.text)
        turns = turns or {name: turn for turn, name in enumerate(service.retriever.turn_ids())}
        evidence = np.array([turns[name] for name in question.evidence if name in turns], np.int64)
        if not len(evidence):
            continue
        signs = np.stack([scored.signs.get(name, np.zeros(len(scored.total))) for name in SIGNS], axis=1)
        best = np.argsort(-scored.total)[:CANDIDATES]
        cases.append(Case(signs, evidence, np.union1d(best, evidence), question.category))
    return cases


def report(dataset: Dataset, embedder: Embedder) -> Json:
    """Left-out figures, those of the shipped weights, and the weights learned on everything."""
    artifacts = Artifacts(manifest_of(dataset, embedder, None))
    log = artifacts.log("ingestion")
    samples: list[list[Case]] = []
    for number, sample in enumerate(dataset.samples):
        service, _ = opened(sample, number, artifacts.store(number), embedder, log)
        samples.append(cases_of(sample, service))
        service.close()
    shipped = np.array([getattr(DEFAULT, name) for name in SIGNS])
    left_out, folds = [], []
    for number, held in enumerate(samples):
        weights = fit([case for other, cases in enumerate(samples) if other != number for case in cases])
        folds.append(weights)
        left_out += figures(held, weights)
    every = [case for cases in samples for case in cases]
    final = fit(every)
    return {
        "left_out": _means(left_out),
        "shipped": _means(figures(every, shipped)),
        "weights": dict(zip(SIGNS, np.round(final, 2).tolist(), strict=True)),
        "spread": dict(zip(SIGNS, np.round(np.std(folds, axis=0), 2).tolist(), strict=True)),
    }


def _means(found: Sequence[tuple[str, float, float]]) -> Json:
    kinds = sorted({kind for kind, _, _ in found})
    return {
        "questions": len(found),
        "recall_at_10": round(mean(recall for _, recall, _ in found), 4),
        "mrr": round(mean(first for _, _, first in found), 4),
        "recall_at_10_by_category": {
            kind: round(mean(recall for name, recall, _ in found if name == kind), 4) for kind in kinds
        },
    }


def main(
    format: Annotated[str, typer.Argument(help="locomo, longmemeval or beam.")],
    file: Annotated[Path, typer.Argument(help="The set's file, with two samples or more.")],
) -> None:
    """Fit the weights of retrieval, leaving one sample out in turn."""
    typer.echo(json.dumps(report(load(format, file), open_embedder()), indent=2))


if __name__ == "__main__":
    typer.run(main)
