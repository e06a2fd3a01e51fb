"""The failures that say most, with what was asked, what was called and which checks did not hold.

First those that changed what nobody asked about, then by verified progress, least first, then the easier task. A family
shows once before any shows twice.
"""

import json
from collections.abc import Sequence

from evalkit.result import MISSING, Result
from evalkit.results import Kept, ResultStore
from evalkit.verify import last_words
from runtime.contract import Episode, Json, ToolCall

CHARS = 600
"""Longest piece of evidence that is shown; what is cut says so."""


def worst(store: ResultStore, kept: Kept, count: int) -> list[Json]:
    """The `count` worst failures of a run."""
    keys = zip(kept.header.trials, kept.results, strict=True)
    failed = [(key, one) for key, one in keys if not one.verdict.success and one.verdict.valid and one.stop != MISSING]
    failed.sort(key=lambda pair: _rank(pair[1], kept))
    return [_shown(store, kept, key, result) for key, result in _spread(failed)[:count]]


def _rank(result: Result, kept: Kept) -> tuple[bool, float, int, str]:
    harm = any(check.evidence.get("collateral") for check in result.verdict.checks if not check.passed)
    return not harm, result.verdict.progress, kept.tasks[result.task_id].difficulty, result.task_id


def _spread(failed: Sequence[tuple[str, Result]]) -> list[tuple[str, Result]]:
    """First of each family in order, then the others."""
    seen: set[str] = set()
    first: list[tuple[str, Result]] = []
    later: list[tuple[str, Result]] = []
    for pair in failed:
        (later if pair[1].family in seen else first).append(pair)
        seen.add(pair[1].family)
    return first + later


def _shown(store: ResultStore, kept: Kept, key: str, result: Result) -> Json:
    task, stored = kept.tasks[result.task_id], store.episode(kept.header.run, key)
    episode = stored[0] if stored else None
    return {
        "id": result.task_id,
        "routing": result.routing,
        "turns": [(turn.role, turn.text) for turn in task.view.turns],
        "request": task.view.request,
        "stop": result.stop,
        "detail": episode.stop_detail if episode else "",
        "progress": result.verdict.progress,
        "calls": _calls(episode) if episode else [],
        "last": last_words(episode) if episode else "",
        "checks": [(check.name, _text(check.evidence)) for check in result.verdict.checks if not check.passed],
        "gold": [_text(step) for step in task.gold],
    }


def _calls(episode: Episode) -> list[tuple[str, str]]:
    """Each call as chosen, and what came of it."""
    found: list[tuple[str, str]] = []
    for step in episode.steps:
        answers = {one.call_id: one for one in step.observations}
        for action in step.decision.actions:
            if isinstance(action, ToolCall):
                seen = answers.get(action.id)
                failure = seen.failure if seen is not None else None
                said = f"{failure.status} {failure.message}" if failure else "ok" if seen is not None else "not run"
                found.append((f"{action.name} {_text(action.arguments)}", said))
    return found


def _text(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    gone = len(text) - CHARS
    return text if gone <= 0 else f"{text[:CHARS]} … {gone} characters left out"
