"""One request and what came of it, as the next request sees it.

The turns are plain: the request, each question with its answer, and the agent's last word. That word says what was done
where the planner did not end by itself, and lists by number what was found where its answer does not name it: "the
middle one" must have something to mean.
"""

from collections.abc import Iterator
from typing import Any

from runtime.confirm import calls_of
from runtime.contract import Ask, Episode, Json, Observation, Record, Stop, TextPart, ToolCall, Turn
from runtime.shown import cut_text
from runtime.trace.read import NO_END

LABELS = ("title", "name", "label", "place", "contact", "subject", "headline", "query", "text", "content")
"""Fields that name an item of a list, the first that is there."""
MOST_OPTIONS = 9
"""Items of a list that are numbered."""
ITEM_CHARS, VALUE_CHARS = 60, 80
LOADED = "loaded_tools"


class Exchange(Record):
    """One request and what came of it."""

    run: str
    """Id of its episode."""
    turns: tuple[Turn, ...]
    """What was said, in order."""
    tools: tuple[str, ...] = ()
    """Tools that were called with success, and those that a Skill opened."""
    done: tuple[str, ...] = ()
    """Calls that changed something, in words."""
    options: tuple[str, ...] = ()
    """What the last list held, in its order."""
    subject: str = ""
    """What the last call was about."""
    stop: Stop
    """How it ended."""

    @property
    def request(self) -> str:
        """What was asked."""
        return self.turns[0].text


def exchange_of(episode: Episode) -> Exchange:
    """What the next request should know of this one."""
    calls = list(calls_of(episode.steps))
    landed = [(call, seen) for call, seen in calls if seen.ok]
    done = tuple(in_words(call, seen) for call, seen in landed if not seen.diff.empty)
    lists = [found for _, seen in landed if len(found := options_of(seen.data)) > 1]
    options = lists[-1] if lists else ()
    said = [Turn(role="user", text=episode.view.request), *_asked(episode)]
    return Exchange(
        run=episode.id,
        turns=(*said, Turn(role="assistant", text=_last_word(episode, done, options))),
        tools=tuple(dict.fromkeys(name for call, seen in landed for name in (call.name, *seen.data.get(LOADED, ())))),
        done=done,
        options=options,
        subject=next((about for call, seen in reversed(landed) if (about := subject_of(call, seen))), ""),
        stop=episode.stop,
    )


def in_words(call: ToolCall, seen: Observation) -> str:
    """A call with the values that it ran with, each whole or visibly cut."""
    arguments = call.arguments if seen.call is None else seen.call.arguments
    values = ", ".join(f"{name} {cut_text(str(value), VALUE_CHARS)[0]}" for name, value in arguments.items())
    return f"{call.name} ({values})" if values else call.name


def options_of(data: Json) -> tuple[str, ...]:
    """The names of the items of the longest list in a result, in its order."""
    lists = [value for value in data.values() if isinstance(value, list)]
    named = [tuple(label for item in value if (label := label_of(item))) for value in lists]
    return max(named, key=len, default=())


def label_of(item: Any) -> str:
    """What an item is called; empty where nothing names it."""
    if isinstance(item, str):
        return item
    if not isinstance(item, dict):
        return ""
    named = (str(item[field]) for field in LABELS if isinstance(item.get(field), str) and item[field].strip())
    return next(named, "")


def subject_of(call: ToolCall, seen: Observation) -> str:
    """What a call was about: the one item of its result, else the argument that names it."""
    items = [value for value in seen.data.values() if isinstance(value, dict)]
    return (label_of(items[0]) if len(items) == 1 else "") or label_of(call.arguments)


def _asked(episode: Episode) -> Iterator[Turn]:
    """Questions that were answered, with their answers."""
    for step in episode.steps:
        answers = [part.text for seen in step.observations if not seen.call_id and seen.ok
                   for part in seen.parts if isinstance(part, TextPart)]  # fmt: skip
        for action in step.decision.actions:
            if isinstance(action, Ask) and answers:
                yield Turn(role="assistant", text=action.question)
                yield Turn(role="user", text="\n".join(answers))


def _last_word(episode: Episode, done: tuple[str, ...], options: tuple[str, ...]) -> str:
    """The agent's last turn."""
    before = f" Done before that: {'; '.join(done)}." if done else ""
    if episode.stop is Stop.FINISHED:
        said = episode.stop_detail.strip() or (f"Done: {'; '.join(done)}." if done else "Done.")
        return said + _numbered(said, options)
    if episode.stop in (Stop.ASKED, Stop.REFUSED):
        return (episode.stop_detail.strip() or "I can't do that.") + before
    if episode.stop is Stop.CANCELLED:
        how = "This was broken off before its end." if episode.stop_detail == NO_END else "You stopped me."
        return how + (before or " Nothing was done.")
    return f"I could not finish this: {episode.stop_detail or episode.stop}." + before


def _numbered(said: str, options: tuple[str, ...]) -> str:
    """The list that an answer leaves out."""
    if len(options) < 2 or all(option.casefold() in said.casefold() for option in options):
        return ""
    shown = [f"{place}. {cut_text(option, ITEM_CHARS)[0]}" for place, option in enumerate(options[:MOST_OPTIONS], 1)]
    more = f"; and {len(options) - MOST_OPTIONS} more" if len(options) > MOST_OPTIONS else ""
    return f" Found: {'; '.join(shown)}{more}."
