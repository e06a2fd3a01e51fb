"""Intentions against the phone's clock and events: shown once, never carried out."""

import json

import pytest

from memory.manager import UserMemory
from runtime.cli import root
from runtime.contract import Deadline, RowChange, StateDiff
from runtime.watch import Watch, events_of
from tests.runtime.conftest import WordEmbedder


def change(before, after, key="lamp_1", table="smart_lamps"):
    return StateDiff(changes=(RowChange(table=table, key=key, before=before, after=after),))


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        (None, {"name": "Kitchen", "on": True}, "smart lamps lamp 1 new: name Kitchen, on on"),
        ({"name": "Kitchen", "on": True}, {"name": "Kitchen", "on": False},
         "smart lamps lamp 1 changed: name Kitchen, on off"),
        ({"name": "Kitchen"}, None, "smart lamps lamp 1 gone: name Kitchen"),
    ],
)  # fmt: skip
def test_a_change_in_plain_words(before, after, sentence):
    assert events_of(change(before, after)) == [sentence]


class Phone:
    """A phone whose next net change is given."""

    def __init__(self):
        self.next, self.calls = StateDiff(), 0

    def snapshot(self):
        return "now"

    def diff(self, since):
        diff, self.next = self.next, StateDiff()
        return diff

    def execute(self, *_):
        self.calls += 1


@pytest.fixture
def memory():
    return UserMemory(embedder=WordEmbedder())


def test_each_intention_is_due_once_and_nothing_is_carried_out(memory):
    phone = Phone()
    memory.service.intend("Water the plants", at="2000-01-01T08:00")
    memory.service.intend("Close the window", event="kitchen lamp off")
    memory.service.intend("Far away", at="2999-01-01T08:00")
    watch = Watch(phone, memory, lambda: "2026-03-02T09:00")
    (first,) = watch.look()
    assert (first["content"], first["because"], first["at"]) == (
        "Water the plants", "the time has come", "2026-03-02T09:00",
    )  # fmt: skip
    assert watch.look() == []
    phone.next = change({"name": "Kitchen lamp", "on": True}, {"name": "Kitchen lamp", "on": False})
    (second,) = watch.look()
    assert (second["content"], second["because"]) == (
        "Close the window", "smart lamps lamp 1 changed: name Kitchen lamp, on off",
    )  # fmt: skip
    assert watch.look(["kitchen lamp off"]) == [] and phone.calls == 0


def test_an_event_that_the_phone_does_not_tell(memory):
    memory.service.intend("Buy bread", event="passing the bakery")
    watch = Watch(Phone(), memory, lambda: "")
    assert watch.look(["at the office"]) == []
    assert [item["content"] for item in watch.look(["passing the old bakery"])] == ["Buy bread"]


def test_what_a_watch_saw_stays_in_the_evidence_until_it_is_settled(memory):
    record = memory.service.intend("Buy bread", event="bakery")
    Watch(Phone(), memory, lambda: "").look(["at the bakery"])

    def due(process):
        return [item["memory_id"] for item in process.recall("anything", 5, Deadline.never()) if item.get("due")]

    assert (due(memory), due(memory)) == ([record.id], [])  # once by each process
    assert due(UserMemory(service=memory.service)) == [record.id]
    memory.service.settle(record.id)
    assert due(UserMemory(service=memory.service)) == []


@pytest.fixture
def pocket(home, capsys):
    def run(*args):
        code = root.main([*args, "--set", "phone.clock=2026-03-02T09:00"] if args[0] == "watch" else list(args))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_the_command_shows_what_is_due_and_lets_it_be_settled(pocket):
    _, out, _ = pocket("memory", "add", "Water the plants", "--category", "important_event", "--at", "2026-03-02T10:00",
                       "--json")  # fmt: skip
    memory_id = json.loads(out)["id"]
    assert pocket("watch", "--once", "--json") == (0, "", "")
    code, out, _ = pocket("watch", "--until", "2026-03-02T10:30", "--json")
    due = json.loads(out)
    assert (code, due["memory_id"], due["content"], due["at"]) == (0, memory_id, "Water the plants", "2026-03-02T10:30")
    said = "nothing became due; each intention is shown once (`pocket memory list` has all that are open)\n"
    assert pocket("watch", "--until", "2026-03-02T11:00") == (0, "", said)
    assert pocket("watch", "--done", memory_id)[:2] == (0, f"{memory_id}: done\n")


def test_wrong_use_fires_nothing(pocket):
    pocket("memory", "add", "Call Ann", "--at", "2026-03-02T08:00")
    assert pocket("watch", "--until", "soon")[:2] == (2, "")
    assert "Call Ann" in pocket("watch", "--once")[1]


def test_a_fact_is_no_intention(pocket):
    pocket("memory", "add", "Parks on level two")
    code, _, err = pocket("watch", "--done", "mem_0001")
    assert (code, err) == (2, "pocket: memory `mem_0001` is no intention. Use one of kind `prospective`.\n")


def test_an_event_at_the_command_line(pocket):
    pocket("memory", "add", "Buy bread", "--category", "important_event", "--event", "bakery")
    code, out, _ = pocket("watch", "--event", "passing the bakery", "--for", "0")
    assert code == 0 and "Buy bread" in out and "passing the bakery" in out


@pytest.mark.parametrize(
    ("args", "message"),
    [(("--until", "soon"), "`--until` is `soon`; write a local time"),
     (("--until", "2026-03-03T09:00+02:00"), "`--until` is `2026-03-03T09:00+02:00`; write a local time"),
     (("--until", "2026-03-01T09:00"), "the phone's time is 2026-03-02T09:00. Give a later local time."),
     (("--done", "mem_9"), "there is no memory `mem_9`. Use an id that `pocket memory list` shows.")],
)  # fmt: skip
def test_wrong_use(pocket, args, message):
    code, _, err = pocket("watch", *args)
    assert code == 2 and message in err
