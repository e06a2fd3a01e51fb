"""Utterance rows become exchanges: the gold call of the map, completed by hints, in the schema's order.

Rows of the held-out fifth never come here. A row without annotated slots whose hint finds nothing teaches the tool and
the arguments that the intent fixes, nothing after them.
"""

from collections.abc import Iterable, Mapping
from random import Random

from evalkit.utterances.mapping import Gold, gold_of
from evalkit.utterances.rows import Utterance
from runtime.contract import Json, ToolSpec
from runtime.dialect import in_schema_order, render_call
from trainer.data.exchange import Exchange, Move
from trainer.data.hints import hinted

QUESTIONS = ("What would you like me to do?", "What should I do?", "What do you mean?", "How can I help?")
REASONS = ("No tool of mine can do that.", "I can't do that with these tools.", "That is beyond what I can do here.")
TALK = frozenset(
    ["general_negate", "general_affirm", "general_confirm", "general_repeat", "general_explain", "general_dontcare",
     "general_praise", "general_commandstop", "repeat", "cancel"]
)  # fmt: skip
"""Intents that ask for nothing: answered with a question; the other declined ones with a refusal."""


def exchanges_of(rows: Iterable[Utterance], specs: Mapping[str, ToolSpec], rng: Random) -> list[Exchange]:
    """One exchange a row; rows of intents that the map does not know, and held-out rows, are left out."""
    found = []
    for row in rows:
        gold = None if row.held_out else gold_of(row)
        if gold is not None:
            found.append(declined(row, rng) if gold.decline else called(row, gold, specs[gold.tool]))
    return found


def declined(row: Utterance, rng: Random) -> Exchange:
    """A row that no tool serves."""
    talk = row.intent in TALK
    raw = render_call("ask", {"question": rng.choice(QUESTIONS)}) if talk else _refusal(rng)
    return Exchange(row.text, (Move(raw),), source=row.source, kind="decline")


def called(row: Utterance, gold: Gold, spec: ToolSpec) -> Exchange:
    """A row that one call answers."""
    extra, whole = hinted(row)
    properties = spec.parameters["properties"]
    fixed = {name: value for name, value in gold.arguments.items() if value}
    arguments = typed({**{k: v for k, v in extra.items() if k in properties}, **fixed}, spec)
    raw = render_call(spec.name, in_schema_order(arguments, spec))
    learned = None
    if not whole:
        learned = len(_start(render_call(spec.name, in_schema_order(typed(fixed, spec), spec))))
    return Exchange(row.text, (Move(raw, learned),), frozenset((spec.name,)), source=row.source)


def unserved(row: Utterance, gold: Gold, rng: Random) -> Exchange:
    """The same row where its tool is not exposed: a refusal."""
    move = Move(_refusal(rng))
    return Exchange(row.text, (move,), absent=frozenset((gold.tool,)), source=row.source, kind="unavailable")


def typed(arguments: Mapping[str, str], spec: ToolSpec) -> Json:
    """Values as the schema types them: digits of an integer argument become a number, all else stays as said."""
    shaped: Json = {}
    for name, value in arguments.items():
        schema = spec.parameters["properties"].get(name, {})
        kinds = schema.get("type", "string")
        numeric = "string" not in ([kinds] if isinstance(kinds, str) else kinds)
        if numeric and not value.lstrip("-").isdigit():
            continue
        if "enum" in schema and value not in schema["enum"]:
            continue
        shaped[name] = int(value) if numeric else value
    return shaped


def _refusal(rng: Random) -> str:
    return render_call("refuse", {"reason": rng.choice(REASONS)})


def _start(raw: str) -> str:
    """A call's text up to its last argument: what follows is not known."""
    return raw.removesuffix("}}</tool_call>").rstrip('"')
