"""A planner that plays a list of decisions, for tests, demonstrations and oracles.

An entry is `{"name", "arguments"}`, `{"ask": text}`, `{"refuse": text}`, `{"finish": text}` (the form of
`TaskSpec.gold`), `{"calls": [...]}` for parallel calls, or a ready `Decision`. An argument `"$2.data.path"` is read
from the result of the second call, as the context shows it. After the last entry the planner finishes.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from runtime.contract import (
    Action,
    Ask,
    ContextView,
    Deadline,
    Decision,
    Finish,
    Json,
    Refuse,
    ToolCall,
    UserError,
    canonical_json,
    digest_of,
)
from runtime.dialect import render_action
from runtime.planner.plain import ModelFree

REFERENCE = re.compile(r"\$(\d+)\.data((?:\.[\w-]+)+)")
Entry = Json | Decision


class ScriptedPlanner(ModelFree):
    """Plays `script` from its first entry."""

    def __init__(self, script: Sequence[Entry], name: str = "scripted") -> None:
        """`UserError` when an entry has none of the forms above."""
        self._script = [entry if isinstance(entry, Decision) else _checked(entry) for entry in script]
        self._next = 0
        plain = [entry.model_dump(mode="json") if isinstance(entry, Decision) else entry for entry in script]
        self.identity = f"{name}@{digest_of(plain)}"

    def skip(self, decisions: int) -> None:
        """Go on after so many decisions of a run that was broken off."""
        self._next = decisions

    def rewind(self) -> None:
        """Begin again."""
        self._next = 0

    def decide(self, context: ContextView, deadline: Deadline) -> Decision:
        """The next entry; `finish` after the last."""
        entry: Entry = self._script[self._next] if self._next < len(self._script) else {"finish": ""}
        self._next += 1
        if isinstance(entry, Decision):
            return entry
        results = shown_results(context)
        steps = entry.get("calls", [entry])
        ids = [f"{self._next}{chr(97 + index)}" for index in range(len(steps))]
        actions = tuple(action_of(step, call_id, results) for step, call_id in zip(steps, ids, strict=True))
        raw = "".join(render_action(action, context.exposed) for action in actions)
        return Decision(actions=actions, raw=raw)


def load_script(path: Path) -> list[Json]:
    """The entries of a JSON file; `UserError` when it holds no list of objects."""
    try:
        value: Any = json.loads(path.read_text(encoding="utf-8"))
        canonical_json(value).encode()  # half a character, as `\ud83d`, is in no trace
    except (OSError, ValueError) as error:
        raise UserError(
            f"the script `{path}` can't be read ({error}). Give a JSON file with a list of steps."
        ) from error
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise UserError(f'the script `{path}` is no list of objects. Write `[{{"name": ..., "arguments": ...}}]`.')
    return [_checked(entry) for entry in value]


def action_of(step: Json, call_id: str, results: Sequence[Json]) -> Action:
    """One action of a script, its references read from `results` (one object per call, in order)."""
    if "name" in step:
        return ToolCall(id=call_id, name=step["name"], arguments=resolved(step.get("arguments", {}), results))
    if "ask" in step:
        return Ask(question=step["ask"])
    return Refuse(reason=step["refuse"]) if "refuse" in step else Finish(answer=step["finish"])


def resolved(value: Any, results: Sequence[Json]) -> Any:
    """`value` with each text that is a reference replaced by what it points to."""
    if isinstance(value, dict):
        return {key: resolved(inner, results) for key, inner in value.items()}
    if isinstance(value, list):
        return [resolved(inner, results) for inner in value]
    match = REFERENCE.fullmatch(value) if isinstance(value, str) else None
    return _followed(match, results) if match else value


def _followed(match: re.Match[str], results: Sequence[Json]) -> Any:
    number = int(match[1])
    if not 1 <= number <= len(results):
        raise UserError(f"`{match[0]}` names call {number}, but {len(results)} were answered. Correct the script.")
    found: Any = results[number - 1]
    for part in match[2][1:].split("."):
        if isinstance(found, list) and part.isdigit() and int(part) < len(found):
            found = found[int(part)]
        elif isinstance(found, dict) and part in found:
            found = found[part]
        else:
            raise UserError(f"`{match[0]}` is not in the result of call {number}: no `{part}`. Correct the script.")
    return found


def shown_results(context: ContextView) -> list[Json]:
    """Results of the calls so far, as the context shows them; one that was cut is an empty object."""
    return [_object(message.get("content")) for message in context.messages if message.get("role") == "tool"]


def _object(text: Any) -> Json:
    try:
        value: Any = json.loads(text)
    except (TypeError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _checked(entry: Json) -> Json:
    steps = entry.get("calls", [entry])
    if not isinstance(steps, list) or not steps or not all(_known(step) for step in steps):
        raise UserError(
            f"`{json.dumps(entry)[:120]}` is no step. Write `name` and `arguments`, or one of `ask`, `refuse`, "
            "`finish`, `calls`."
        )
    return entry


def _known(step: Any) -> bool:
    if not isinstance(step, dict):
        return False
    if "name" in step:
        return isinstance(step["name"], str) and isinstance(step.get("arguments", {}), dict)
    return any(isinstance(step.get(key), str) for key in ("ask", "refuse", "finish"))
