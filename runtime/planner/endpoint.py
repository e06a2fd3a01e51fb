"""A planner behind any OpenAI-compatible endpoint with native tool calls (llama-server, vLLM, Ollama, a cloud).

    ContextView.messages + exposed tools -> POST /chat/completions -> tool calls -> actions

Ask, refuse and finish are offered as functions beside the tools. A call whose arguments are no JSON object is a
`ParseError`, never an empty call. The endpoint gives no token ids: the decision says so, and its episode is for SFT
only. A busy or unreachable server is tried again until the deadline (retries.py), then it is an `InfrastructureError`.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

import httpx

from runtime.contract import (
    Action,
    ContextView,
    Deadline,
    Decision,
    Finish,
    InfrastructureError,
    Json,
    ParseError,
    ToolCall,
    ToolSpec,
    Usage,
    UserError,
)
from runtime.dialect import CONTROL_ACTIONS, action_from, parse_decision, render_call
from runtime.planner.llama import cut_off
from runtime.planner.retries import post
from runtime.planner.settings import PlannerSettings
from runtime.planner.streamed import words

CONTROL_TEXTS = {
    "ask": "Ask the user for what is missing or ambiguous.",
    "refuse": "Decline: no tool can do this, or it must not be done.",
    "finish": "Say that the request is done, with the answer if one was asked for.",
}
CHARS_A_TOKEN = 3
"""Text is counted as one token for so many characters, which is more than it costs in any Latin script."""


class EndpointPlanner:
    """One model of one endpoint; `spec` is `http(s)://host/v1#model`."""

    accepts: frozenset[Literal["text", "image"]] = frozenset({"text"})

    def __init__(self, spec: str, settings: PlannerSettings | None = None) -> None:
        """`UserError` when the address is not complete or the key's variable is asked for and empty."""
        self.settings = settings or PlannerSettings()
        self._url, self._model = split_spec(spec)
        key = os.environ.get(self.settings.api_key_env, "")
        if not (key.isascii() and key.isprintable()):  # the key itself is never shown
            raise UserError(
                f"the key in `{self.settings.api_key_env}` holds a character that no header may. Set it anew."
            )
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(headers=headers)
        self.listener: Callable[[str], None] | None = None
        """Hears what the model writes, where the endpoint is asked to stream."""
        self.identity = f"endpoint-{self._model}@{hashlib.sha256(self._url.encode()).hexdigest()[:8]}"
        self.context_tokens = self.settings.endpoint_context_tokens

    @property
    def sampling(self) -> Json:
        """Sampling parameters, for the trace."""
        return self.settings.model_dump(include={"temperature", "seed", "max_output_tokens", "tool_choice"})

    def count_tokens(self, text: str) -> int:
        """An upper estimate: the endpoint has no tokenizer to ask."""
        return -(-len(text) // CHARS_A_TOKEN)

    def decide(self, context: ContextView, deadline: Deadline) -> Decision:
        """The next decision."""
        began = time.perf_counter()
        url, told = f"{self._url}/chat/completions", self._told if self.settings.stream else None
        reply = post(self._client, url, self._body(context), self.settings.retries, deadline, told)
        choice, usage = _first_choice(reply)
        turn = sum(message.get("role") == "assistant" for message in context.messages)
        message = choice.get("message") or {}
        thought, raw, actions = read_message(message, f"{context.segment}.{turn}", choice.get("finish_reason"))
        return Decision(actions=actions, thought=thought, raw=raw, usage=usage, seconds=time.perf_counter() - began)

    def _body(self, context: ContextView) -> Json:
        return {
            "model": self._model,
            "messages": list(context.messages),
            "tools": functions(context.exposed),
            "tool_choice": self.settings.tool_choice,
            "temperature": self.settings.temperature,
            "seed": self.settings.seed,
            "max_tokens": self.settings.max_output_tokens,
            **({"stream": True, "stream_options": {"include_usage": True}} if self.settings.stream else {}),
        }

    def _told(self, line: str) -> None:
        """Pass what a line of the stream adds on to the listener."""
        if self.listener is not None and (more := words(line)):
            self.listener(more)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def split_spec(spec: str) -> tuple[str, str]:
    """Base address and model of `http(s)://host/v1#model`; `UserError` when one is missing."""
    try:
        parts = urlsplit(spec)
        port = parts.port
    except ValueError as error:
        raise UserError(f"`{spec}` is no address: {error}. Write `http(s)://host:port/v1#model`.") from None
    if port == 0 or parts.scheme not in ("http", "https") or not parts.netloc or not parts.fragment:
        raise UserError(f"`{spec}` does not name an endpoint. Write `http(s)://host:port/v1#model`.")
    if parts.username or parts.password:
        raise UserError("an endpoint's address holds no key. Put it in the variable that `planner.api_key_env` names.")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}", parts.fragment


def functions(tools: Sequence[ToolSpec]) -> list[Json]:
    """The exposed tools and the three actions as function definitions; notes of ours (`x-...`) stay here."""
    offered = [_function(tool.name, tool.description, _plain(tool.parameters)) for tool in tools]
    for name, key in CONTROL_ACTIONS.items():
        schema = {"type": "object", "properties": {key: {"type": "string"}}, "required": [key]}
        offered.append(_function(name, CONTROL_TEXTS[name], schema))
    return offered


def _function(name: str, description: str, parameters: Json) -> Json:
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items() if not str(key).startswith("x-")}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def _first_choice(reply: Json) -> tuple[Json, Usage]:
    """The first choice and the token counts; fields that are not known are left alone."""
    choices = reply.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise InfrastructureError(f"the endpoint's answer has no `choices`: {json.dumps(reply)[:200]}")
    counts = reply.get("usage")
    counts = counts if isinstance(counts, dict) else {}
    details = counts.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else 0
    return choices[0], Usage(
        prompt_tokens=counts.get("prompt_tokens") or 0,
        cached_tokens=cached or 0,
        output_tokens=counts.get("completion_tokens") or 0,
    )


def read_message(message: Json, call_prefix: str, finish_reason: Any) -> tuple[str, str, tuple[Action, ...]]:
    """(thought, raw, actions) of an assistant message.

    Without native calls the text is read in our dialect; a plain text without a block is the answer.
    """
    content = message.get("content")
    raw = _whole(content) if isinstance(content, str) else ""
    native = message.get("tool_calls")
    if isinstance(native, list) and native:
        return _native(raw, native, call_prefix, finish_reason)
    if finish_reason == "length":
        return "", raw, (cut_off(raw, "tokens"),)
    if "<tool_call>" in raw or not raw.strip():
        thought, actions = parse_decision(raw, call_prefix)
        return thought, raw, actions
    return "", render_call("finish", {"answer": raw.strip()}), (Finish(answer=raw.strip()),)


def _native(text: str, native: Sequence[Any], prefix: str, finish_reason: Any) -> tuple[str, str, tuple[Action, ...]]:
    """Native calls as actions; one malformed call makes the whole decision a `ParseError`."""
    actions: list[Action] = []
    raws: list[str] = []
    for index, entry in enumerate(native):
        function = entry.get("function") if isinstance(entry, dict) else None
        function = function if isinstance(function, dict) else {}
        name, arguments = function.get("name"), function.get("arguments")
        raws.append(_whole(f'<tool_call>{{"name": {json.dumps(name)}, "arguments": {_shown(arguments)}}}</tool_call>'))
        actions.append(_action(name, arguments, f"{prefix}{chr(97 + index)}", raws[-1]))
    raw = text + "".join(raws)
    broken = next((action for action in actions if isinstance(action, ParseError)), None)
    if broken is not None:
        return text, raw, (cut_off(raw, "tokens") if finish_reason == "length" else broken,)
    if len(actions) > 1 and not all(isinstance(action, ToolCall) for action in actions):
        return text, raw, (ParseError(message="`ask`, `refuse` and `finish` stand alone; choose one action", raw=raw),)
    return text, raw, tuple(actions)


def _action(name: Any, arguments: Any, call_id: str, raw: str) -> Action:
    if isinstance(arguments, str):
        try:
            arguments = json.loads(_whole(arguments, "surrogatepass"))
        except (json.JSONDecodeError, RecursionError) as error:
            return ParseError(message=f"the arguments of `{_whole(str(name))}` are not JSON: {error}", raw=raw[:600])
    return action_from(name, arguments, call_id, raw[:600])


def _whole(text: str, halves: str = "replace") -> str:
    """`text` with the pairs joined that a stream tore apart. A half that is left has no form in UTF-8, which no trace
    could hold: it is replaced, or with `surrogatepass` left for whoever refuses it."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", halves)


def _shown(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
