"""What a prefix is made of, by name: before and after leaving out.

    eta | domains | tools | skills | memory | now | turns | request          in this order, fixed by runtime/layout.py

Each part but eta, the time and the request can be made smaller, one item at a time: of tools the last recalled one that
is not pinned, of Skill guidance the last line, of memory the last item, of turns the oldest that holds no constraint.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from runtime.contract import Cut, Json, ToolSpec, Turn
from runtime.dialect import signature
from runtime.layout import Piece, open_assistant, quoted_json, request_text, static_pieces, system_pieces, turn_pieces

LEFT_OUT_FIRST = ("memory", "domains", "skills", "turns", "tools")
"""Parts of the prefix in the order in which they are left out where the window is too small."""


@dataclass
class Parts:
    """The parts of one prefix."""

    eta: str
    """General instructions."""
    request: str
    """x."""
    tools: list[ToolSpec]
    """Best first."""
    turns: list[Turn] = field(default_factory=list)
    """Earlier turns, oldest first."""
    held: AbstractSet[Turn] = frozenset()
    """Turns that hold a constraint: they go after all others."""
    domains: list[str] = field(default_factory=list)
    """Instructions of domains, the nearest domain first."""
    skills: str = ""
    """Guidance, a line each."""
    memory: list[Json] = field(default_factory=list)
    """Evidence, the most needed first."""
    now: str = ""
    """The phone's time."""
    likely: int = 0
    """Tools named after the request."""
    pinned: AbstractSet[str] = frozenset()
    """Tools that go last."""
    cuts: dict[tuple[str, str], int] = field(default_factory=dict)
    """Items left out, by part and limit."""

    def sections(self) -> dict[str, str]:
        """The sections of the system turn as text."""
        return {
            "tools": "\n".join(signature(tool) for tool in sorted(self.tools, key=lambda tool: tool.name)),
            "skills": self.skills,
            "memory": "\n".join(quoted_json(item) for item in self.memory),
            "now": self.now,
        }

    def asked(self) -> str:
        """The request's turn; `tools` stand best first."""
        return request_text(self.request, [tool.name for tool in self.tools[: self.likely]])

    def by_name(self) -> list[tuple[str, list[Piece]]]:
        """The pieces of every part that is not empty, in the order of the layout."""
        texts = {name: text for name, text in self.sections().items() if text.strip()}
        *shown, close, line = system_pieces(texts)
        turns = [piece for turn in self.turns for piece in turn_pieces(turn.role, turn.text)]
        named = [
            ("eta", static_pieces(self.eta)),
            ("domains", [Piece("\n".join(self.domains) + "\n")] if self.domains else []),
            *((name, [piece]) for name, piece in zip(texts, shown, strict=True)),
            ("marks", [close, line]),
            ("turns", turns),
            ("request", [*turn_pieces("user", self.asked()), *open_assistant()]),
        ]
        return [(name, pieces) for name, pieces in named if pieces]

    def drop(self, part: str, limit: str) -> bool:
        """Leave out one more item of `part` because of `limit`; False when there is none left to leave out."""
        if part == "memory" and self.memory:
            self.memory.pop()
        elif part == "domains" and self.domains:
            self.domains.pop()
        elif part == "skills" and self.skills:
            self.skills = self.skills.rpartition("\n")[0].rstrip()
        elif part == "turns" and self.turns:
            self.turns.pop(next((place for place, turn in enumerate(self.turns) if turn not in self.held), 0))
        elif part == "tools" and len(self.tools) > 1:
            places = range(len(self.tools) - 1, -1, -1)
            self.tools.pop(next((place for place in places if self.tools[place].name not in self.pinned), -1))
        else:
            return False
        self.cuts[part, limit] = self.cuts.get((part, limit), 0) + 1
        return True

    def cut(self) -> tuple[Cut, ...]:
        """What was left out, and by which limit."""
        return tuple(Cut(what=part, left_out=count, unit="items", limit=limit)
                     for (part, limit), count in self.cuts.items())  # fmt: skip


def message_text(eta: str, domains: Sequence[str], pieces: Sequence[Piece]) -> str:
    """The system turn as one chat message: eta, domains, then the sections in `pieces`."""
    shown = "".join(piece.text for piece in pieces if piece.origin == "content")
    return "\n".join([eta, *domains, shown]).strip()
