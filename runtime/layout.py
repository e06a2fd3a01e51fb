"""The frozen layout of the context: sections, markers and turns, static parts first.

    system   eta | <tools> | <skills> | <memory> | <now>        a section that has nothing is left out
    user     the request, with <likely> (what recall holds for the best tools) where that is wanted; or an earlier turn
    assistant  the action (runtime/dialect.py)
    user     <tool_response> per observation

A context is a sequence of pieces that only grows. A piece is control text (the chat template's marks, read as special
tokens) or content (never read as special, whatever it holds), so that no content can forge a turn. Planner and trainer
tokenise piece by piece: the tokens that were trained are the tokens that are served.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from runtime.contract import Json

TURN_OPEN, TURN_CLOSE = "<|im_start|>", "<|im_end|>"
RESPONSE_OPEN, RESPONSE_CLOSE = "<tool_response>", "</tool_response>"
SECTIONS = ("tools", "skills", "memory", "now")
"""Sections of the system turn after eta, in their order."""

Origin = Literal["control", "content", "model"]
"""`control`: the template's marks. `content`: everything shown. `model`: text that a planner generated."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One stretch of the context, tokenised on its own."""

    text: str
    """The text."""
    origin: Origin = "content"
    """How it is tokenised, and by whom it was written."""


def static_pieces(eta: str) -> list[Piece]:
    """What never changes between requests: the opening mark and the instructions eta."""
    return [Piece(TURN_OPEN, "control"), Piece("system\n" + eta.strip() + "\n")]


def system_pieces(sections: dict[str, str]) -> list[Piece]:
    """The rest of the system turn. `sections` maps names of SECTIONS to their text; empty ones are left out."""
    pieces = [
        Piece(f"<{name}>\n{sections[name].strip()}\n</{name}>\n") for name in SECTIONS if sections.get(name, "").strip()
    ]
    return [*pieces, Piece(TURN_CLOSE, "control"), Piece("\n")]


def turn_pieces(role: Literal["user", "assistant"], text: str) -> list[Piece]:
    """A whole turn."""
    return [Piece(TURN_OPEN, "control"), Piece(f"{role}\n{text}"), Piece(TURN_CLOSE, "control"), Piece("\n")]


def request_text(request: str, likely: Sequence[str] = ()) -> str:
    """The request as its turn holds it; `likely` are tools by name, the best first."""
    return f"{request}\n<likely>{', '.join(likely)}</likely>" if likely else request


def open_assistant() -> list[Piece]:
    """The mark after which the planner writes."""
    return [Piece(TURN_OPEN, "control"), Piece("assistant\n")]


def close_assistant(raw: str) -> list[Piece]:
    """What the planner wrote, and the end of its turn."""
    return [Piece(raw, "model"), Piece(TURN_CLOSE, "control"), Piece("\n")]


def response_text(shown: Sequence[str]) -> str:
    """Observations as one user turn's text, a marked block each."""
    return "\n".join(f"{RESPONSE_OPEN}{text}{RESPONSE_CLOSE}" for text in shown)


def quoted_json(value: Json) -> str:
    """JSON of a result. `<` is escaped, so that quoted text can't close its block or open a call."""
    return json.dumps(value, ensure_ascii=False, default=str).replace("<", "\\u003c")


def text_of(pieces: Sequence[Piece]) -> str:
    """The pieces as one text."""
    return "".join(piece.text for piece in pieces)
