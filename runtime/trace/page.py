"""Episodes as one standalone page: `page.html` with the records inside, nothing fetched, nothing executed of them.

Steps stand in the page as a line of JSON each and are read when they are shown: only the rows that are on the screen
exist, so that ten thousand steps open as quickly as ten. Lines are written one after another; no export is held whole.
"""

import json
import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any

from runtime.contract import Episode, Json, ToolCall

MARKS = ("@@STEPS@@", "@@EPISODES@@")


def page(episodes: Iterable[Episode]) -> Iterator[str]:
    """The page in pieces."""
    head, middle, tail = _template()
    about: list[Json] = []
    yield head
    for number, episode in enumerate(episodes):
        about.append(_about(episode))
        where = [index for index, segment in enumerate(episode.segments) for _ in segment.steps]
        for place, step in enumerate(episode.steps):
            told = step.model_dump(mode="json", exclude={"decision": {"tokens", "prompt_ids"}})
            failed = any(not seen.ok for seen in step.observations) or any(
                not isinstance(action, ToolCall) and action.kind == "parse_error" for action in step.decision.actions
            )
            yield _inside({"episode": number, "segment": where[place], "failed": failed, **told}) + "\n"
    yield middle
    yield _inside(about)
    yield tail


def _about(episode: Episode) -> Json:
    data = episode.model_dump(mode="json", exclude={"segments", "view", "host"})
    segments = [
        {**segment.model_dump(mode="json", exclude={"steps"}), "steps": len(segment.steps)}
        for segment in episode.segments
    ]
    turns = [turn.model_dump(mode="json") for turn in episode.view.turns]
    return {**data, "request": episode.view.request, "turns": turns, "segments": segments}


def _inside(value: Any) -> str:
    """JSON that can't end the block that it stands in."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str, allow_nan=False)
    except ValueError:  # JSON has no word for what is no number
        text = json.dumps(_finite(value), ensure_ascii=False, separators=(",", ":"), default=str)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return value if not isinstance(value, float) or math.isfinite(value) else str(value)


@lru_cache(maxsize=1)
def _template() -> tuple[str, str, str]:
    text = files("runtime.trace").joinpath("page.html").read_text(encoding="utf-8")
    head, _, rest = text.partition(MARKS[0])
    middle, _, tail = rest.partition(MARKS[1])
    return head, middle, tail
