"""Which tools a request is shown, and in which order they are recalled."""

import numpy as np

from memory.sqlite import open_database
from runtime.contract import TaskView, Turn
from runtime.keywords import Keywords
from runtime.recall import Recall, said


def names(tools):
    return [tool.name for tool in tools]


def test_an_example_phrasing_finds_its_tool(embedder, phone):
    ranked = Recall(embedder, open_database).rank(TaskView(request="make it dark please"), phone.tools())
    assert ranked[0].name == "control_lamp"


def test_every_tool_is_ranked_once(embedder, phone):
    ranked = Recall(embedder, open_database).rank(TaskView(request="pay my bill and read the notes"), phone.tools())
    assert sorted(names(ranked)) == sorted(names(phone.tools()))


def test_clauses_take_turns(embedder, phone):
    request = "pay bill pay bill and delete note"
    assert set(names(Recall(embedder, open_database).rank(TaskView(request=request), phone.tools())[:2])) == {
        "pay_bill",
        "delete_note",
    }


def test_equal_scores_keep_the_order_of_the_provider(embedder, phone):
    ranked = Recall(embedder, open_database).rank(TaskView(request="zzz"), phone.tools())
    assert names(ranked) == names(phone.tools())


def test_what_was_said(embedder):
    assert said(TaskView(request="turn on wifi and text Ann")) == [
        "turn on wifi and text Ann",
        "turn on wifi",
        "text Ann",
    ]
    assert said(TaskView(request="bread and butter")) == ["bread and butter"]
    turns = (Turn(role="user", text="wake me"), Turn(role="assistant", text="when?"))
    assert said(TaskView(request="at seven", turns=turns)) == ["at seven", "wake me at seven"]


def test_a_tool_is_embedded_once(embedder, phone):
    texts = []

    def embed(model, wanted):
        texts.extend(wanted)
        return model.embed(wanted)

    recall = Recall(embedder, open_database, embed)
    recall.rank(TaskView(request="a"), phone.tools())
    recall.rank(TaskView(request="b"), phone.tools()[:3])
    assert len(texts) == len(set(texts)) == 6  # four descriptions, two phrasings


def test_keyword_scores_are_shares_of_the_best():
    texts = ["set an alarm", "play a song", "alarms of the whole week", "lamp", "call", "note"]
    scores = Keywords(texts, open_database).scores("ALARM!")
    assert scores[1] == 0
    assert 0 < scores[2] < scores[0] < 1  # stems match, the shorter text more; one common word is below the floor


def test_keywords_take_any_text():
    for text in ("", "\"'*:^ NEAR(", "ümläut 東京", "don't stop"):
        assert Keywords(["one two", "three"], open_database).scores(text).shape == (2,)


def test_a_word_in_common_decides_between_equal_meanings(phone):
    class Blind:
        identity, dimension = "blind", 2

        def embed(self, texts):
            return np.ones((len(texts), 2), dtype=np.float32) / np.sqrt(2)

    ranked = Recall(Blind(), open_database).rank(TaskView(request="the lamp"), phone.tools())
    assert ranked[0].name == "control_lamp"
