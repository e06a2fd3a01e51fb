"""Since when and until when something holds: what begins later, a last day, an end before the beginning."""

import pytest

from memory.lifecycle.turns import SourceTurn
from memory.records import Category, Trust
from memory.service import MemoryService
from runtime.contract import ErrorCode, ToolFailure
from tests.memory.conftest import NOW, found, refused


def test_what_holds_later_leaves_what_holds_until_then(tmp_path, words):
    today = [NOW]
    service = MemoryService(tmp_path / "later.sqlite3", words, lambda: today[0])
    old = service.add("I live in Ulm", Category.INFO)
    new = service.add("I live in Bremen", Category.INFO, valid_from="2027-01-01")
    assert new.supersedes == old.id
    for _ in range(2):  # by the vectors that are there, and by those that are read anew
        assert found(service, "where do I live") == ["I live in Ulm"]
        service.forgotten()
        del service.__dict__["retriever"]
    assert [record.content for record in service.listed()] == ["I live in Ulm"]
    assert found(service, "where do I live", as_of="2027-01-01") == ["I live in Bremen"]
    moved = service.correct(new.id, "I live in Bremen, at the harbour")
    assert (moved.valid_from, found(service, "where do I live")) == ("2027-01-01", ["I live in Ulm"])
    assert service.stats()["problems"] == []
    lines = list(service.exported())
    today[0] = NOW.replace(year=2027)
    assert found(service, "where do I live") == [moved.content]
    assert refused(service.correct, old.id, "I live in Ulm still") is ErrorCode.CONFLICT
    service.close()
    other = MemoryService(tmp_path / "other.sqlite3", words, lambda: NOW)
    other.imported(lines, "m.jsonl")
    assert (found(other, "where do I live"), other.stats()["problems"]) == (["I live in Ulm"], [])
    other.close()


def test_what_is_said_in_a_dialogue_holds_whatever_its_clock_showed(service):
    old = service.add("I live in Ulm", Category.INFO)
    turn = SourceTurn(session="s1", turn="s1:0", order=0, speaker="user", text="I live in Bremen.",
                      at="2026-03-02T17:00", trust=Trust.USER)  # fmt: skip
    service.capture([turn])
    assert found(service, "where do I live") == ["I live in Bremen."]
    assert service.shown(old.id)[0].standing == "superseded"


def test_a_last_day_counts_to_its_end(tmp_path, words):
    today = [NOW]
    service = MemoryService(tmp_path / "day.sqlite3", words, lambda: today[0])
    service.add("Stays at the Harbour Inn", Category.INFO, valid_to="2026-03-04")
    today[0] = NOW.replace(day=4, hour=23, minute=59, second=59)
    assert found(service, "harbour inn") == ["Stays at the Harbour Inn"]
    today[0] = NOW.replace(day=5, hour=0)
    assert found(service, "harbour inn") == []
    assert found(service, "harbour inn", as_of="2026-03-04") == ["Stays at the Harbour Inn"]
    service.close()


@pytest.mark.parametrize(
    ("times", "begins"),
    [
        ({"valid_from": "2026-05-01", "valid_to": "2026-04-30"}, "2026-05-01"),
        ({"valid_to": "2026-03-01"}, "2026-03-02T09:00:00"),
    ],
)
def test_what_ends_before_it_begins_is_refused(service, times, begins):
    with pytest.raises(ToolFailure, match=f"which is not after `{begins}`"):
        service.add("Stays at the Harbour Inn", Category.INFO, **times)
    assert service.listed() == []
