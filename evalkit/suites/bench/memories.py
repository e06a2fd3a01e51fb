"""Data of the Memory part: what a memory may hold, how requests mean it, and memories that are close and wrong."""

from functools import lru_cache

from pydantic import Field

from evalkit.suites.bench.book import HERE
from evalkit.suites.bench.wording import Phrasings
from evalkit.tables import data_files, each_once, read_table
from runtime.contract import Record


class Fact(Record):
    """One kind of thing that a memory may know."""

    name: str
    """Unique."""
    pool: str
    """The slot that the value fills."""
    noun: str
    """What the value is called."""
    category: str
    """Category of the memory."""
    content: Phrasings
    """The memory, around `{value}`."""
    phrase: Phrasings
    """How a request means it."""
    near: Phrasings
    """Memories that are close and wrong, around `{other}`."""


class _Shelf(Record):
    memory: tuple[Fact, ...] = Field(default=())


@lru_cache(maxsize=1)
def facts() -> tuple[Fact, ...]:
    """All kinds, in order of file and place."""
    found = tuple(
        one for name, text in data_files(HERE, "families/memories") for one in read_table(name, text, _Shelf).memory
    )
    return each_once(found, "memories")
