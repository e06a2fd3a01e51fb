"""Arguments that a set does not annotate, found by the patterns of `hints.toml` (its head says how they read)."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from pydantic import ValidationError

from evalkit.utterances.rows import Utterance
from runtime.contract import Record, SetupError

LITERAL = re.compile(r"(\w+?)_(distance|duration|directions)")
"""A group named `argument_value` gives the value itself."""


class Hint(Record):
    """What is known of one intent."""

    patterns: tuple[str, ...] = ()
    """The first that is found counts."""
    whole: str = ""
    """This argument is the whole text."""
    complete: bool = False
    """Where nothing is found there is nothing to find."""


@lru_cache(maxsize=1)
def load_hints() -> tuple[dict[tuple[str, str], Hint], frozenset[str]]:
    """Hints by (source, intent), and the sources that annotate every slot."""
    data = tomllib.loads(files("trainer.data").joinpath("hints.toml").read_text(encoding="utf-8"))
    annotated = frozenset(data.pop("annotated"))
    try:
        hints = {
            (source, intent): Hint.model_validate(hint)
            for source, intents in data.items()
            for intent, hint in intents.items()
        }
        return hints, annotated
    except ValidationError as error:
        raise SetupError(f"`trainer/data/hints.toml` is damaged: {error}; install the package again") from error


def hinted(row: Utterance) -> tuple[dict[str, str], bool]:
    """Arguments found in a row's text, and whether the call is whole with them."""
    hints, annotated = load_hints()
    hint = hints.get((row.source, row.intent), Hint(complete=row.source in annotated))
    if hint.whole:
        return {hint.whole: row.text.strip()}, True
    for pattern in hint.patterns:
        if found := re.search(pattern, row.text, re.IGNORECASE):
            return _arguments(found), True
    return {}, hint.complete


def _arguments(found: re.Match[str]) -> dict[str, str]:
    arguments = {}
    for name, value in found.groupdict().items():
        if value is None:
            continue
        literal = LITERAL.fullmatch(name)
        if literal:
            arguments[literal[1]] = literal[2]
        else:
            arguments[name] = value.strip(" '\"")
    return {name: value for name, value in arguments.items() if value}
