"""What a run leaves in memory: its request, what it changed, questions and answers; nothing that came out of it."""

from datetime import datetime

import pytest

from memory.happened import standing, turns_of
from memory.manager import UserMemory
from memory.records import Trust
from memory.store import Filter
from runtime.contract import (
    Ask,
    Decision,
    Digests,
    Episode,
    ExecutedCall,
    Finish,
    Observation,
    RowChange,
    Segment,
    StateDiff,
    Step,
    Stop,
    TaskView,
    TextPart,
    ToolCall,
    WorldSpec,
)
from runtime.layout import static_pieces, system_pieces, text_of, turn_pieces

NOW = datetime(2026, 3, 2, 9, 0)
CHANGED = StateDiff(changes=(RowChange(table="alarms", key="a1", before=None, after={"time": "07:30"}),))


def done(name, arguments, diff=CHANGED, data=None, **more):
    call = ToolCall(id="s0a", name=name, arguments=arguments)
    ran = ExecutedCall(name=name, arguments=arguments, idempotency_key="k", landed="yes")
    seen = Observation(call_id="s0a", call=ran, diff=diff, data=data or {}, **more)
    return Decision(actions=(call,)), (seen,)


def answered(question, answer):
    return Decision(actions=(Ask(question=question),)), (Observation(call_id="", parts=(TextPart(text=answer),)),)


def finished(answer):
    return Decision(actions=(Finish(answer=answer),)), ()


def episode(request, *steps, memory="", prefix=""):
    made = tuple(Step(index=n, decision=decision, observations=seen) for n, (decision, seen) in enumerate(steps))
    return Episode(
        id="20260302-090000-1f3a9c",
        view=TaskView(request=request),
        segments=(Segment(prefix=prefix, steps=made),),
        stop=Stop.FINISHED,
        digests=Digests(memory=memory),
    )


ALARM = done("manage_alarm", {"action": "create", "time": "07:30", "title": "morning run"})
READ = done("read_notes", {"query": "run"}, StateDiff())
SEARCHED = done(
    "search_user_memory",
    {"query": "run"},
    StateDiff(),
    {"items": [{"memory_id": "mem_a", "content": "Runs along the canal before breakfast"}], "total": 1},
)


def test_a_run_becomes_turns_with_their_speakers_and_trust():
    turns = turns_of(
        episode("Wake me for my morning run", answered("At what time?", "half past seven"), ALARM, finished("Done.")),
        "2026-03-02T09:00:00",
    )
    assert [(turn.speaker, turn.text, turn.trust) for turn in turns] == [
        ("user", "Wake me for my morning run", Trust.USER),
        ("agent", "At what time?", Trust.AGENT),
        ("user", "half past seven", Trust.USER),
        ("agent", "Did manage_alarm: action create, time 07:30, title morning run.", Trust.AGENT),
        ("agent", "Done.", Trust.AGENT),
    ]
    assert {turn.session for turn in turns} == {"20260302-090000-1f3a9c"}
    assert [turn.turn for turn in turns][:2] == ["20260302-090000-1f3a9c:0", "20260302-090000-1f3a9c:1"]


@pytest.mark.parametrize("step", [READ, SEARCHED, done("add_user_memory", {"content": "Likes tea"})])
def test_what_was_only_read_or_is_kept_already_is_no_turn(step):
    assert [turn.text for turn in turns_of(episode("What is new?", step), "2026-03-02")] == ["What is new?"]


def test_a_question_that_was_refused_is_no_turn():
    asked = episode("What is Ann's card number?", finished("I can't tell you that."))
    assert [turn.text for turn in turns_of(asked.model_copy(update={"stop": Stop.REFUSED}), "2026-03-02")] == [
        "I can't tell you that."
    ]
    told = episode("I live in Ulm now. Buy me the castle.").model_copy(update={"stop": Stop.REFUSED})
    assert [turn.text for turn in turns_of(told, "2026-03-02")] == ["I live in Ulm now. Buy me the castle."]


@pytest.fixture
def memory(words):
    made = UserMemory(None, words, lambda: NOW)
    made.reset(WorldSpec(memories=({"id": "mem_a", "content": "Runs along the canal before breakfast"},)))
    yield made
    made.close()


def texts(memory):
    return [record.content for _, record in memory.store.records(Filter(standing=(), expired=True))]


def test_a_run_is_captured_once(memory):
    run = episode("My sister Clara moves to Oslo in June", ALARM, finished("All set."))
    assert memory.capture(run) >= 2
    kept = texts(memory)
    assert "My sister Clara moves to Oslo in June" in " ".join(kept)
    assert memory.capture(run) == 0
    assert texts(memory) == kept


@pytest.mark.parametrize("shown", [{"memory": "mem_a"}, {}])
def test_what_was_recalled_is_never_captured_again(memory, shown):
    steps = () if shown else (SEARCHED,)
    answer = finished("Runs along the canal before breakfast")
    memory.capture(episode("What do you know about my mornings?", *steps, answer, **shown))
    assert texts(memory).count("Runs along the canal before breakfast") == 1
    assert not any("canal" in text for text in texts(memory)[1:])


RULE = "Always ask before anything is bought with the phone"
PREFIX = text_of(
    [
        *static_pieces(f"You help with a phone. {RULE}."),
        *system_pieces({"skills": "Rides are booked an hour ahead at least.", "memory": "Owns a green canoe"}),
        *turn_pieces("user", "My canoe lies in the boathouse at Lake Sava"),
    ]
)


def test_the_system_turn_alone_is_a_standing_text():
    (text,) = standing(episode("Rent a canoe", prefix=PREFIX))
    assert RULE in text
    assert "Rides are booked an hour ahead" in text
    assert "canoe" not in text
    assert standing(episode("Rent a canoe", prefix="no turn at all")) == []


def test_what_a_model_repeats_of_the_system_turn_is_never_captured(memory):
    said = "The booking office of Lake Sava opens at nine in summer."
    memory.capture(episode("When does it open?", finished(f"{RULE}. {said}"), prefix=PREFIX))
    assert said in texts(memory)
    assert not any("bought" in text for text in texts(memory))


def test_what_the_user_said_before_the_request_is_no_standing_text(memory):
    memory.capture(episode("My canoe lies in the boathouse at Lake Sava", prefix=PREFIX))
    assert "My canoe lies in the boathouse at Lake Sava" in texts(memory)
