"""The state of one dialogue, and what of it the next request is shown.

1. Turns: all that were said, oldest first, until they have more than `turns_tokens`. Then the oldest exchanges are left
   out, but only once a memory has kept what they said and did; one that states a constraint which holds stays, and so
   do the last `recent` ones. A turn in front says how many are gone and where they are.
2. Without a memory nothing is compressed: what the window can't hold is left out by the assembler's rule, and named.
3. Tools that the last exchanges used, or that a Skill opened in them, keep their places among those that are recalled.
"""

import logging
from collections.abc import Callable, Sequence

from runtime.assemble import Assembler
from runtime.contract import Budget, Episode, Json, MemoryManager, PocketError, Stop, TaskView, ToolFailure, Turn
from runtime.dialogue.constraints import Constraint, standing
from runtime.dialogue.exchange import Exchange, exchange_of
from runtime.dialogue.references import references, revision

LABEL = "chat"
"""Begins the label of every episode of a dialogue: `chat:ID:NUMBER`."""
TOOLS_OF = 3
"""Exchanges whose tools keep their places."""
GONE = "({count} earlier turns are left out here; what they said and did is in memory.)"


class Conversation:
    """One dialogue."""

    def __init__(
        self,
        name: str,
        count: Callable[[str], int],
        *,
        turns_tokens: int = 1024,
        recent: int = 3,
        notes: bool = False,
        memory: MemoryManager | None = None,
    ) -> None:
        """`count` gives the tokens of a text; `memory` is where turns are kept before they are left out."""
        self.name, self.exchanges = name, list[Exchange]()
        self._count, self._limit, self._recent, self._notes = count, turns_tokens, recent, notes
        self._memory = memory
        self._episodes: dict[str, Episode] = {}
        self._left_out: set[str] = set()

    @property
    def label(self) -> str:
        """The label of the next episode."""
        return f"{LABEL}:{self.name}:{len(self.exchanges) + 1}"

    @property
    def constraints(self) -> list[Constraint]:
        """What the user said that holds."""
        said = [(place, turn.text) for place, one in enumerate(self.exchanges)
                for turn in one.turns if turn.role == "user"]  # fmt: skip
        return standing(said)

    def add(self, episode: Episode) -> Exchange:
        """Append what came of a request; what is too much by now is compressed."""
        exchange = exchange_of(episode)
        self.exchanges.append(exchange)
        if self._memory is not None:
            self._episodes[episode.id] = episode
        self.compress()
        return exchange

    def forget_turns(self) -> None:
        """Begin anew under the same name's traces: nothing of before is shown."""
        self.exchanges.clear()
        self._episodes.clear()
        self._left_out.clear()

    def view(self, request: str, budget: Budget) -> TaskView:
        """The task of the next request."""
        return TaskView(request=request, turns=tuple(self.turns()), budget=budget)

    def turns(self) -> list[Turn]:
        """What is shown of what was said, oldest first."""
        shown = [turn for one in self.exchanges if one.run not in self._left_out for turn in one.turns]
        gone = sum(len(one.turns) for one in self.exchanges if one.run in self._left_out)
        return [*([Turn(role="assistant", text=GONE.format(count=gone))] if gone else []), *shown]

    def assembler(self, base: Assembler, request: str) -> Assembler:
        """`base` with what this dialogue keeps."""
        tools = dict.fromkeys(name for one in self.exchanges[-TOOLS_OF:] for name in one.tools)
        return base.keeping(tools, self._held(), self.notes(request) if self._notes else ())

    def notes(self, request: str) -> list[Json]:
        """What holds, what the request points at, and what it takes back."""
        held = [{"note": "holds", "words": one.words, "turn": one.place + 1} for one in self.constraints]
        return [*held, *references(request, self.exchanges), *revision(request, self.exchanges)]

    def compress(self) -> int:
        """Leave out the oldest exchanges that are in memory until the turns fit; how many turns are gone by it."""
        if self._memory is None:
            return 0
        gone = 0
        holding = {one.place for one in self.constraints}
        for place, one in enumerate(self.exchanges[: -self._recent] if self._recent else self.exchanges):
            if self._tokens() <= self._limit:
                break
            if one.run in self._left_out or place in holding or not self._kept(one.run):
                continue
            self._left_out.add(one.run)
            gone += len(one.turns)
        return gone

    def _kept(self, run: str) -> bool:
        """Whether memory has what was said and done in a run; it is put there now where it isn't."""
        if self._memory is None or run not in self._episodes:
            return False
        try:
            self._memory.capture(self._episodes[run])
        except (PocketError, ToolFailure) as error:
            logging.getLogger(__name__).warning(
                "the dialogue is not compressed, its memory can't be written: %s", error
            )
            return False
        del self._episodes[run]
        return True

    def _held(self) -> list[Turn]:
        return [turn for one in self.constraints for turn in self.exchanges[one.place].turns]

    def _tokens(self) -> int:
        return sum(self._count(turn.text) for turn in self.turns())


def resumed(conversation: Conversation, episodes: Sequence[Episode]) -> Conversation:
    """A conversation with the history that its traces hold; runs that changed and said nothing are passed over."""
    for episode in episodes:
        if episode.steps or episode.stop is not Stop.CANCELLED:
            conversation.add(episode)
    return conversation
