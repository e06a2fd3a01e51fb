"""Searches that must not show what is another's, and searches that must not fail whatever is asked.

1. Four users with records about the same things in one file. Half of the questions are another user's record word for
   word: without a filter before scoring it would come first.
2. Questions of random characters, full-text syntax, SQL, half characters, control characters and great length.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Literal

from evalkit.bench.frame import Order
from evalkit.bench.memory.prose import Prose
from evalkit.bench.memory.stand import Hashed, fill, opened
from runtime.contract import Json
from runtime.wiring import open_embedder

USERS, RECORDS, SEARCHES = ("anna", "bela", "carl", "dora"), 400, 4_000
QUERIES, BY_MODEL = 10_000, 1_000
"""Fuzzed questions, and how many of them go through the real embedder."""
MODES: tuple[Literal["relevance", "recent"], ...] = ("relevance", "relevance", "relevance", "recent")
SYNTAX = (
    *("AND", "OR", "NOT", "NEAR", "NEAR(", '"', '""', "*", "^", ":", "-", "+", "(", ")", "{", "}", "content:", "rank"),
    *(";", "--", "DROP TABLE records", "' OR 1=1", "%", "_", "\\", "\x00", "\n", "[", "]", "<", ">"),
)


def tenants(order: Order) -> Json:
    """Records of another that were shown; `--limit` is a number of searches."""
    searches, dice, leaks, shown = min(order.limit or SEARCHES, SEARCHES), Random(0), 0, 0
    with TemporaryDirectory() as folder:
        file = Path(folder) / "memory.sqlite3"
        services = {name: opened(file, Hashed(), user=name) for name in USERS}
        prose = Prose(11)
        own = {name: fill(service, iter(prose.sentence, ""), RECORDS, user=name) for name, service in services.items()}
        for number in range(searches):
            asker = USERS[number % len(USERS)]
            other = dice.choice([name for name in USERS if name != asker])
            question = dice.choice(own[other if dice.random() < 0.5 else asker])
            found = services[asker].search(question, limit=dice.choice((1, 5, 10, 50)), mode=dice.choice(MODES))
            shown += len(found.items)
            leaks += sum(item.record.user != asker for item in found.items)
        for service in services.values():
            service.close()
    return {"tenant_leaks": leaks, "tenant_searches": searches, "tenant_records_shown": shown}


def fuzz(order: Order) -> Json:
    """Searches that raised, by the error's name; `--limit` is a number of questions."""
    queries, dice, errors = min(order.limit or QUERIES, QUERIES), Random(1), dict[str, int]()
    cheap, real = opened(None, Hashed()), opened(None, open_embedder())
    for service in (cheap, real):
        fill(service, iter(Prose(12).sentence, ""), 200)
    step = max(1, QUERIES // BY_MODEL)
    for number in range(queries):
        question = dice.choice(SHAPES)(dice)
        service = real if number % step == 0 else cheap
        try:
            found = service.search(question, limit=dice.choice((1, 3, 10)), mode=dice.choice(MODES))
            if len(found.items) > 10:
                raise ValueError("more than was asked for")
        except Exception as error:  # whatever a search raises is what is counted
            name = type(error).__name__
            errors[name] = errors.get(name, 0) + 1
    return {"query_errors": sum(errors.values()), "fuzzed_queries": queries, "query_errors_by_name": errors}


def _characters(dice: Random) -> str:
    """Any code points, half characters too."""
    return "".join(chr(dice.randrange(0x110000)) for _ in range(dice.randint(0, 60)))


def _narrow(dice: Random) -> str:
    """Bytes as Latin-1: control characters come up often."""
    return dice.randbytes(dice.randint(0, 80)).decode("latin-1")


def _syntax(dice: Random) -> str:
    """What means something to FTS5 or SQL, among words."""
    pieces = [dice.choice((*SYNTAX, "ladder", "piano", "the")) for _ in range(dice.randint(1, 14))]
    return dice.choice((" ", "")).join(pieces)


def _long(dice: Random) -> str:
    """Up to 20,000 characters."""
    return dice.choice(("piano ", "a", "\u3042", "word-", "\u0301", '"')) * dice.randint(200, 4_000)


def _plain(dice: Random) -> str:
    """A sentence with some letters changed."""
    text = list(_prose().sentence())
    for _ in range(dice.randint(0, 6)):
        text[dice.randrange(len(text))] = chr(dice.randrange(1, 0x250))
    return "".join(text)


@lru_cache(maxsize=1)
def _prose() -> Prose:
    return Prose(13)


SHAPES: tuple[Callable[[Random], str], ...] = (*(_characters, _narrow, _syntax, _plain) * 4, _long)
"""Kinds of questions; long ones are few, since they cost most."""
