"""Dialogues: the right tools are there, absent ones are not, and everything follows from the seed."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from evalkit.suites.core.drafts import UNSEEN
from memory.sqlite import open_database
from runtime.contract import ToolSpec
from runtime.planner.tokens import Vocabulary
from runtime.recall import Recall
from trainer.data.dialogue import DialogueMaker
from trainer.data.exchange import Exchange, Move
from trainer.data.tokens import DialogueTokenizer


class WordEmbedder:
    """Hashes words into 64 buckets: enough to rank by shared words."""

    identity, dimension = "words", 64

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        table = np.full((len(texts), 64), 1e-3, dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                table[row, sum(map(ord, word)) % 64] += 1
        return table / np.linalg.norm(table, axis=1, keepdims=True)


def call(name: str) -> Move:
    return Move(f'<tool_call>{{"name": "{name}", "arguments": {{}}}}</tool_call>')


EXCHANGES = (
    Exchange("flip a coin", (call("generate_random"),), frozenset(["generate_random"])),
    Exchange("light please", (call("control_flashlight"),), frozenset(["control_flashlight"])),
    Exchange("where am i", (call("query_location"),), frozenset(["query_location"])),
    Exchange("is the earth flat", (call("refuse"),), kind="decline"),
    Exchange("start a timer", (call("refuse"),), absent=frozenset(["manage_countdown"]), kind="unavailable"),
)


def maker(vocabulary: Vocabulary, specs: dict[str, ToolSpec], seed: int = 3) -> DialogueMaker:
    tokenizer = DialogueTokenizer(vocabulary)
    return DialogueMaker(
        EXCHANGES, specs, Recall(WordEmbedder(), open_database), tokenizer, "Act.", limit=900, seed=seed
    )


def test_a_list_holds_what_the_focus_needs_and_nothing_absent_or_unseen(
    vocabulary: Vocabulary, specs: dict[str, ToolSpec]
) -> None:
    made = maker(vocabulary, specs)
    for _ in range(40):
        for exchange in EXCHANGES:
            exposed = made.exposed_for(exchange)
            assert exchange.tools <= exposed
            assert not exposed & (exchange.absent | UNSEEN)
            assert len(exposed) <= 15


def test_a_dialogue_keeps_its_limit_and_uses_every_exchange_alike(
    vocabulary: Vocabulary, specs: dict[str, ToolSpec]
) -> None:
    made = maker(vocabulary, specs)
    dialogues = [made.dialogue() for _ in range(10)]
    assert all(len(dialogue) <= 900 for dialogue in dialogues)
    assert all(len(dialogue.ids) == len(dialogue.labels) for dialogue in dialogues)
    assert min(made.stock.uses) > 0


def test_the_same_seed_gives_the_same_dialogues(vocabulary: Vocabulary, specs: dict[str, ToolSpec]) -> None:
    first, second = (list(maker(vocabulary, specs).dialogues(2_000)) for _ in range(2))
    assert [dialogue.ids for dialogue in first] == [dialogue.ids for dialogue in second]
    other = list(maker(vocabulary, specs, seed=4).dialogues(2_000))
    assert [dialogue.ids for dialogue in first] != [dialogue.ids for dialogue in other]


def test_the_likely_tools_are_named_after_each_request(vocabulary: Vocabulary, specs: dict[str, ToolSpec]) -> None:
    tokenizer = DialogueTokenizer(vocabulary)
    made = DialogueMaker(
        EXCHANGES, specs, Recall(WordEmbedder(), open_database), tokenizer, "Act.", limit=900, likely=2, seed=3
    )
    text = vocabulary.decode(made.dialogue().ids)
    requests = sum(text.count(f"user\n{exchange.said}\n<likely>") for exchange in EXCHANGES)
    assert requests == text.count("<likely>") == text.count("</likely>") > 1
    for named in text.split("<likely>")[1:]:
        names = named.split("</likely>")[0].split(", ")
        assert len(names) == 2
        assert set(names) <= set(specs)
