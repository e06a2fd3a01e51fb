"""Exports: OpenTelemetry spans by the GenAI conventions, and one page that holds its records as text alone."""

import json
import re

import pytest

from runtime.contract import (
    Confirmation,
    Decision,
    Digests,
    Episode,
    ErrorCode,
    Evidence,
    ExecutedCall,
    Failure,
    Finish,
    Observation,
    RowChange,
    Segment,
    StateDiff,
    Step,
    Stop,
    TaskView,
    TextPart,
    Timing,
    ToolCall,
    Turn,
    Usage,
)
from runtime.trace.otel import traces_data
from runtime.trace.page import page

HOSTILE = "</script><script>alert(1)</script>\u2028\u202e"


@pytest.fixture
def episode():
    done = ExecutedCall(name="control_lamp", arguments={"action": "on"}, idempotency_key="r:s0a", landed="yes")
    change = RowChange(table="lamps", key="kitchen", before={"is": "off"}, after={"is": "on"})
    lit = Observation(call_id="s0a", parts=(TextPart(text='{"lamp": "on"}'),), data={"lamp": "on"}, call=done,
                      diff=StateDiff(changes=(change,)), evidence=Evidence(source="tables", facts={"rows": []}),
                      seconds=0.25)  # fmt: skip
    gone = Observation(call_id="s0b", failure=Failure(code=ErrorCode.NOT_FOUND, message=HOSTILE), seconds=0.5)
    calls = (
        ToolCall(id="s0a", name="control_lamp", arguments={"action": "on"}),
        ToolCall(id="s0b", name="read_notes", arguments={"query": HOSTILE}),
    )
    used = Usage(prompt_tokens=90, cached_tokens=60, output_tokens=12)
    decided = Decision(actions=calls, usage=used, seconds=1.0, thought="light")
    first = Step(index=0, decision=decided, observations=(lit, gone), overhead_s=0.002)
    last = Step(
        index=1, decision=Decision(actions=(Finish(answer="it is on"),), usage=Usage(prompt_tokens=99, output_tokens=3))
    )
    return Episode(
        id="20260302-090000-abcdef",
        task_id="chat:d1:2",
        view=TaskView(request=f"light {HOSTILE}", turns=(Turn(role="user", text="hello"),)),
        segments=(Segment(prefix="system: you act", exposed=("control_lamp", "read_notes"), steps=(first, last)),),
        stop=Stop.FINISHED,
        confirmation=Confirmation(confirmed=False, reasons=("`read_notes` failed",)),
        digests=Digests(planner="embedded@1", memory="m1 m2"),
        timing=Timing(started_at="2026-03-02T09:00:00.000+00:00", seconds=2.5),
    )


def spans_of(data):
    (resource,) = data["resourceSpans"]
    (scope,) = resource["scopeSpans"]
    return scope["spans"]


def attributes(span):
    return {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}


def test_spans_follow_the_conventions(episode):
    root, chat, lit, gone, last = spans_of(traces_data(episode, "1.2"))
    assert [span["name"] for span in (root, chat, lit, gone, last)] == [
        "invoke_agent pocketplanner",
        "chat embedded@1",
        "execute_tool control_lamp",
        "execute_tool read_notes",
        "chat embedded@1",
    ]
    assert {span["traceId"] for span in (root, chat, lit, gone, last)} == {root["traceId"]}
    assert re.fullmatch("[0-9a-f]{32}", root["traceId"]) and re.fullmatch("[0-9a-f]{16}", lit["spanId"])
    assert "parentSpanId" not in root and lit["parentSpanId"] == root["spanId"]
    told = attributes(root)
    assert (told["gen_ai.operation.name"], told["gen_ai.conversation.id"]) == ("invoke_agent", "d1")
    assert told["pocketplanner.digest.memory"] == "m1 m2"
    assert told["gen_ai.usage.input_tokens"] == "189"
    assert json.loads(told["gen_ai.input.messages"])[0] == {
        "role": "user", "parts": [{"type": "text", "content": "hello"}]}  # fmt: skip


def test_a_call_carries_arguments_result_state_and_failure(episode):
    _, chat, lit, gone, _ = spans_of(traces_data(episode, "1.2"))
    told = attributes(lit)
    assert json.loads(told["gen_ai.tool.call.arguments"]) == {"action": "on"}
    assert json.loads(told["gen_ai.tool.call.result"]) == {"lamp": "on"}
    assert (told["pocketplanner.landed"], told["gen_ai.tool.call.id"]) == ("yes", "s0a")
    assert json.loads(told["pocketplanner.state.changes"]["values"][0]["stringValue"])["after"] == {"is": "on"}
    assert gone["status"] == {"code": 2, "message": HOSTILE}
    assert attributes(gone)["error.type"] == "not_found"
    (message,) = json.loads(attributes(chat)["gen_ai.output.messages"])
    assert [part["type"] for part in message["parts"]] == ["reasoning", "tool_call", "tool_call"]
    assert message["finish_reason"] == "tool_call"


def test_spans_lie_one_after_another(episode):
    root, chat, lit, gone, _ = spans_of(traces_data(episode, "1.2"))
    began = 1772442000 * 10**9
    assert int(root["startTimeUnixNano"]) == began
    assert int(root["endTimeUnixNano"]) == began + 2_500_000_000
    assert [int(span["startTimeUnixNano"]) - began for span in (chat, lit, gone)] == [
        2_000_000, 1_002_000_000, 1_252_000_000]  # fmt: skip
    assert int(gone["endTimeUnixNano"]) - began == 1_752_000_000


def test_a_part_lies_in_the_trace_of_its_run_below_the_call(episode):
    root, _, lit, *_ = spans_of(traces_data(episode, "1"))
    part = episode.model_copy(update={"id": "20260302-090001-fedcba", "task_id": f"{episode.id}:s0a"})
    first, *rest = spans_of(traces_data(part, "1"))
    assert (first["traceId"], first["parentSpanId"]) == (root["traceId"], lit["spanId"])
    assert {span["parentSpanId"] for span in rest} == {first["spanId"]}
    assert {span["traceId"] for span in rest} == {root["traceId"]} and "parentSpanId" not in root


def test_an_export_is_the_same_every_time(episode):
    assert traces_data(episode, "1.2") == traces_data(episode, "1.2")


def blocks(text):
    """Kind and content of the page's scripts."""
    return dict(re.findall(r'<script(?: id="(\w+)"[^>]*)?>(.*?)</script>', text, re.S))


def test_the_page_holds_every_step_and_nothing_that_runs(episode):
    found = blocks("".join(page([episode, episode.model_copy(update={"id": "other"})])))
    assert set(found) == {"steps", "episodes", ""}
    lines = [json.loads(line) for line in found["steps"].splitlines()]
    assert [(line["episode"], line["index"], line["failed"]) for line in lines] == [
        (0, 0, True), (0, 1, False), (1, 0, True), (1, 1, False)]  # fmt: skip
    assert lines[0]["decision"]["actions"][1]["arguments"]["query"] == HOSTILE
    assert "alert(1)" not in found[""]
    about = json.loads(found["episodes"])
    assert [(one["id"], one["segments"][0]["steps"]) for one in about] == [(episode.id, 2), ("other", 2)]


def test_the_page_fetches_nothing(episode):
    text = "".join(page([episode]))
    assert "default-src 'none'" in text
    assert re.findall(r"(?:src|href)\s*=|\bfetch\(|XMLHttpRequest|innerHTML|insertAdjacentHTML|\beval\(", text) == []


def test_no_number_and_no_token_id_breaks_the_page(episode):
    (segment,) = episode.segments
    odd = segment.steps[0].observations[0].model_copy(update={"data": {"speed": float("nan")}})
    step = segment.steps[0].model_copy(update={"observations": (odd,)})
    text = "".join(page([episode.model_copy(update={"segments": (segment.model_copy(update={"steps": (step,)}),)})]))
    (line,) = blocks(text)["steps"].splitlines()
    assert json.loads(line, parse_constant=pytest.fail)["observations"][0]["data"] == {"speed": "nan"}
    assert "prompt_ids" not in line
