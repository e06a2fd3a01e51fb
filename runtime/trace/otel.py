"""Episodes as OpenTelemetry spans: the GenAI semantic conventions, in the JSON form of OTLP, one `TracesData` a line.

    episode -> invoke_agent pocketplanner            root span: request, answer, stop, confirmation, digests
      step  -> chat PLANNER                          the decision: tokens, what was chosen
      call  -> execute_tool NAME                     arguments, result, executed call, state, read-back, failure
        part -> invoke_agent pocketplanner           a sub-agent's episode: a line of its own in the trace of its run

The conventions are in development and ours is the record: what they have no name for stands under `pocketplanner.`.
Steps keep durations and no clock times, so that spans lie one after another from the episode's start.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from runtime.contract import (
    Ask,
    Decision,
    Episode,
    Finish,
    Json,
    Observation,
    ParseError,
    Refuse,
    Step,
    Stop,
    TextPart,
    ToolCall,
)

NAME = "pocketplanner"
INTERNAL, CLIENT = 1, 3
"""Kinds of span."""
ERROR = 2
"""Status of a span."""
NANO = 1_000_000_000
PART = re.compile(r"(\d{8}-\d{6}-[0-9a-f]{6}):s(\d+)([a-z])")
"""The task of a sub-agent's episode: run and call that it belongs to."""


def traces_data(episode: Episode, version: str) -> Json:
    """One episode as a `TracesData` object."""
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": _attributes({"service.name": NAME, "service.version": version})},
                "scopeSpans": [{"scope": {"name": NAME, "version": version}, "spans": list(_spans(episode, version))}],
            }
        ]
    }


def _spans(episode: Episode, version: str) -> Iterator[Json]:
    trace, caller = _place(episode)
    root = _hex(f"{episode.id}/", 16)
    start = at = _start_of(episode)
    below: list[Json] = []
    events: list[Json] = []
    for step in episode.steps:
        at += _nano(step.overhead_s)
        chat = _hex(f"{episode.id}/{step.index}", 16)
        until = at + _nano(step.decision.seconds)
        below.append(_span(trace, chat, root, f"chat {episode.digests.planner or NAME}", CLIENT, at, until,
                           _chat(episode, step)))  # fmt: skip
        at = until
        called = {action.id: action for action in step.decision.actions if isinstance(action, ToolCall)}
        for number, seen in enumerate(step.observations):
            until = at + _nano(seen.seconds)
            if (call := called.get(seen.call_id)) is not None:
                own = _hex(f"{episode.id}/{step.index}/{number}", 16)
                below.append(_tool(trace, own, root, call, seen, (at, until)))
            else:
                said = {
                    "gen_ai.output.type": "text",
                    "pocketplanner.text": _text(seen),
                    "pocketplanner.step": step.index,
                }
                events.append({"timeUnixNano": str(at), "name": "pocketplanner.observation",
                               "attributes": _attributes(said)})  # fmt: skip
            at = until
    end = max(at, start + _nano(episode.timing.seconds))
    whole = _span(trace, root, caller, f"invoke_agent {NAME}", INTERNAL, start, end, _agent(episode, version))
    if events:
        whole["events"] = events
    if episode.stop is Stop.INFRASTRUCTURE:
        whole["status"] = {"code": ERROR, "message": episode.stop_detail}
    yield whole
    yield from below


def _place(episode: Episode) -> tuple[str, str]:
    """The trace of an episode, and the span that it lies in: of a sub-agent's part its run's, and the call's."""
    part = PART.fullmatch(episode.task_id)
    if part is None:
        return _hex(episode.id, 32), ""
    run, step, call = part.groups()
    return _hex(run, 32), _hex(f"{run}/{step}/{ord(call) - ord('a')}", 16)


def _span(
    trace: str, own: str, parent: str, name: str, kind: int, start: int, end: int, attributes: Mapping[str, Any]
) -> Json:
    return {
        "traceId": trace,
        "spanId": own,
        **({"parentSpanId": parent} if parent else {}),
        "name": name,
        "kind": kind,
        "startTimeUnixNano": str(start),
        "endTimeUnixNano": str(end),
        "attributes": _attributes(attributes),
    }


def _agent(episode: Episode, version: str) -> Json:
    word = episode.confirmation
    answers = [one for step in episode.steps for one in step.decision.actions if not isinstance(one, ToolCall)]
    turns = [_message(turn.role, turn.text) for turn in episode.view.turns]
    return {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": NAME,
        "gen_ai.agent.name": NAME,
        "gen_ai.agent.version": version,
        "gen_ai.conversation.id": _conversation(episode),
        "gen_ai.request.model": episode.digests.planner,
        "gen_ai.input.messages": _json([*turns, _message("user", episode.view.request)]),
        "gen_ai.output.messages": _json([_message("assistant", _said(answers[-1]))] if answers else []),
        "gen_ai.usage.input_tokens": sum(step.decision.usage.prompt_tokens for step in episode.steps),
        "gen_ai.usage.output_tokens": sum(step.decision.usage.output_tokens for step in episode.steps),
        "gen_ai.response.finish_reasons": [str(episode.stop)],
        "error.type": str(episode.stop) if episode.stop is Stop.INFRASTRUCTURE else "",
        "pocketplanner.run": episode.id,
        "pocketplanner.task": episode.task_id,
        "pocketplanner.stop.detail": episode.stop_detail,
        "pocketplanner.confirmed": None if word is None else word.confirmed,
        "pocketplanner.confirmation.reasons": list(word.reasons) if word is not None else [],
        "pocketplanner.tools": sorted({name for segment in episode.segments for name in segment.exposed}),
        "pocketplanner.context": [segment.prefix for segment in episode.segments],
        **{f"pocketplanner.digest.{name}": _flat(value) for name, value in episode.digests if value},
    }


def _chat(episode: Episode, step: Step) -> Json:
    decision = step.decision
    calls = any(isinstance(action, ToolCall) for action in decision.actions)
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": NAME,
        "gen_ai.conversation.id": _conversation(episode),
        "gen_ai.request.model": episode.digests.planner,
        "gen_ai.output.messages": _json([_decided(decision)]),
        "gen_ai.response.finish_reasons": ["tool_call" if calls else "stop"],
        "gen_ai.usage.input_tokens": decision.usage.prompt_tokens,
        "gen_ai.usage.output_tokens": decision.usage.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": decision.usage.cached_tokens,
        "pocketplanner.step": step.index,
        "pocketplanner.overhead_s": step.overhead_s,
        "pocketplanner.raw": decision.raw,
    }


def _tool(trace: str, own: str, root: str, call: ToolCall, seen: Observation, times: tuple[int, int]) -> Json:
    attributes: Json = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": call.name,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": call.id,
        "gen_ai.tool.call.arguments": _json(call.arguments),
        "gen_ai.tool.call.result": _json(seen.data) if seen.ok else _text(seen),
        "pocketplanner.executed": _json(seen.call.arguments) if seen.call else "",
        "pocketplanner.landed": seen.call.landed if seen.call else "no",
        "pocketplanner.idempotency_key": seen.call.idempotency_key if seen.call else "",
        "pocketplanner.state.changes": [_json(one.model_dump(mode="json")) for one in seen.diff.changes],
        "pocketplanner.state.evidence": _json(seen.evidence.model_dump(mode="json")) if seen.evidence else "",
        "pocketplanner.cuts": [_json(cut.model_dump(mode="json")) for cut in seen.cuts],
    }
    if seen.failure is not None:
        attributes["error.type"] = str(seen.failure.code)
    span = _span(trace, own, root, f"execute_tool {call.name}", INTERNAL, *times, attributes)
    if seen.failure is not None:
        span["status"] = {"code": ERROR, "message": seen.failure.message}
    return span


def _decided(decision: Decision) -> Json:
    parts: list[Json] = [{"type": "reasoning", "content": decision.thought}] if decision.thought else []
    for action in decision.actions:
        if isinstance(action, ToolCall):
            parts.append({"type": "tool_call", "id": action.id, "name": action.name, "arguments": action.arguments})
        else:
            parts.append({"type": "text", "content": _said(action)})
    calls = any(part["type"] == "tool_call" for part in parts)
    return {"role": "assistant", "parts": parts, "finish_reason": "tool_call" if calls else "stop"}


def _said(action: Ask | Refuse | Finish | ParseError) -> str:
    words = action.model_dump(exclude={"kind"})
    return f"{action.kind}: {next(iter(words.values()))}"


def _message(role: str, text: str) -> Json:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def _text(seen: Observation) -> str:
    if seen.failure is not None:
        return f"{seen.failure.status} {seen.failure.code}: {seen.failure.message}"
    return "\n".join(part.text for part in seen.parts if isinstance(part, TextPart)) or _json(seen.data)


def _conversation(episode: Episode) -> str:
    """The dialogue that an episode is a turn of, else the run itself."""
    kind, _, rest = episode.task_id.partition(":")
    return rest.partition(":")[0] if kind == "chat" and rest else episode.id


def _attributes(values: Mapping[str, Any]) -> list[Json]:
    """What is empty is left out."""
    return [{"key": key, "value": _value(value)} for key, value in values.items() if value not in (None, "", [])]


def _value(value: Any) -> Json:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_value(one) for one in value]}}
    return {"stringValue": str(value)}


def _flat(value: Any) -> Any:
    return _json(value) if isinstance(value, dict) else value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _hex(text: str, digits: int) -> str:
    """Ids that are the same in every export of an episode."""
    return hashlib.sha256(f"{NAME}:{text}".encode()).hexdigest()[:digits]


def _start_of(episode: Episode) -> int:
    try:
        began = datetime.fromisoformat(episode.timing.started_at)
    except ValueError:
        return 0
    began = began if began.tzinfo is not None else began.replace(tzinfo=UTC)
    return round(began.timestamp() * 1000) * 1_000_000


def _nano(seconds: float) -> int:
    return max(0, round(seconds * NANO))
