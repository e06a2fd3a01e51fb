"""The score of every turn that counts: signs, each scaled to [0, 1], weighed and added.

    rows that count -> turns -> keywords (own, with neighbours) + meaning (own, with neighbours)
                             + who said it, of whom, when, whether it states something, whether it answers a question

Statistics (how rare a word is, how long turns are) are those of the turns that count, so nothing of anybody else's
memory shows through a score. A word counts once a turn: dialogue says a thing once, and repeating is no evidence.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memory.retrieval.context import Context, Floats, Ints
from memory.retrieval.postings import Postings
from memory.retrieval.query import Day, QueryShape
from memory.retrieval.weights import Weights
from memory.retrieval.words import TIME_EXPRESSION

Mask = npt.NDArray[np.bool_]

SATURATION, BY_LENGTH = 1.2, 0.75
"""BM25's k1 and b."""
COMMON = 20
"""A word that more than one turn in so many names is spread over all turns at once: quicker than turn by turn."""
UNKNOWN = -2.0
"""The cosine of a turn without a vector."""


@dataclass(frozen=True)
class Scored:
    """Turns with their scores and the signs behind them, all (turns,)."""

    counts: Mask
    """Which turns count."""
    total: Floats
    """Their score; minus infinity for those that don't count."""
    own: Floats
    """The score without whom the question names."""
    words: Floats
    """Share of the question's information that a turn's own words cover."""
    near: Floats
    """Cosine with the question; `UNKNOWN` without a vector."""
    speaks: Mask
    """Said by whom the question names, or by nobody in particular."""
    signs: dict[str, Floats]
    """Each sign, scaled."""


class Scorer:
    """Scores the turns of one store."""

    def __init__(self, context: Context, postings: Postings, weights: Weights) -> None:
        self.context, self.postings, self.weights = context, postings, weights

    def score(self, shape: QueryShape, rows: Ints, cosines: Floats) -> Scored:
        """All turns with a row in `rows` (those that count); `cosines` are theirs, `UNKNOWN` without a vector."""
        context, weights = self.context, self.weights
        near = np.full(context.turns, UNKNOWN)
        counts = np.zeros(context.turns, np.bool_)
        counts[context.turn_of[rows]] = True
        np.maximum.at(near, context.turn_of[rows], cosines)
        admitted = np.zeros(len(context.seqs), np.bool_)
        admitted[rows] = True
        signs, covered = self._keywords(shape, admitted, counts)
        signs |= self._meaning(near)
        signs |= self._circumstances(shape, counts, admitted, signs["words"])
        speaks = self._speaks(shape)
        signs["speaker"] = speaks.astype(np.float64)
        total = np.zeros(context.turns)
        for name, sign in signs.items():
            total += getattr(weights, name) * sign
        total[~counts] = -np.inf
        own = total - weights.speaker * signs["speaker"]
        return Scored(counts, total, own, covered, near, speaks, signs)

    def _keywords(self, shape: QueryShape, admitted: Mask, counts: Mask) -> tuple[dict[str, Floats], Floats]:
        """BM25 of turns and of turns with their neighbours, and the share of the question that a turn covers."""
        context, size = self.context, self.context.turns
        own, window, covered = np.zeros(size), np.zeros(size), np.zeros(size)
        lengths = context.words
        wide = context.wide
        number = max(int(counts.sum()), 1)
        means = [max(float(one[counts].mean()), 1.0) if counts.any() else 1.0 for one in (lengths, wide)]
        information = 0.0
        for turns in self._named(shape, admitted):
            rare = float(np.log(1 + (number - len(turns) + 0.5) / (len(turns) + 0.5)))
            information += rare
            if not len(turns):
                continue
            own[turns] += rare * _saturated(np.ones(len(turns)), lengths[turns], means[0])
            covered[turns] += rare
            touched, times = self._spread(turns)
            window[touched] += rare * _saturated(times, wide[touched], means[1])
        least = self.weights.covered * information
        scaled = {
            "words": own / max(float(own.max(initial=0)), least, 1e-9),
            "window": window / max(float(window[counts].max(initial=0)), least, 1e-9),
        }
        return scaled, covered / max(information, 1e-9)

    def _named(self, shape: QueryShape, admitted: Mask) -> list[Ints]:
        """For each word the turns that name it: forms of one word once, none for a word that nobody said."""
        found: list[Ints] = []
        seen: set[bytes] = set()
        for word in shape.words:
            rows = self.postings.word(word)
            turns = self.context.turn_of[rows[admitted[rows]]]
            if not len(turns) and word in shape.dated:
                continue
            if len(turns):
                turns = turns[np.append(True, turns[1:] != turns[:-1])]
                key = turns.tobytes()
                if key in seen:
                    continue
                seen.add(key)
            found.append(turns)
        return found

    def _spread(self, turns: Ints) -> tuple[Ints, Floats]:
        """The turns that hear a word, and how much of it: in themselves, and from neighbours."""
        size = self.context.turns
        if len(turns) * COMMON > size:
            heard = np.zeros(size)
            heard[turns] = 1.0
            return np.arange(size), self.context.around(heard)
        reached, amounts = [turns], [np.ones(len(turns))]
        for neighbour, step in self.context.hops:
            to = neighbour[turns]
            kept = to < size
            reached.append(to[kept])
            amounts.append(step * self.context.weight[turns[kept]])
        every = np.concatenate(reached)
        touched, place = np.unique(every, return_inverse=True)
        return touched, np.bincount(place, np.concatenate(amounts), len(touched)).astype(np.float64)

    def _meaning(self, near: Floats) -> dict[str, Floats]:
        """How far a turn's cosine stands out of the mean, alone and with its neighbours."""
        known = near > UNKNOWN
        if not known.any():
            return {}
        cosine = np.where(known, near, 0.0)
        shares = self.context.full if known.all() else self.context.around(known.astype(np.float64))
        around = self.context.around(cosine) / np.maximum(shares, 1e-9)
        out = {}
        for name, values, least in (
            ("meaning", cosine, self.weights.apart),
            ("around", around, self.weights.around_apart),
        ):
            mean = float(values[known].mean())
            spread = max(float(values[known].max()) - mean, least)
            out[name] = np.where(known, (values - mean) / spread, 0.0)
        return out

    def _circumstances(self, shape: QueryShape, counts: Mask, admitted: Mask, words: Floats) -> dict[str, Floats]:
        """What a turn looks like, whatever it is about."""
        context = self.context
        signs: dict[str, Floats] = {
            "question": context.asks.astype(np.float64),
            "length": np.minimum(context.words, self.weights.enough_words) / self.weights.enough_words,
            "importance": context.importance,
        }
        asked = np.append(np.where(context.asks, words, 0.0), 0.0)
        signs["answer"] = asked[context.before]
        if shape.names:
            signs["named"] = self._about(shape.names, admitted)
        if shape.days:
            signs["date"] = np.maximum.reduce([self._on(day) for day in shape.days])
        if shape.when:
            says = np.zeros(context.turns)
            says[context.turn_of[self.postings.rows(TIME_EXPRESSION)]] = 1.0
            signs["time"] = says
        if shape.kind == "change" and not shape.past and counts.any():
            signs["recency"] = np.cumsum(counts) / counts.sum()
        return signs

    def _about(self, names: Sequence[str], admitted: Mask) -> Floats:
        """How many of the names that anybody says stand in a turn, as a share, or in a neighbour of it, which fades."""
        heard, known = np.zeros(self.context.turns), 0
        for name in names:
            rows = self.postings.word(name)
            turns = np.unique(self.context.turn_of[rows[admitted[rows]]])
            if len(turns):
                touched, times = self._spread(turns)
                heard[touched] += np.minimum(times, 1.0)
                known += 1
        return heard / max(known, 1)

    def _on(self, day: Day) -> Floats:
        """1 for turns of the month, 2 for those of the day."""
        days = self.context.day
        month = (days > 0) & (days // 100 % 100 == day.month)
        if day.year:
            month &= days // 10000 == day.year
        exact = month & (days % 100 == day.day) if day.day else np.zeros_like(month)
        near: Floats = month.astype(np.float64) + exact
        return near

    def _speaks(self, shape: QueryShape) -> Mask:
        """Turns of the one speaker who is meant; where several are meant or none, all."""
        context = self.context
        every = np.ones(context.turns, np.bool_)
        meant = [number for number, name in enumerate(context.speakers) if name in shape.people]
        roles = set(shape.people) <= {"user", "agent", "assistant"}
        if not meant or (len(shape.people) > 1 and not roles):
            return every
        return np.isin(context.speaker, meant) | ~context.said


def _saturated(times: Floats, lengths: Floats, mean: float) -> Floats:
    """BM25's share of a word's weight, from how often it is heard and in how long a text."""
    norm = SATURATION * (1 - BY_LENGTH + BY_LENGTH * lengths / mean)
    return np.asarray(times * (SATURATION + 1) / (times + norm), np.float64)
