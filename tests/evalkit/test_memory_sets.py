"""Reading the three memory benchmarks into one hierarchy."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalkit.memory.beam import source_ids
from evalkit.memory.dataset import load, moment
from evalkit.memory.locomo import evidence_ids
from runtime.contract import UserError

LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Tom",
            "session_2": [{"speaker": "Tom", "dia_id": "D2:1", "text": "A cat!", "blip_caption": "a grey cat"}],
            "session_2_date_time": "9:05 am on 2 March, 2023",
            "session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "I moved to Rome."}],
            "session_1_date_time": "1:56 pm on 8 May, 2022",
        },
        "qa": [
            {"question": "Which pet?", "answer": "a cat", "evidence": ["D2:1", "D9:9"], "category": 4},
            {"question": "When?", "answer": 2023, "evidence": ["D:1:1 D2:1"], "category": 2},
            {"question": "Ann's pet?", "evidence": ["D2:1"], "category": 5, "adversarial_answer": "a cat"},
            {"question": "Why?", "answer": "so", "evidence": [], "category": 3},
        ],
    }
]
LONG = {
    "question_id": "7a_abs",
    "question_type": "multi-session",
    "question": "How many cats?",
    "answer": "You did not say.",
    "question_date": "2023/05/30 (Tue) 23:40",
    "haystack_session_ids": ["b", "a"],
    "haystack_dates": ["2023/05/21 (Sun) 10:00", "2023/05/20 (Sat) 02:21"],
    "haystack_sessions": [
        [{"role": "user", "content": "Hi"}],
        [{"role": "user", "content": "Cats", "has_answer": True}, {"role": "assistant", "content": "Ok"}],
    ],
    "answer_session_ids": ["a"],
}


@pytest.fixture
def locomo(tmp_path):
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps(LOCOMO))
    return path


def test_locomo(locomo):
    (sample,) = load("locomo", locomo).samples
    assert [(turn.id, turn.session, turn.at) for turn in sample.turns] == [
        ("D1:1", "session 1", "2022-05-08T13:56:00"),
        ("D2:1", "session 2", "2023-03-02T09:05:00"),
    ]
    assert sample.turns[1].text == "A cat! [shares a grey cat]"
    first, second, third, fourth = sample.questions
    assert (first.category, first.evidence, first.repaired, first.unknown) == ("single-hop", ("D2:1",), 0, 1)
    assert (second.answer, second.evidence, second.repaired) == ("2023", ("D1:1", "D2:1"), 1)
    assert (third.category, third.unanswerable, third.scored) == ("adversarial", True, False)
    assert (fourth.category, fourth.scored) == ("open-domain", False)


@pytest.mark.parametrize(
    ("given_ids", "found", "repaired"),
    [
        (["D1:3"], ["D1:3"], 0),
        (["D:11:26"], ["D11:26"], 1),
        (["D9:1 D4:4 D4:6"], ["D9:1", "D4:4", "D4:6"], 1),
        (["D8:6; D9:17"], ["D8:6", "D9:17"], 1),
        (["D30:05"], ["D30:5"], 1),
        (["D1:3", "D1:3"], ["D1:3"], 0),
        (["D"], [], 1),
        ("D1:3", ["D1:3"], 0),
        (None, [], 0),
    ],
)
def test_malformed_evidence(given_ids, found, repaired):
    assert evidence_ids(given_ids) == (found, repaired)


@given(st.lists(st.text(max_size=20)))
def test_any_evidence_is_read(entries):
    found, repaired = evidence_ids(entries)
    assert 0 <= repaired <= len(entries) and len(set(found)) == len(found)


def test_longmemeval(tmp_path):
    path = tmp_path / "s.json"
    path.write_text(json.dumps([LONG, {**LONG, "question_id": "7b"}]))
    absent, present = load("longmemeval", path).samples
    assert [turn.id for turn in present.turns] == ["a:0@0", "a:1@0", "b:0@1"]
    assert present.questions[0].evidence == ("a:0@0",)
    assert present.questions[0].asked_at == "2023-05-30T23:40:00"
    assert absent.questions[0].unanswerable and not absent.questions[0].scored


def test_beam(tmp_path):
    for name in ("10", "9"):
        folder = tmp_path / "100K" / name
        folder.mkdir(parents=True)
        said = {"role": "user", "id": 0, "time_anchor": None, "content": "I chose Flask ->-> 1,2"}
        reply = {"role": "assistant", "id": 1, "time_anchor": None, "content": "Fine."}
        chat = [{"batch_number": 1, "time_anchor": "March-15-2024", "turns": [[said, reply]]}]
        (folder / "chat.json").write_text(json.dumps(chat))
        asked = {"question": "Which framework?", "source_chat_ids": [0, 7], "rubric": ["Flask"], "answer": "Flask"}
        changed = {"question": "And now?", "source_chat_ids": {"original_info": [0], "updated_info": [[1]]}}
        questions = {"abstention": [{"question": "Why?"}], "information_extraction": [asked, changed]}
        (folder / "probing_questions.json").write_text(json.dumps(questions))
    dataset = load("beam", tmp_path)
    assert [sample.id for sample in dataset.samples] == ["100K/9", "100K/10"]
    turn = dataset.samples[0].turns[0]
    assert (turn.id, turn.text, turn.at) == ("0", "I chose Flask", "2024-03-15T00:00:00")
    absent, first, second = dataset.samples[0].questions
    assert absent.unanswerable and not absent.scored
    assert (first.evidence, first.unknown, first.rubric) == (("0",), 1, ("Flask",))
    assert second.evidence == ("0", "1")
    assert len(load("beam", tmp_path / "100K" / "9").samples) == 1


def test_source_ids_of_any_nesting():
    assert source_ids({"a": [1, [2]], "b": {"c": "3, 4"}}) == ["1", "2", "3", "4"]
    assert source_ids(None) == [] and source_ids(True) == []


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56:00"),
        ("2023/05/20 (Sat) 02:21", "2023-05-20T02:21:00"),
        ("March-15-2024", "2024-03-15T00:00:00"),
        ("2024-02-30", ""),
        (None, ""),
    ],
)
def test_times(text, at):
    assert moment(text) == at


@pytest.mark.parametrize("content", ["{", "{}", "[]", '[{"qa": []}]', '[{"conversation": {}, "qa": [{}]}]'])
def test_a_file_that_is_not_in_the_form(tmp_path, content):
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(UserError, match=r"x\.json` is not in LoCoMo's form"):
        load("locomo", path)


def test_what_is_not_there(tmp_path):
    with pytest.raises(UserError, match="there is no format `else`"):
        load("else", tmp_path)
    with pytest.raises(UserError, match="there is no"):
        load("locomo", tmp_path / "none.json")
    with pytest.raises(UserError, match=r"no `chat\.json`"):
        load("beam", tmp_path)
