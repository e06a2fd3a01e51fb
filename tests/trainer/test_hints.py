"""Arguments that a source does not annotate, found by pattern."""

import json
from random import Random

import pytest

from device.sandbox.sandbox import Sandbox
from evalkit.utterances.mapping import gold_of
from evalkit.utterances.rows import Slot, Utterance
from runtime.contract import ToolSpec
from trainer.data.hints import hinted
from trainer.data.spoken_rows import called, declined, followed, typed, unserved


@pytest.mark.parametrize(
    ("source", "intent", "text", "arguments"),
    [
        ("clinc150", "timer", "please set a timer for 6 minutes", {"duration": "6 minutes"}),
        ("clinc150", "spelling", "how do you spell syzygy", {"word": "syzygy"}),
        ("clinc150", "travel_alert", "is it safe to travel to russia", {"location": "russia"}),
        ("hwu64", "lists_createoradd", "add toothpaste to my shopping list", {"item": "toothpaste"}),
        ("hwu64", "transport_query", "how far is orlando", {}),
    ],
)
def test_a_pattern_gives_its_groups(source: str, intent: str, text: str, arguments: dict[str, str]) -> None:
    assert hinted(Utterance(source=source, intent=intent, text=text)) == (arguments, True)


def test_a_row_that_no_pattern_finds_is_not_whole() -> None:
    row = Utterance(source="clinc150", intent="text", text="write text and send to someone")
    assert hinted(row) == ({}, False)


def test_a_row_that_is_not_whole_teaches_the_tool_alone(specs: dict[str, ToolSpec]) -> None:
    row = Utterance(source="clinc150", intent="text", text="write text and send to someone")
    gold = gold_of(row)
    assert gold is not None
    move = called(row, gold, specs[gold.tool]).moves[0]
    assert move.raw[: move.learned] == '<tool_call>{"name": "send_message", "arguments": {'


def test_an_annotated_row_becomes_a_whole_call_in_schema_order(specs: dict[str, ToolSpec]) -> None:
    row = Utterance(
        source="hwu64",
        intent="alarm_set",
        text="tomorrow wake me at seven",
        slots=(Slot(name="date", value="tomorrow", start=0, end=8), Slot(name="time", value="seven", start=20, end=25)),
    )
    gold = gold_of(row)
    assert gold is not None
    move = called(row, gold, specs[gold.tool]).moves[0]
    arguments = '{"action": "create", "time": "seven", "date": "tomorrow"}'
    assert (move.raw, move.learned) == (
        f'<tool_call>{{"name": "manage_alarm", "arguments": {arguments}}}</tool_call>',
        None,
    )


def test_what_is_missing_is_asked_for_after_the_phone_said_so(specs: dict[str, ToolSpec]) -> None:
    row = Utterance(source="hwu64", intent="alarm_set", text="set an alarm")
    gold = gold_of(row)
    assert gold is not None
    always = Random()
    always.random = lambda: 0.0  # type: ignore[method-assign]
    exchange = followed(called(row, gold, specs[gold.tool]), gold, Sandbox(), always)
    assert [json.loads(move.raw[11:-12])["name"] for move in exchange.moves] == ["manage_alarm", "ask"]
    assert "`manage_alarm` create needs `time`" in str(exchange.moves[0].response)


def test_talk_is_answered_with_a_question_and_the_rest_refused(specs: dict[str, ToolSpec]) -> None:
    talk = declined(Utterance(source="hwu64", intent="general_praise", text="well done"), Random(1))
    beyond = declined(Utterance(source="clinc150", intent="oos", text="is the earth flat"), Random(1))
    assert '"ask"' in talk.moves[0].raw
    assert '"refuse"' in beyond.moves[0].raw


def test_a_tool_that_is_absent_is_named_so(specs: dict[str, ToolSpec]) -> None:
    row = Utterance(source="clinc150", intent="timer", text="start a timer")
    gold = gold_of(row)
    assert gold is not None
    assert unserved(row, gold, Random(1)).absent == {"manage_countdown"}


def test_values_follow_the_schema(specs: dict[str, ToolSpec]) -> None:
    spec = specs["book_taxi"]
    assert typed({"passengers": "3", "service": "uber"}, spec) == {"passengers": 3, "service": "uber"}
    assert typed({"passengers": "three"}, spec) == {}
    assert typed({"action": "dance"}, specs["manage_alarm"]) == {}
