"""The action dialect: how tools look to a planner and how its choice is read back.

1. A tool is one line, `name(required; optional) what it does`, about 25 tokens. Enumerations are spelled out, other
   types only where they aren't text.
2. An action is an optional short thought, then `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`, as in
   Qwen / Hermes. `ask`, `refuse` and `finish` are calls too.
3. Arguments stand in the schema's order with one space after each colon and comma, so that a grammar and a trained
   planner agree on every character.

The trainer renders its targets with the same functions; nothing here may depend on a tokenizer.
"""

import json
from collections.abc import Sequence
from typing import Any

from runtime.contract import Action, Ask, Finish, Json, ParseError, Refuse, ToolCall, ToolSpec

CALL_OPEN, CALL_CLOSE = "<tool_call>", "</tool_call>"
CONTROL_ACTIONS: dict[str, str] = {"ask": "question", "refuse": "reason", "finish": "answer"}
"""The three actions that are no tools, with their one text argument."""
RAW_KEPT = 600
"""Characters of a malformed action that are kept as data, half from each end."""


def signature(tool: ToolSpec) -> str:
    """One line for the context: required arguments, a semicolon, optional ones, then the description."""
    properties: Json = tool.parameters.get("properties", {})
    required = tool.parameters.get("required", [])
    needed = ", ".join(_parameter(name, properties[name]) for name in properties if name in required)
    optional = ", ".join(_parameter(name, properties[name]) for name in properties if name not in required)
    inside = needed + ("; " + optional if optional else "") if needed else ("; " + optional if optional else "")
    return f"{tool.name}({inside.strip()}) {tool.description}"


SHORT_TYPES = {"integer": "int", "number": "num", "boolean": "bool"}


def _parameter(name: str, schema: Json) -> str:
    if "enum" in schema:
        return f"{name}:{'|'.join(str(value) for value in schema['enum'])}"
    kind = schema.get("type", "string")
    return name if kind == "string" else f"{name}:{SHORT_TYPES.get(kind, kind)}"


def render_call(name: str, arguments: Json) -> str:
    """The exact text of one action, arguments in the order given."""
    body = json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
    return f"{CALL_OPEN}{body}{CALL_CLOSE}"


def render_action(action: Action, tools: Sequence[ToolSpec] = ()) -> str:
    """The exact text of any action; a call's arguments are put into the order of its tool's schema."""
    if isinstance(action, ToolCall):
        spec = next((tool for tool in tools if tool.name == action.name), None)
        return render_call(action.name, in_schema_order(action.arguments, spec))
    if isinstance(action, Ask):
        return render_call("ask", {"question": action.question})
    if isinstance(action, Refuse):
        return render_call("refuse", {"reason": action.reason})
    if isinstance(action, Finish):
        return render_call("finish", {"answer": action.answer})
    return action.raw


def in_schema_order(arguments: Json, spec: ToolSpec | None) -> Json:
    """The same arguments, ordered as the schema's properties; unknown ones keep their place at the end."""
    if spec is None:
        return arguments
    order = list(spec.parameters.get("properties", {}))
    return dict(sorted(arguments.items(), key=lambda item: order.index(item[0]) if item[0] in order else len(order)))


def parse_decision(raw: str, call_prefix: str, truncated: bool = False) -> tuple[str, tuple[Action, ...]]:
    """Split generated text into (thought, actions). Ids of calls are `call_prefix` and a running letter.

    A text with any malformed block gives one `ParseError` and no call at all: half of a decision is never run.
    """
    thought, *blocks = raw.split(CALL_OPEN)
    if not blocks:
        return "", (_malformed(raw, f"no `{CALL_OPEN}` block", truncated),)
    actions: list[Action] = []
    for index, block in enumerate(blocks):
        text, closed, rest = block.partition(CALL_CLOSE)
        if not closed or (rest.strip() and index == len(blocks) - 1):
            return thought.strip(), (_malformed(raw, f"a block is not closed by `{CALL_CLOSE}`", truncated),)
        action = parse_call(text, f"{call_prefix}{chr(97 + index)}", raw, truncated)
        if isinstance(action, ParseError):
            return thought.strip(), (action,)
        actions.append(action)
    if len(actions) > 1 and not all(isinstance(action, ToolCall) for action in actions):
        return thought.strip(), (_malformed(raw, "`ask`, `refuse` and `finish` stand alone", truncated),)
    return thought.strip(), tuple(actions)


def parse_call(text: str, call_id: str, raw: str = "", truncated: bool = False) -> Action:
    """One action from the JSON inside a block."""
    try:
        body: Any = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        return _malformed(raw or text, f"not JSON: {error}", truncated)
    if not isinstance(body, dict) or set(body) != {"name", "arguments"}:
        return _malformed(raw or text, 'the object needs exactly the keys "name" and "arguments"', truncated)
    return action_from(body["name"], body["arguments"], call_id, raw or text)


def action_from(name: Any, arguments: Any, call_id: str, raw: str) -> Action:
    """One action from a name and its arguments, wherever they came from (text or an endpoint's native call)."""
    if not isinstance(name, str) or not isinstance(arguments, dict):
        return _malformed(raw, '"name" must be text and "arguments" an object')
    if not _whole(name, arguments):
        return _malformed(raw, "a text holds half a character (a surrogate like `\\ud83d` without its other half)")
    if name not in CONTROL_ACTIONS:
        return ToolCall(id=call_id, name=name, arguments=arguments)
    key = CONTROL_ACTIONS[name]
    value = arguments.get(key, "")
    if not isinstance(value, str) or set(arguments) - {key}:
        return _malformed(raw, f"`{name}` takes one text argument, `{key}`")
    if name == "ask":
        return Ask(question=value)
    return Refuse(reason=value) if name == "refuse" else Finish(answer=value)


def _whole(name: str, arguments: Any) -> bool:
    """Whether all texts can be written down: JSON may escape half a character, which no file and no phone takes."""
    try:
        json.dumps([name, arguments], ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _malformed(raw: str, message: str, truncated: bool = False) -> ParseError:
    if len(raw) > RAW_KEPT:
        half = RAW_KEPT // 2
        raw = f"{raw[:half]} ... {len(raw) - RAW_KEPT} characters left out ... {raw[-half:]}"
    hint = 'write `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`'
    why = "the token limit cut the action off" if truncated else message
    return ParseError(message=f"{why}; {hint}", raw=raw, truncated=truncated)
