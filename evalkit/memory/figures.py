"""Figures of an evaluation: evidence without a judge, answers with one, and what each failure is put down to.

*Protocol accuracy* is over valid runs: the search worked, the answer and its judgement exist. *End-to-end accuracy* is
over all questions, a run that is not valid counting 0. *Coverage* is the share of valid ones. They are never mixed.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Literal, TypeAlias

from evalkit.memory.dataset import Question
from evalkit.memory.searching import ranks_of
from runtime.contract import Json

Blame: TypeAlias = Literal["memory_construction", "evidence", "answer", "scoring", "infrastructure"]
RIGHT = 0.5
"""Score from which an answer counts as right where a failure is to be explained."""


@dataclass
class Outcome:
    """All that is known of one question."""

    question: Question
    search: Json | None = None
    """Its line of `retrieval.jsonl`; None in a direct run."""
    lost: frozenset[str] = frozenset()
    """Turns of the sample that memory doesn't hold, or no longer."""
    hidden: frozenset[str] = frozenset()
    """Evidence that the answerer was not shown."""
    said: Json | None = None
    """Its line of answers."""
    verdict: Json | None = None
    """Its line of judgements."""
    ranks: list[float] = field(default_factory=list)
    """Places of its evidence."""

    @property
    def valid(self) -> bool:
        """Search, answer and judgement exist."""
        searched = self.search is None or self.search["status"] != "failed"
        return searched and self.score is not None

    @property
    def score(self) -> float | None:
        """What the judge gave."""
        return self.verdict["score"] if self.verdict is not None and self.verdict["status"] == "ok" else None

    def blame(self) -> Blame | None:
        """What a failure is put down to; None for a right answer."""
        if self.search is not None and self.search["status"] == "failed":
            return "infrastructure"
        if self.said is not None and self.said["status"] == "failed":
            return "infrastructure"
        if self.verdict is not None and self.verdict["status"] != "ok":
            return "infrastructure" if self.verdict["status"] == "unreachable" else "scoring"
        if self.score is not None and self.score >= RIGHT:
            return None
        if self.lost & set(self.question.evidence):
            return "memory_construction"
        return "evidence" if self.hidden else "answer"


def evidence_figures(outcomes: Sequence[Outcome]) -> Json:
    """Recall and MRR over the questions with evidence whose search worked, and by category."""
    asked = [one for one in outcomes if one.search is not None]
    found = [one for one in asked if one.search is not None and one.search["status"] != "failed"]
    for one in found:
        one.ranks = list(ranks_of(one.search)) if one.search is not None else []
    scored = [one for one in found if one.question.scored]
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for one in scored:
        groups[one.question.category].append(one)
    costs = [one.search["cpu_ms"] for one in found if one.search is not None]
    return {
        **_recalls(scored),
        "by_category": {name: _recalls(group) for name, group in sorted(groups.items())},
        "query_cpu_ms": round(median(costs), 2) if costs else None,
        "search_recoveries": sum(one.search["status"] == "recovered" for one in found if one.search is not None),
        "search_failures": len(asked) - len(found),
        "evidence_not_stored": sum(len(one.lost & set(one.question.evidence)) for one in scored),
        "missed_at_10": _missed(scored),
        "repaired_evidence_ids": sum(one.question.repaired for one in asked),
        "unknown_evidence_ids": sum(one.question.unknown for one in asked),
        "notes": _notes(found),
    }


def _recalls(group: Sequence[Outcome]) -> Json:
    """Means over questions of the share of evidence within a place, and of one over the first place."""
    report: Json = {"questions": len(group)}
    for depth in (5, 10, 20):
        shares = [mean(rank <= depth for rank in one.ranks) for one in group]
        report[f"recall_at_{depth}"] = round(mean(shares), 4) if shares else None
    report["all_at_10"] = round(mean(max(one.ranks) <= 10 for one in group), 4) if group else None
    report["mrr"] = round(mean(1 / min(one.ranks) for one in group), 4) if group else None
    return report


def _missed(scored: Sequence[Outcome]) -> Json:
    """Questions that miss evidence at 10: because memory doesn't hold it, or because the search did not rank it."""
    missed = [one for one in scored if max(one.ranks) > 10]
    built = sum(bool(one.lost & set(one.question.evidence)) for one in missed)
    return {"memory_construction": built, "evidence": len(missed) - built}


def _notes(found: Sequence[Outcome]) -> Json:
    """How often the evidence set says that it is about somebody else or not there, by whether there is an answer."""
    shares: Json = {}
    for name, wanted in (("answerable", False), ("unanswerable", True)):
        group = [one for one in found if one.question.unanswerable is wanted and one.search is not None]
        noted = [bool(one.search["note"]) for one in group if one.search is not None]
        shares[name] = round(mean(noted), 4) if noted else None
    return shares


def answer_figures(outcomes: Sequence[Outcome]) -> Json:
    """Accuracies, coverage, repeats, and failures by cause."""
    valid = [one for one in outcomes if one.valid]
    scores = [one.score or 0.0 for one in valid]
    blames = Counter(blame for one in outcomes if (blame := one.blame()) is not None)
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        groups[one.question.category].append(one)
    tokens = [one.said["prompt_tokens"] for one in outcomes if one.said is not None]
    return {
        "questions": len(outcomes),
        "valid": len(valid),
        "protocol_accuracy": round(mean(scores), 4) if scores else None,
        "end_to_end_accuracy": round(sum(scores) / len(outcomes), 4) if outcomes else None,
        "coverage": round(len(valid) / len(outcomes), 4) if outcomes else None,
        "answer_retries": sum(one.said["tries"] - 1 for one in outcomes if one.said is not None),
        "failures": {name: blames.get(name, 0) for name in Blame.__args__},  # type: ignore[attr-defined]
        "prompt_tokens_mean": round(mean(tokens), 1) if tokens else None,
        "by_category": {name: _accuracy(group) for name, group in sorted(groups.items())},
    }


def _accuracy(group: Sequence[Outcome]) -> Json:
    scores = [one.score or 0.0 for one in group if one.valid]
    accuracy = round(mean(scores), 4) if scores else None
    return {"questions": len(group), "valid": len(scores), "protocol_accuracy": accuracy}


def paired(mine: Iterable[Outcome], theirs: dict[str, float], keys: Iterable[str]) -> Json:
    """The difference over questions that are valid in both modes: harness less direct is up to the caller's order."""
    pairs = [
        (one.score, theirs[key]) for one, key in zip(mine, keys, strict=True) if one.score is not None and key in theirs
    ]
    if not pairs:
        return {"pairs": 0}
    return {
        "pairs": len(pairs),
        "accuracy": round(mean(a for a, _ in pairs), 4),
        "accuracy_other": round(mean(b for _, b in pairs), 4),
        "difference_points": round(100 * mean(a - b for a, b in pairs), 2),
        "better": sum(a > b for a, b in pairs),
        "worse": sum(a < b for a, b in pairs),
    }
