"""The phrase book and the value pools of the suite: core's, and beside them `phrases/*.toml` and `values/*.toml`.

1. An entry is core's with a `subcategory`; core's own entries get theirs from `subcategories.toml` (by family, else by
   tool).
2. A file may be added or taken away by itself; what does not fit is named with its file, field and expectation.
3. No template stands in two splits, over all files of both suites.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from pydantic import Field

from evalkit.suites.core.phrases import MissingArgument, OneCall, Phrases, load_phrases
from evalkit.suites.core.values import SLOT, Pool, Values, load_values, shared_values
from evalkit.tables import data_file, data_files, read_table
from runtime.contract import Json, Record, SetupError

HERE = "evalkit.suites.bench"


class Entry(OneCall):
    """One call answers it."""

    subcategory: str = Field(min_length=3)
    """What it is about, finer than the domain."""


class Lacking(MissingArgument):
    """A needed argument is missing."""

    subcategory: str = Field(min_length=3)
    """What it is about, finer than the domain."""


class Page(Record):
    """One phrase file."""

    one_call: tuple[Entry, ...] = ()
    """Requests for one call."""
    ask: tuple[Lacking, ...] = ()
    """Requests that lack something."""


class MorePools(Record):
    """One file of values."""

    pools: dict[str, Pool] = Field(default_factory=dict)
    """By name; no other file has a pool of that name."""
    plants: dict[str, tuple[Json, ...]] = Field(default_factory=dict)
    """Rows by pool."""
    zips: dict[str, str] = Field(default_factory=dict)
    """Pool to the pool that it is drawn with."""
    alias: dict[str, str] = Field(default_factory=dict)
    """Other names of pools."""


class Subcategories(Record):
    """`subcategories.toml`."""

    tools: dict[str, str]
    """Of core's tools."""
    families: dict[str, str] = Field(default_factory=dict)
    """Of families that are about something else than the rest of their tool."""

    def of(self, entry: Phrases) -> str:
        """The subcategory of one of core's entries."""
        found = self.families.get(entry.family) or self.tools.get(entry.tool)
        if found is None:
            raise SetupError(
                f"`subcategories.toml`, field `tools.{entry.tool}` is missing; expected a short noun phrase"
            )
        return found


@lru_cache(maxsize=1)
def load_pools() -> Values:
    """All value pools."""
    merged = load_values()
    for name, text in data_files(HERE, "values"):
        more = read_table(name, text, MorePools)
        for part in ("pools", "plants", "zips", "alias"):
            if twice := sorted(set(getattr(merged, part)) & set(getattr(more, part))):
                raise SetupError(
                    f"`{name}`, field `{part}.{twice[0]}` stands in another file too; expected a name of its own"
                )
        for pool, values in more.pools.items():
            if shared := shared_values(values):
                raise SetupError(f"`{name}`, field `pools.{pool}` has `{shared[0]}` in two splits; expected it in one")
        merged = Values(
            pools={**merged.pools, **more.pools},
            plants={**merged.plants, **more.plants},
            zips={**merged.zips, **more.zips},
            alias={**merged.alias, **more.alias},
        )
    return merged


@lru_cache(maxsize=1)
def load_book() -> Page:
    """All entries, checked: core's first."""
    book = _core()
    for name, text in data_files(HERE, "phrases"):
        page = read_table(name, text, Page)
        _check(name, page, load_pools(), {entry.family for entry in (*book.one_call, *book.ask)})
        book = Page(one_call=(*book.one_call, *page.one_call), ask=(*book.ask, *page.ask))
    _apart((*book.one_call, *book.ask))
    return book


def _core() -> Page:
    book, about = load_phrases(), read_table(*data_file(HERE, "subcategories.toml"), Subcategories)
    return Page(
        one_call=tuple(Entry.model_construct(**dict(entry), subcategory=about.of(entry)) for entry in book.one_call),
        ask=tuple(Lacking.model_construct(**dict(entry), subcategory=about.of(entry)) for entry in book.ask),
    )


def _check(name: str, page: Page, values: Values, taken: set[str]) -> None:
    """Unique families, a pool for every slot, arguments for every template."""
    for kind, entries in (("one_call", page.one_call), ("ask", page.ask)):
        for entry in entries:
            where = f"`{name}`, family `{entry.family}`"
            if entry.family in taken:
                raise SetupError(f"{where}, field `family` is taken already; expected a name of its own")
            taken.add(entry.family)
            for split in ("train", "dev", "test"):
                for template in getattr(entry, split):
                    _check_template(f"{where}, field `{kind}.{split}`", entry, template, values)


def _check_template(where: str, entry: Phrases, template: str, values: Values) -> None:
    try:
        for slot in SLOT.findall(template):
            values.pool_of(slot)
        if isinstance(entry, OneCall):
            entry.arguments_of(template)
    except SetupError as error:
        raise SetupError(f"{where}: {error}") from None


def _apart(entries: Sequence[Phrases]) -> None:
    home: dict[str, str] = {}
    for split, family, template in _templates(entries):
        if home.setdefault(template.casefold(), split) != split:
            raise SetupError(
                f"family `{family}` has `{template}` in `{split}`, which stands in `{home[template.casefold()]}` too; "
                "expected another wording"
            )


def _templates(entries: Sequence[Phrases]) -> Iterator[tuple[str, str, str]]:
    for entry in entries:
        for split in ("train", "dev", "test"):
            yield from ((split, entry.family, template) for template in getattr(entry, split))
