"""Dialogues to token ids and labels, piece by piece, by the tokenizer that serves.

`Vocabulary` is the GGUF's own (runtime/planner/tokens.py), so the ids are those of serving by construction. A label is
the id where the planner must learn it and -100 elsewhere: the planner's text and the mark that ends its turn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from runtime.layout import Piece, open_assistant, request_text, turn_pieces
from runtime.planner.tokens import Vocabulary
from trainer.data.exchange import Exchange, Move

IGNORED = -100
"""Label of a token that is not learned."""


@dataclass
class Tokens:
    """Ids with their labels, of equal length."""

    ids: list[int] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)

    def add(self, ids: Sequence[int], learned: int | None = 0) -> None:
        """Append ids of which the first `learned` are learned (None: all)."""
        count = len(ids) if learned is None else learned
        self.ids += ids
        self.labels += [*ids[:count], *([IGNORED] * (len(ids) - count))]

    def extend(self, other: "Tokens") -> None:
        """Append another stretch."""
        self.ids += other.ids
        self.labels += other.labels

    def __len__(self) -> int:
        return len(self.ids)


class DialogueTokenizer:
    """Exchanges and prefixes to `Tokens`."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def pieces(self, pieces: Sequence[Piece]) -> Tokens:
        """Context that is shown, not learned."""
        tokens = Tokens()
        for piece in pieces:
            tokens.add(self._vocabulary.of_piece(piece))
        return tokens

    def exchange(self, exchange: Exchange, likely: Sequence[str] = ()) -> Tokens:
        """Earlier turns, a request with the `likely` tools and its moves, up to the end of the last turn."""
        tokens = self.pieces([piece for turn in exchange.turns for piece in turn_pieces(turn.role, turn.text)])
        tokens.extend(self.pieces(turn_pieces("user", request_text(exchange.said, likely))))
        for move in exchange.moves:
            tokens.extend(self.pieces(open_assistant()))
            tokens.extend(self._move(move))
            tokens.extend(self.pieces([Piece("\n")]))
            for text in (move.response, move.reply):
                if text is not None:
                    tokens.extend(self.pieces(turn_pieces("user", text)))
        return tokens

    def _move(self, move: Move) -> Tokens:
        """The planner's text and the mark that ends its turn, learned as far as the move says."""
        tokens = Tokens()
        ids = self._vocabulary.encode(move.raw)
        if move.learned is None:
            tokens.add(ids, None)
            tokens.add([self._vocabulary.end], None)
        else:
            tokens.add(ids, self._within(ids, move.learned))
            tokens.add([self._vocabulary.end])
        return tokens

    def _within(self, ids: Sequence[int], characters: int) -> int:
        """How many of the first ids lie whole within so many characters."""
        return sum(1 for end in self._ends(ids) if end <= characters)

    def _ends(self, ids: Sequence[int]) -> Iterator[int]:
        """Character at which each id ends."""
        for count in range(1, len(ids) + 1):
            yield len(self._vocabulary.decode(ids[:count]))
