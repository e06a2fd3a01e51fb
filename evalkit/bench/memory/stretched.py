"""An embedder for filling a large store cheaply: real vectors of some texts, each stretched into many by noise.

What a query costs does not depend on what the vectors mean. So the records of a cost measurement, of which 100,000
would take the model several minutes, get noisy copies of a thousand real vectors; questions are embedded by the model.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from runtime.contract import Embedder

BASE = 1_000
"""Real vectors behind the copies."""
NOISE = 0.05
"""Standard deviation a component; a unit vector of 384 components has about as much."""


class Stretched:
    """The same identity and dimension as the embedder behind it; `filling` says which way texts are embedded."""

    def __init__(self, behind: Embedder, texts: Sequence[str], seed: int = 0) -> None:
        self._behind, self._dice = behind, np.random.default_rng(seed)
        self._base = behind.embed(list(texts[:BASE]))
        self.filling = True

    @property
    def identity(self) -> str:
        """As behind it."""
        return self._behind.identity

    @property
    def dimension(self) -> int:
        """As behind it."""
        return self._behind.dimension

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """(len(texts), dimension), of unit length."""
        if not self.filling:
            return self._behind.embed(texts)
        chosen = self._base[self._dice.integers(len(self._base), size=len(texts))]
        noisy = chosen + self._dice.normal(0.0, NOISE, chosen.shape)
        return np.asarray(noisy / np.linalg.norm(noisy, axis=1, keepdims=True), np.float32)
