"""Question answering and search: sources one after another, until one has the answer; each that was asked is named."""

import re
from collections.abc import Iterator

from runtime.contract import SEARCH_MEMORY, Json, ToolCall
from runtime.subagents.by_procedure import Outcome, Procedure, Result, call, failed
from runtime.subagents.specialists.base import HINT, TEXT, Specialist, spec

FACTS, WORDS, NEWS = "general_qa_agent", "dictionary_lookup", "search_news"
_MEANING = re.compile(r"(?:what does|what is the meaning of|define|meaning of)\s+(?:an? |the )?(\w+)", re.IGNORECASE)
_NEWS = re.compile(r"\b(?:news|headlines)\b(?:.*?\b(?:about|on|of)\s+(.+))?", re.IGNORECASE)


def work(arguments: Json, here: frozenset[str]) -> Procedure:
    """Ask each source that fits the question. What no source knows is said, never made up."""
    question, asked = str(arguments["question"]).strip(), []
    for source in _sources(question):
        if source.name not in here:
            continue
        asked.append(source.name)
        answer = _answer(source.name, (yield source))
        if answer is not None:
            said = f"{answer} (from {source.name})"
            return Outcome(True, said, (("answer", answer), ("source", source.name)))
    return Outcome(False, f"no source knows it; asked were {', '.join(asked) or 'none'}")


def _sources(question: str) -> Iterator[ToolCall]:
    if meaning := _MEANING.search(question):
        yield call(WORDS, kind="definition", word=meaning[1])
    if news := _NEWS.search(question):
        yield call(NEWS, topic=news[1].rstrip("?. ") if news[1] else None)
    yield call(FACTS, query=question)
    yield call(SEARCH_MEMORY, query=question)


def _answer(name: str, result: Result) -> object | None:
    """What a source says; None where it says nothing."""
    if failed(result) or not isinstance(result, dict):
        return None
    if name == FACTS:
        return result.get("answer")
    if name == WORDS:
        return result.get("definition")
    listed = next((value for value in result.values() if isinstance(value, list) and value), None)
    return listed if name in (NEWS, SEARCH_MEMORY) else None


SEARCH = Specialist(
    spec(
        "ask_search_agent",
        "Have a question answered from all sources.",
        {"question": {**TEXT, "description": f"The whole question. {HINT}"}},
        ("question",),
        ("find out who wrote Moby Dick", "look it up wherever you can: what does ephemeral mean"),
        writes=False,
    ),
    (FACTS, WORDS, NEWS, SEARCH_MEMORY),
    work,
)
