"""Utterance rows become exchanges: the gold call of the map, completed by hints, in the schema's order.

Rows of the held-out fifth never come here. A row without annotated slots whose hint finds nothing teaches the tool and
the arguments that the intent fixes, nothing after them. A share of the whole calls is played on a phone, and what comes
back decides the next turn: an argument that is missing or can't be read is asked for, what is ambiguous or not there is
said, the rest is done.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random

from evalkit.utterances.mapping import Gold, gold_of
from evalkit.utterances.rows import Utterance
from runtime.contract import Deadline, ErrorCode, Failure, Json, Phone, ToolCall, ToolSpec, WorldSpec
from runtime.dialect import CALL_CLOSE, CALL_OPEN, in_schema_order, render_call
from trainer.data.exchange import Exchange, Move
from trainer.data.hints import hinted
from trainer.data.oracle import shown

QUESTIONS = ("What would you like me to do?", "What should I do?", "What do you mean?", "How can I help?")
REASONS = ("No tool of mine can do that.", "I can't do that with these tools.", "That is beyond what I can do here.")
TALK = frozenset(
    ["general_negate", "general_affirm", "general_confirm", "general_repeat", "general_explain", "general_dontcare",
     "general_praise", "general_commandstop", "repeat", "cancel"]
)  # fmt: skip
"""Intents that ask for nothing: answered with a question; the other declined ones with a refusal."""


ANSWERS = ("Done.", "All set.", "Okay, done.", "That's done.")
ASKED = {
    "when": "When should it be?",
    "time": "At what time?",
    "date": "On which day?",
    "partySize": "For how many people?",
    "recipient": "Who should it go to?",
    "contact": "Who do you mean, which contact?",
    "person": "Who do you mean?",
    "duration": "How long should it be, what duration?",
    "amount": "How much, what amount?",
    "content": "What should it say, what text?",
    "location": "Where, in which place?",
    "destination": "Where to, what destination?",
    "listName": "Which list?",
    "appName": "Which app?",
    "fileName": "Which file?",
}
"""Questions for arguments that are missing or can't be read; others are asked for by name."""
FOLLOWED = {"missing": 0.7, "unread": 0.5, "failed": 0.15, "done": 0.08}
"""Share of the whole calls that are played on, by what comes back."""


def exchanges_of(rows: Iterable[Utterance], specs: Mapping[str, ToolSpec], phone: Phone, rng: Random) -> list[Exchange]:
    """One exchange a row; rows of intents that the map does not know, and held-out rows, are left out."""
    found = []
    for row in rows:
        gold = None if row.held_out else gold_of(row)
        if gold is None:
            continue
        found.append(
            declined(row, rng) if gold.decline else followed(called(row, gold, specs[gold.tool]), gold, phone, rng)
        )
    return found


def followed(exchange: Exchange, gold: Gold, phone: Phone, rng: Random) -> Exchange:
    """The exchange with the turn after the call's response, for a share of the whole calls."""
    move = exchange.moves[0]
    if move.learned is not None:
        return exchange
    phone.reset(WorldSpec())
    arguments = json.loads(move.raw.removeprefix(CALL_OPEN).removesuffix(CALL_CLOSE))["arguments"]
    seen = phone.execute(ToolCall(id="row", name=gold.tool, arguments=arguments), Deadline.never())
    wanted = _wanted(seen.failure)
    missing = bool(wanted) and wanted not in arguments
    share = FOLLOWED["done" if seen.ok else "missing" if missing else "unread" if wanted else "failed"]
    if rng.random() >= share:
        return exchange
    end = Move(_next(seen.failure, wanted, rng))
    return replace(exchange, moves=(replace(move, response=shown(seen)), end), kind="asked" if wanted else "call")


def _wanted(failure: Failure | None) -> str:
    """The argument that the phone misses or can't read, or nothing."""
    if failure is None or failure.code is not ErrorCode.BAD_ARGUMENT:
        return ""
    return str(failure.details.get("argument", ""))


def _next(failure: Failure | None, missing: str, rng: Random) -> str:
    """The turn after a response."""
    if missing:
        words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in missing)
        question = ASKED.get(missing) or rng.choice(("What {}?", "Which {}?", "What {} should it be?")).format(words)
        return render_call("ask", {"question": question})
    if failure is None:
        return render_call("finish", {"answer": rng.choice(ANSWERS)})
    if failure.code is ErrorCode.CONFLICT and "candidates" in failure.details:
        return render_call("ask", {"question": "Which one do you mean?"})
    if failure.code is ErrorCode.NOT_FOUND:
        return render_call("ask", {"question": "I can't find that. What exactly should I look for?"})
    return render_call("refuse", {"reason": "That did not work: " + failure.message.split(";")[0][:80]})


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
