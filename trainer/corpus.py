"""All exchanges of a cold start, and the dialogues made of them, kept on disk once made.

    utterance rows (train part)   \
    the same with other values     \
    rows without their tool         \
    two rows in one request          \
    core tasks (train split)       >  exchanges  ->  dialogues  ->  corpus.npz (ids, labels, lengths)
    bench tasks (train split)     /
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random

import numpy as np

from device.sandbox.sandbox import Sandbox
from evalkit.suites import load_suite
from evalkit.suites.core.drafts import UNSEEN
from evalkit.suites.core.joined import JOINS as SUITE_JOINS
from evalkit.suites.core.joined import joined
from evalkit.suites.core.phrases import load_phrases
from evalkit.suites.core.single import one_call, unavailable
from evalkit.suites.core.suite import Sizes, drafts
from evalkit.utterances.mapping import gold_of
from evalkit.utterances.rows import read_utterances
from evalkit.whole import Whole
from runtime.contract import Json, Phone, Split, ToolSpec, UserError
from runtime.eta import load_eta
from runtime.planner.embedded import base_file
from runtime.planner.tokens import vocabulary_of
from runtime.recall import Recall
from trainer.data import bench_tasks, further, oracle, spoken_rows, varied
from trainer.data.dialogue import DialogueMaker
from trainer.data.exchange import Exchange
from trainer.data.joined_rows import joined_rows
from trainer.data.named import named
from trainer.data.tokens import DialogueTokenizer, Tokens
from trainer.recipe import Recipe

UNSERVED_SHARE = 0.05
"""Of the utterance rows come a second time with their tool absent."""


@dataclass(frozen=True)
class Corpus:
    """Dialogues as token ids."""

    dialogues: tuple[Tokens, ...]
    """In training order."""
    counts: Json
    """Exchanges by source and kind, tokens shown and learned."""

    def save(self, file: Path) -> None:
        """Write to one `.npz` file without pickles."""
        lengths = np.array([len(dialogue) for dialogue in self.dialogues], dtype=np.int64)
        ids = np.concatenate([np.array(dialogue.ids, dtype=np.int32) for dialogue in self.dialogues])
        labels = np.concatenate([np.array(dialogue.labels, dtype=np.int32) for dialogue in self.dialogues])
        np.savez_compressed(file, lengths=lengths, ids=ids, labels=labels)


def load_corpus(file: Path) -> tuple[Tokens, ...]:
    """Dialogues of a saved corpus."""
    with np.load(file, allow_pickle=False) as data:
        ends = np.cumsum(data["lengths"])[:-1]
        ids, labels = np.split(data["ids"], ends), np.split(data["labels"], ends)
    return tuple(Tokens(list(map(int, i)), list(map(int, one))) for i, one in zip(ids, labels, strict=True))


def build_corpus(recipe: Recipe, utterances: Path | None, recall: Recall) -> Corpus:
    """Exchanges of all sources, in dialogues of `recipe.tokens` tokens in all."""
    phone = Sandbox()
    specs = {spec.name: spec for spec in phone.tools()}
    rng = Random(recipe.seed)
    exchanges = core_exchanges(recipe, phone, specs, rng)
    if recipe.core_share < 1:
        exchanges = rng.sample(exchanges, round(len(exchanges) * recipe.core_share))
    exchanges += oracle.exchanges_of(named(specs, recipe.named_tasks, rng, recipe.first_draw), phone, specs, rng)
    if recipe.further_tasks:
        exchanges += further_exchanges(recipe, phone, specs, rng)
    if utterances is not None:
        found = utterance_exchanges(utterances, specs, phone, rng)
        exchanges += rng.sample(found, recipe.utterance_rows) if recipe.utterance_rows else found
        exchanges += varied_exchanges(utterances, recipe.varied_rows, specs, phone, rng)
        joins = (*SUITE_JOINS[Split.TRAIN], *further.JOINS)
        exchanges += joined_rows(read_utterances(utterances), recipe.joined_rows, joins, specs, phone, rng)
    if recipe.bench_tasks or recipe.skill_tasks:
        whole = Whole(phone)
        specs = {spec.name: spec for spec in whole.tools()}
        exchanges += bench_exchanges(recipe, whole, specs, rng)
    if not exchanges:
        raise UserError("there is nothing to train on: give utterance sets with `--utterances DIR`")
    vocabulary, engine = vocabulary_of(base_file())
    try:
        maker = DialogueMaker(
            exchanges,
            specs,
            recall,
            DialogueTokenizer(vocabulary),
            load_eta(recipe.eta).text,
            limit=recipe.dialogue_tokens,
            likely=recipe.likely,
            guided=recipe.guided_share,
            seed=recipe.seed,
        )
        dialogues = tuple(maker.dialogues(recipe.tokens))
    finally:
        engine.close()
    return Corpus(dialogues, _counts(exchanges, dialogues, maker.stock.uses))


def core_exchanges(recipe: Recipe, phone: Sandbox, specs: Mapping[str, ToolSpec], rng: Random) -> list[Exchange]:
    """Oracle trajectories of the suite's training tasks."""
    sizes = Sizes(
        one_call=recipe.core_tasks_per_family,
        unseen=0,
        ask=recipe.composed_tasks,
        joined=0 if recipe.further_tasks else recipe.joined_tasks,
        dependent=recipe.composed_tasks,
        condition=recipe.composed_tasks // 4,
        first=recipe.first_draw,
    )
    emphasised = (
        one_call(entry, specs[entry.tool], Split.TRAIN, recipe.emphasis_tasks)
        for entry in load_phrases().one_call
        if entry.family in recipe.emphasis
    )
    return oracle.exchanges_of(chain(drafts(Split.TRAIN, specs, sizes), *emphasised), phone, specs, rng)


def further_exchanges(recipe: Recipe, phone: Sandbox, specs: Mapping[str, ToolSpec], rng: Random) -> list[Exchange]:
    """Oracle trajectories of requests in phrasings that the suite does not have, alone and joined."""
    families = [entry for entry in load_phrases().one_call if entry.tool not in UNSEEN]
    first, more = recipe.first_draw, further.widened(families, alone=True)
    alone = (one_call(entry, specs[entry.tool], Split.TRAIN, recipe.further_tasks, first) for entry in more)
    absent = [draft for entry in more for draft in unavailable(entry, specs[entry.tool], Split.TRAIN, 1)]
    joins = (*SUITE_JOINS[Split.TRAIN], *further.JOINS)
    several = joined(further.widened(families), specs, Split.TRAIN, recipe.joined_tasks, joins=joins, first=first)
    asks = recipe.further_tasks if recipe.further_asks is None else recipe.further_asks
    lacking = (*rng.sample(absent, min(len(absent), recipe.further_absent)), *further.asks(specs, asks))
    return oracle.exchanges_of(chain(*alone, lacking, several), phone, specs, rng)


def bench_exchanges(recipe: Recipe, phone: Phone, specs: Mapping[str, ToolSpec], rng: Random) -> list[Exchange]:
    """Oracle trajectories of the benchmark's training tasks, memory, Skills and sub-agents among them."""
    tasks = load_suite("bench", Split.TRAIN.value).tasks
    chosen = bench_tasks.drawn(tasks, recipe.bench_tasks, recipe.skill_tasks, rng)
    return bench_tasks.exchanges_of(chosen, phone, specs, rng)


def utterance_exchanges(folder: Path, specs: Mapping[str, ToolSpec], phone: Sandbox, rng: Random) -> list[Exchange]:
    """Rows of the train part, and some of them where their tool is absent."""
    rows = [row for row in read_utterances(folder) if not row.held_out]
    exchanges = spoken_rows.exchanges_of(rows, specs, phone, rng)
    served = [(row, gold) for row in rows if (gold := gold_of(row)) is not None and not gold.decline]
    chosen = rng.sample(served, int(len(served) * UNSERVED_SHARE))
    return exchanges + [spoken_rows.unserved(row, gold, rng) for row, gold in chosen]


def varied_exchanges(
    folder: Path, count: int, specs: Mapping[str, ToolSpec], phone: Sandbox, rng: Random
) -> list[Exchange]:
    """Annotated rows of the train part with other values."""
    made = varied.variants(read_utterances(folder), count, rng) if count else ()
    return spoken_rows.exchanges_of(made, specs, phone, rng)


def _counts(exchanges: Sequence[Exchange], dialogues: Sequence[Tokens], uses: Sequence[int]) -> Json:
    return {
        "exchanges": len(exchanges),
        "by_source": dict(Counter(exchange.source for exchange in exchanges)),
        "by_kind": dict(Counter(exchange.kind for exchange in exchanges)),
        "used": dict(Counter(min(count, 3) for count in uses)),
        "dialogues": len(dialogues),
        "tokens": sum(len(dialogue) for dialogue in dialogues),
        "learned_tokens": sum(label >= 0 for dialogue in dialogues for label in dialogue.labels),
    }
