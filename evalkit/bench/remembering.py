"""A memory of many records for the runtime bench: what `pocket run` costs a user who has told it much.

The records get noisy copies of a thousand real vectors (memory/stretched.py): what they mean does not change the cost.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from evalkit.bench.frame import Order
from evalkit.bench.memory.prose import Prose
from evalkit.bench.memory.stand import fill, opened
from evalkit.bench.memory.stretched import BASE, Stretched
from runtime.config import Settings
from runtime.wiring import open_embedder

MEMORIES, FEW = 10_000, 100
"""Records; with `--limit`, for a quick look."""


@contextmanager
def remembering(order: Order) -> Iterator[tuple[Settings, int]]:
    """The settings with a filled memory in use and injected, and the number of its records."""
    count = FEW if order.limit else MEMORIES
    with TemporaryDirectory() as folder:
        file = Path(folder) / "memory.sqlite3"
        texts = _texts()
        service = opened(file, Stretched(open_embedder(), list(islice(texts, min(BASE, count)))))
        fill(service, texts, count)
        service.close()
        memory = order.settings.memory.model_copy(update={"use": True, "inject": True, "file": str(file)})
        yield order.settings.model_copy(update={"memory": memory}), count


def _texts() -> Iterator[str]:
    prose = Prose(7)
    while True:
        yield prose.turn()
