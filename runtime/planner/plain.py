"""What planners without a model share: no tokens, a window that is never full, nothing to close."""

from typing import Literal

from runtime.contract import Json


class ModelFree:
    """Base of planners without a model."""

    accepts: frozenset[Literal["text", "image"]] = frozenset({"text"})
    context_tokens = 1_000_000

    @property
    def sampling(self) -> Json:
        """Nothing is sampled."""
        return {}

    def count_tokens(self, text: str) -> int:
        """Words: there is no tokenizer."""
        return len(text.split())

    def close(self) -> None:
        """Nothing is held."""
