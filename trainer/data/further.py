"""Further phrasings, for training alone: `further/<domain>.toml`, any number.

    families of the suite `core`  +  what else people say for the same calls  ->  the families, widened
    requests that lack an argument, of families that the suite does not have   ->  questions

They were written without a look at what dev and test say. What nonetheless is said there word for word, or asks for
what a held-out family asks for, is left out when the files are read, so that dev and test go on measuring phrasings
and questions that no training saw.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from pydantic import ValidationError

from evalkit.suites.core.drafts import UNSEEN, Draft, composition, seeded, split_of, spoken, world_for
from evalkit.suites.core.phrases import MissingArgument, OneCall, load_phrases
from evalkit.suites.core.values import Draw, load_values
from runtime.contract import Record, SetupError, Split, TaskView, ToolSpec

JOINS = (
    "{0} and {1}",
    "{0}, then {1}",
    "{0}. then {1}",
    "{0}, and on top of that {1}",
    "{0}; {1}",
    "{0}. {1}",
    "{0}... and yeah, {1}",
    "both of these please: {0}; {1}",
    "{0}. second thing: {1}",
    "1) {0} 2) {1}",
    "{0}. when that is through, {1}",
    "{0} and last, {1}",
    "hey, {0} and {1} too",
    "{0} but before i forget, {1}",
)
"""How two requests are joined, beside the ways of the suite's train split."""
Templates = tuple[str, ...]


class MorePhrases(Record):
    """What else is said for a family of one call."""

    family: str
    """As the suite names it."""
    train: Templates
    """With exactly the slots of the family's arguments, or of a variant's."""


class FurtherBook(Record):
    """One file."""

    one_call: tuple[MorePhrases, ...] = ()
    """Requests for one call."""
    ask: tuple[MissingArgument, ...] = ()
    """Requests that lack something, in families of their own."""


@lru_cache(maxsize=1)
def load_further() -> FurtherBook:
    """All files, checked, without what dev or test say; `SetupError` for a family or a slot that is none."""
    book, known = _read_all(), {entry.family: entry for entry in load_phrases().one_call}
    held = {plain(text) for entry in load_phrases().one_call for text in (*entry.dev, *entry.test)}
    for more in book.one_call:
        if more.family not in known:
            raise SetupError(f"`further` names the family `{more.family}`, which `core` has not")
        for template in more.train:
            known[more.family].arguments_of(template)
    kept = (more.model_copy(update={"train": _apart(more.train, held)}) for more in book.one_call)
    return FurtherBook(one_call=tuple(kept), ask=tuple(one for one in book.ask if not _held_out(one)))


def widened(families: Sequence[OneCall], alone: bool = False) -> tuple[OneCall, ...]:
    """Families with the further phrasings beside their own; `alone`: those that have any, with these only."""
    more: dict[str, Templates] = {}
    for one in load_further().one_call:
        more[one.family] = more.get(one.family, ()) + one.train
    if alone:
        return tuple(_with(entry, more[entry.family], "_further") for entry in families if more.get(entry.family))
    return tuple(_with(entry, entry.train + more.get(entry.family, ()), "") for entry in families)


def asks(specs: Mapping[str, ToolSpec], count: int) -> Iterator[Draft]:
    """At most `count` requests of each further family that lacks an argument."""
    for entry in load_further().ask:
        for number, template in enumerate(entry.train[:count]):
            rng = seeded("further", entry.family, Split.TRAIN, number)
            draw = Draw(load_values(), Split.TRAIN, rng)
            yield Draft(
                family=entry.family,
                pattern="ask",
                domain=specs[entry.tool].domain,
                split=Split.TRAIN,
                view=TaskView(request=spoken(draw.fill(template))),
                world=world_for(Split.TRAIN, draw, entry.plant, rng),
                gold=({"ask": entry.asks},),
                tools=(entry.family,),
                mentions=(tuple(entry.mentions),),
                template=template,
            )


def plain(text: str) -> str:
    """A template's words alone, to compare what is said."""
    return " ".join(re.findall(r"\{?\w+\}?", text.casefold()))


def _apart(templates: Templates, held: set[str]) -> Templates:
    return tuple(template for template in templates if plain(template) not in held)


def _held_out(entry: MissingArgument) -> bool:
    """Whether a held-out family of the suite asks the same of the same tool."""
    return entry.tool in UNSEEN or any(
        one.tool == entry.tool and set(one.mentions) & set(entry.mentions)
        for one in load_phrases().ask
        if split_of(composition("ask", (one.family,))) is not Split.TRAIN
    )


def _with(entry: OneCall, train: Templates, ending: str) -> OneCall:
    return entry.model_copy(update={"family": f"{entry.family}{ending}", "train": train})


def _read_all() -> FurtherBook:
    folder = files("trainer.data").joinpath("further")
    found = [item for item in folder.iterdir() if item.name.endswith(".toml")] if folder.is_dir() else []
    books = []
    for item in sorted(found, key=lambda item: item.name):
        try:
            books.append(FurtherBook.model_validate(tomllib.loads(item.read_text(encoding="utf-8"))))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, ValidationError) as error:
            raise SetupError(f"`further/{item.name}` is damaged: {error}") from error
    return FurtherBook(
        one_call=tuple(one for book in books for one in book.one_call),
        ask=tuple(one for book in books for one in book.ask),
    )
