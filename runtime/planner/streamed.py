"""An endpoint's answer that comes in pieces (server-sent events): its words as they come, and the whole as one reply.

    data: {"choices": [{"delta": {"content": "..." | "tool_calls": [...]}}]}   ...   data: [DONE]
       -> words, for whoever listens         -> merged: the reply that an answer in one piece would have been

A stream that ends before the server has said that it is through is no reply: half a call must never run.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from runtime.contract import Json

MARK, END = "data:", "[DONE]"
EVENTS = "text/event-stream"


def words(line: str) -> str:
    """What one line of a stream adds to a text or to a call; empty where it adds nothing or can't be read."""
    try:
        deltas = [delta for event in _events([line]) for delta in _deltas(event)]
    except ValueError:
        return ""
    return "".join(part for delta in deltas for part in _parts(delta))


def merged(text: str) -> Json:
    """The reply of all events of a stream; raises `ValueError` for one that broke off or can't be read."""
    content, why = "", None
    usage: Json = {}
    calls: dict[int, Json] = {}
    for event in _events(text.splitlines()):
        usage = event.get("usage") or usage
        why = next((choice["finish_reason"] for choice in _choices(event) if choice.get("finish_reason")), why)
        for delta in _deltas(event):
            content += str(delta.get("content") or "")
            for piece in _pieces(delta):
                _add(calls.setdefault(int(piece.get("index") or 0), _call()), piece)
    if why is None:
        raise ValueError("the stream ended before the answer did")
    message: Json = {"role": "assistant", "content": content or None}
    if calls:
        message["tool_calls"] = [calls[index] for index in sorted(calls)]
    return {"choices": [{"message": message, "finish_reason": why}], "usage": usage}


def _call() -> Json:
    return {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}


def _add(call: Json, piece: Json) -> None:
    """One piece of a call: name and arguments are told in stretches."""
    function = piece.get("function")
    call["id"] = piece.get("id") or call["id"]
    if not isinstance(function, dict):
        return
    for key in ("name", "arguments"):
        call["function"][key] += str(function.get(key) or "")


def _events(lines: Iterable[str]) -> Iterator[Json]:
    """The objects of a stream up to its end; an error that a server sends as an event is raised."""
    for line in lines:
        data = line.removeprefix(MARK).strip() if line.startswith(MARK) else ""
        if data == END:
            return
        event: Any = json.loads(data) if data else None
        if isinstance(event, dict):
            if event.get("error"):
                raise ValueError(f"the server says {json.dumps(event['error'])[:200]}")
            yield event


def _choices(event: Json) -> list[Json]:
    found = event.get("choices")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _deltas(event: Json) -> list[Json]:
    return [choice["delta"] for choice in _choices(event)[:1] if isinstance(choice.get("delta"), dict)]


def _pieces(delta: Json) -> list[Json]:
    found = delta.get("tool_calls")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _parts(delta: Json) -> Iterator[str]:
    yield str(delta.get("content") or "")
    for piece in _pieces(delta):
        function = piece.get("function")
        if isinstance(function, dict):
            yield str(function.get("name") or "") + str(function.get("arguments") or "")
