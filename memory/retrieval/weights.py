"""How much each sign that a turn answers a question counts. One set for all questions; its digest names it.

The first ten are a softmax regression over the evidence of five LoCoMo conversations (`evalkit.memory.fit`; between the
folds that leave one out they vary by a tenth). They adapt to the question through the scales: keywords count in full
only where the best turn covers most of what the question's words tell, meaning only where the nearest stands out.
"""

from runtime.contract import Record
from runtime.contract.base import digest_of


class Weights(Record):
    """One number for each sign, each sign within [0, 1] (`date`: up to 2)."""

    words: float = 0.65
    """BM25 of the turn's own words."""
    window: float = 4.4
    """BM25 of the turn with its neighbours."""
    meaning: float = 1.94
    """Cosine with the question."""
    around: float = 1.84
    """Cosine of the turn with its neighbours."""
    speaker: float = 2.25
    """Said by the one whom the question names."""
    question: float = -0.76
    """A short question itself."""
    length: float = 1.15
    """Long enough to state something."""
    date: float = 3.04
    """Of a month (1) or a day (2) that the question names."""
    time: float = 1.8
    """Says when, where the question asks for it."""
    answer: float = 1.6
    """Follows a short question with the same words."""
    importance: float = 0.3
    """As capture judged it."""
    recency: float = 1.0
    """Later than others, where the question asks for what holds now."""
    named: float = 1.0
    """Says the names that the question says, or stands beside a turn that does."""
    covered: float = 0.75
    """Share of the question's information from which keywords count in full."""
    apart: float = 0.45
    """Distance of the nearest cosine from the mean from which meaning counts in full."""
    around_apart: float = 0.3
    """The same for turns with their neighbours."""
    enough_words: int = 25
    """Words from which a turn is long enough."""

    @property
    def digest(self) -> str:
        """Names this configuration."""
        return digest_of(self.model_dump())


DEFAULT = Weights()
"""What every search uses unless it is told otherwise."""
