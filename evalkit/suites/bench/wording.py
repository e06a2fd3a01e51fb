"""Words that programs put around requests, and the nouns of values; `wording.toml` and `nouns.toml`, by split."""

from functools import cache, lru_cache
from random import Random

from pydantic import RootModel

from evalkit.suites.bench.book import HERE
from evalkit.tables import data_file, read_table
from runtime.contract import Record, SetupError, Split


class Phrasings(Record):
    """Ways to say one thing."""

    train: tuple[str, ...]
    """For train alone."""
    dev: tuple[str, ...]
    """For dev alone."""
    test: tuple[str, ...]
    """For test alone."""

    def of(self, split: Split) -> tuple[str, ...]:
        """The wordings of a split; `evolve` shares dev's."""
        if split is Split.TRAIN:
            return self.train
        return self.test if split is Split.TEST else self.dev


class _Wordings(RootModel[dict[str, Phrasings]]):
    pass


class Nouns(Record):
    """`nouns.toml`: what a value of a pool is called."""

    nouns: dict[str, tuple[str, str]]
    """(one, several) by pool."""
    groups: dict[str, tuple[str, ...]]
    """Pools for a purpose: `usual`, `choice`."""


@lru_cache(maxsize=1)
def load_nouns() -> dict[str, tuple[str, str]]:
    """(one, several) by pool."""
    return read_table(*data_file(HERE, "nouns.toml"), Nouns).nouns


@cache
def load_group(name: str) -> frozenset[str]:
    """Pools for a purpose."""
    return frozenset(read_table(*data_file(HERE, "nouns.toml"), Nouns).groups[name])


@lru_cache(maxsize=1)
def load_wordings() -> dict[str, Phrasings]:
    """All wordings by name; `SetupError` where one stands in two splits."""
    name, text = data_file(HERE, "wording.toml")
    found = read_table(name, text, _Wordings).root
    for key, phrasings in found.items():
        train, dev, test = (set(part) for part in (phrasings.train, phrasings.dev, phrasings.test))
        if shared := sorted((train & dev) | (train & test) | (dev & test)):
            raise SetupError(
                f"`{name}`, field `{key}` has `{shared[0]}` in two splits; expected another wording in one"
            )
    return found


def worded(key: str, split: Split, rng: Random) -> str:
    """One wording of `key`, drawn for a split."""
    return rng.choice(load_wordings()[key].of(split))
