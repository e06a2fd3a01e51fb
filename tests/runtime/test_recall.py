"""Which tools a request is shown, and in which order they are recalled."""

from runtime.contract import TaskView, Turn
from runtime.recall import Recall, said


def names(tools):
    return [tool.name for tool in tools]


def test_an_example_phrasing_finds_its_tool(embedder, phone):
    ranked = Recall(embedder).rank(TaskView(request="make it dark please"), phone.tools())
    assert ranked[0].name == "control_lamp"


def test_every_tool_is_ranked_once(embedder, phone):
    ranked = Recall(embedder).rank(TaskView(request="pay my bill and read the notes"), phone.tools())
    assert sorted(names(ranked)) == sorted(names(phone.tools()))


def test_clauses_take_turns(embedder, phone):
    request = "pay bill pay bill and delete note"
    assert set(names(Recall(embedder).rank(TaskView(request=request), phone.tools())[:2])) == {
        "pay_bill",
        "delete_note",
    }


def test_equal_scores_keep_the_order_of_the_provider(embedder, phone):
    ranked = Recall(embedder).rank(TaskView(request="zzz"), phone.tools())
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

    recall = Recall(embedder, embed)
    recall.rank(TaskView(request="a"), phone.tools())
    recall.rank(TaskView(request="b"), phone.tools()[:3])
    assert len(texts) == len(set(texts)) == 6  # four descriptions, two phrasings
