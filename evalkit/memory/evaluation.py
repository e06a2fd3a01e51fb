"""One evaluation: samples one after another, each with a store of its own, each question kept as it is done.

dataset -> sample -> store (ingest.py) -> evidence (searching.py) -> [answer -> judgement (answering.py)] -> figures
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from evalkit.memory.answering import Asker, answer, history, judged, line_of
from evalkit.memory.artifacts import Artifacts, Log, code_digest
from evalkit.memory.dataset import Dataset, Question, Sample
from evalkit.memory.figures import Outcome, answer_figures, evidence_figures, paired
from evalkit.memory.ingest import opened
from evalkit.memory.searching import searched, through
from memory.retrieval import DEFAULT
from memory.service import MemoryService
from runtime.contract import CancelToken, Embedder, InfrastructureError, Json

Watch = Callable[[Iterable[Sample]], Iterable[Sample]]


def _all(samples: Iterable[Sample]) -> Iterable[Sample]:
    return samples


class Plan(NamedTuple):
    """What is to be measured."""

    dataset: Dataset
    """The set."""
    embedder: Embedder
    """Makes the vectors."""
    asker: Asker | None = None
    """Answers and judges; None: evidence alone."""
    limit: int | None = None
    """The first so many questions of each sample; None: all."""
    fresh: bool = False
    """Forget what an earlier run of the same left."""


def evaluate(plan: Plan, watch: Watch = _all, cancel: CancelToken | None = None) -> Json:
    """The report. What was done before a kill or a cancel is not done again; a cancel ends the wait for an endpoint."""
    manifest = manifest_of(plan.dataset, plan.embedder, plan.limit)
    artifacts, cancel = Artifacts(manifest, fresh=plan.fresh), cancel or CancelToken()
    if plan.asker is not None:
        plan = plan._replace(asker=replace(plan.asker, cancel=cancel))
    run = _Run(plan, artifacts, cancel)
    for number, sample in enumerate(watch(plan.dataset.samples)):
        if cancel.cancelled:
            break
        try:
            run.sample(number, sample)
        except InfrastructureError:
            if not cancel.cancelled:
                raise
    complete = not cancel.cancelled
    report = {"run": artifacts.run, "folder": str(artifacts.folder), "complete": complete, **manifest, **run.report()}
    artifacts.write("figures.json", report)
    return report


def manifest_of(dataset: Dataset, embedder: Embedder, limit: int | None) -> Json:
    """What a run's id is made of."""
    return {
        "format": dataset.format,
        "dataset": dataset.name,
        "fingerprint": dataset.fingerprint,
        "samples": len(dataset.samples),
        "limit": limit,
        "config_digest": DEFAULT.digest,
        "embedder": embedder.identity,
        "code_digest": code_digest(),
    }


class _Run:
    """The state of one evaluation."""

    def __init__(self, plan: Plan, artifacts: Artifacts, cancel: CancelToken) -> None:
        self.plan, self.artifacts, self.cancel = plan, artifacts, cancel
        self.ingestion, self.retrieval = artifacts.log("ingestion"), artifacts.log("retrieval")
        asker = plan.asker
        self.answers = artifacts.log(asker.answers) if asker else None
        self.judgements = artifacts.log(asker.judgements) if asker else None
        self.outcomes: list[Outcome] = []
        self.keys: list[str] = []
        self.accounts: list[Json] = []

    def sample(self, number: int, sample: Sample) -> None:
        """All questions of one sample."""
        if self.plan.asker is not None and self.plan.asker.mode == "direct":
            for key, question in self._questions(number, sample):
                self._direct(key, sample, question)
            return
        service, account = opened(sample, number, self.artifacts.store(number), self.plan.embedder, self.ingestion)
        try:
            self.accounts.append(account)
            lost = frozenset((*account["skipped"], *account["failed"], *account["superseded"]))
            for key, question in self._questions(number, sample):
                outcome = Outcome(question, searched(question, key, through(service), self.retrieval), lost)
                if self.plan.asker is not None:
                    self._harness(
                        key, outcome, self.plan.asker, self._budgeted(key, question, service, self.plan.asker)
                    )
                self._keep(key, outcome)
        finally:
            service.close()

    def report(self) -> Json:
        """All figures."""
        found: Json = {}
        if self.accounts:
            found |= {"ingestion": _ingestion(self.accounts), **evidence_figures(self.outcomes)}
        asker = self.plan.asker
        if asker is not None:
            found["answers"] = {"mode": asker.mode, "budget": asker.budget, "answerer": asker.answerer_name,
                                "judge": asker.judge_name, **answer_figures(self.outcomes)}  # fmt: skip
            other = asker.other()
            theirs = _scores(self.artifacts.log(other.judgements), self.keys)
            found["paired"] = {"other": other.mode, **paired(self.outcomes, theirs, self.keys)}
        return found

    def _questions(self, number: int, sample: Sample) -> Iterator[tuple[str, Question]]:
        for question in sample.questions[: self.plan.limit]:
            if self.cancel.cancelled:
                return
            yield f"{number:04d}/{question.id}", question

    def _keep(self, key: str, outcome: Outcome) -> None:
        self.keys.append(key)
        self.outcomes.append(outcome)

    def _budgeted(self, key: str, question: Question, service: MemoryService, asker: Asker) -> Json:
        log = self.artifacts.log(f"shown-{asker.budget}")
        return searched(question, key, through(service, asker.budget), log)

    def _harness(self, key: str, outcome: Outcome, asker: Asker, shown: Json) -> None:
        if shown["status"] == "failed":
            outcome.search = shown
            return
        lines = [_line(one) for one in shown["shown"]]
        lines += [f"(note: {shown['note']})"] if shown["note"] else []
        outcome.hidden = frozenset(outcome.question.evidence) - {one["turn"] for one in shown["shown"]}
        self._ask(key, outcome, asker, lines)

    def _direct(self, key: str, sample: Sample, question: Question) -> None:
        assert self.plan.asker is not None
        lines, cut = history(sample, self.plan.asker.budget)
        outcome = Outcome(question, hidden=frozenset(question.evidence) & set(cut))
        self._ask(key, outcome, self.plan.asker, lines)
        self._keep(key, outcome)

    def _ask(self, key: str, outcome: Outcome, asker: Asker, lines: list[str]) -> None:
        assert self.answers is not None and self.judgements is not None
        outcome.said = answer(asker, key, outcome.question, lines, self.answers)
        if outcome.said["status"] == "ok" and asker.judge is not None:
            outcome.verdict = judged(asker, key, outcome.question, outcome.said, self.judgements)


def _line(shown: Json) -> str:
    text = f"(no longer holds) {shown['text']}" if shown["stale"] else shown["text"]
    return line_of(shown["at"], shown["speaker"], text)


def _ingestion(accounts: list[Json]) -> Json:
    """Sums over samples; ingestion, quality of summaries and fidelity stay apart."""
    records = sum(one["records"] for one in accounts)
    weighed = sum(one["quality"] * one["records"] for one in accounts)
    return {
        "turns": sum(one["turns"] for one in accounts),
        "records": records,
        "skipped": sum(len(one["skipped"]) for one in accounts),
        "failed": sum(len(one["failed"]) for one in accounts),
        "superseded": sum(len(one["superseded"]) for one in accounts),
        "summary_quality": round(weighed / records, 4) if records else None,
        "faithful": round(sum(one["faithful"] for one in accounts) / records, 4) if records else None,
        "unembedded": sum(one["unembedded"] for one in accounts),
        "snapshots": [one["fingerprint"] for one in accounts],
    }


def _scores(log: Log, keys: list[str]) -> dict[str, float]:
    lines = {key: line for key in keys if (line := log.get(key)) is not None}
    return {key: line["score"] for key, line in lines.items() if line["status"] == "ok"}
