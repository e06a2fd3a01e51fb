"""Whether what no longer holds stands above what does, over questions about facts that changed.

updates.py -> one store a user, fed by capture alone -> the first 10 for each question -> places of the two values
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from evalkit.bench.frame import Order
from evalkit.bench.memory.prose import SESSION_TURNS, moment
from evalkit.bench.memory.rival import PlainStore
from evalkit.bench.memory.stand import feed, opened, texts_of
from evalkit.bench.memory.updates import MORE, ROUND, Update, User, attributes, users
from runtime.contract import Embedder, Json
from runtime.wiring import open_embedder

TOP = 10
EARLIER = moment((ROUND + 1) * SESSION_TURNS)
"""A time at which the first statements held and none had changed."""


class Outcome(NamedTuple):
    """What one question showed."""

    kind: str
    stale_above: bool
    """The old value stood above the new one, or alone."""
    found: bool
    """The new value was shown."""
    foreign_above: bool
    """Somebody else's value stood above the new one, or alone."""


def updates(order: Order) -> Json:
    """Shares over all questions, by kind, and the same for a plain store; `--limit` is a number of questions."""
    embedder = open_embedder()
    count = None if order.limit is None else max(1, order.limit // len(attributes()))
    ours: list[Outcome] = []
    plain: list[Outcome] = []
    earlier: list[bool] = []
    for user in users(count):
        shown, before = _asked(user, embedder)
        ours += shown
        earlier += before
        plain += _plain(user, embedder)
    more = [one for user in users(count, file=MORE) for one in _asked(user, embedder)[0]]
    return {
        "stale_above_new": _share(one.stale_above for one in ours),
        "update_questions": len(ours),
        "update_found_at_10": _share(one.found for one in ours),
        "foreign_above_new": _share(one.foreign_above for one in ours if one.kind == "someone_else"),
        "as_of_earlier_right": _share(earlier),
        "stale_above_new_in_other_words": _share(one.stale_above for one in more),
        "update_found_at_10_in_other_words": _share(one.found for one in more),
        "plain_stale_above_new": _share(one.stale_above for one in plain),
        "plain_found_at_10": _share(one.found for one in plain),
        "stale_above_new_by_kind": _by_kind(ours),
        "stale_above_new_in_other_words_by_kind": _by_kind(more),
    }


def _asked(user: User, embedder: Embedder) -> tuple[list[Outcome], list[bool]]:
    """Outcomes now, and whether a look back shows what held then first."""
    service = opened(None, embedder)
    feed(service, user.turns)
    now = [_outcome(one, texts_of(service, one.question, TOP)) for one in user.updates]
    then = [_held(one, texts_of(service, one.question, TOP, as_of=EARLIER)) for one in user.updates]
    service.close()
    return now, then


def _plain(user: User, embedder: Embedder) -> list[Outcome]:
    with TemporaryDirectory() as folder:
        store = PlainStore(Path(folder), embedder)
        store.fill([said.text for said in user.turns])
        return [_outcome(one, store.search(one.question, TOP)) for one in user.updates]


def _outcome(update: Update, texts: Sequence[str]) -> Outcome:
    """Places are compared; what is not shown has none."""
    new = _place(update.new in text for text in texts)
    stale = _place(update.is_stale(text) for text in texts)
    foreign = _place(bool(update.foreign) and update.foreign in text for text in texts)
    return Outcome(update.kind, stale < new, new < inf, foreign < new)


def _held(update: Update, texts: Sequence[str]) -> bool:
    """Whether the first value is shown, and the later ones aren't above it."""
    first, later = update.stale[-1], (update.new, *update.stale[:-1])
    place = _place(first in text for text in texts)
    return place < min(_place(any(one in text for one in later) for text in texts), inf) and place < inf


def _place(matches: Iterable[bool]) -> float:
    return next((number for number, matched in enumerate(matches) if matched), inf)


def _share(matches: Iterable[bool]) -> float | None:
    found = list(matches)
    return round(sum(found) / len(found), 4) if found else None


def _by_kind(outcomes: Sequence[Outcome]) -> dict[str, float | None]:
    kinds: dict[str, list[bool]] = defaultdict(list)
    for one in outcomes:
        kinds[one.kind].append(one.stale_above)
    return {kind: _share(found) for kind, found in kinds.items()}
