"""Annotated rows with other values: the same phrasing, said of another song, city or hour.

A value is replaced by one that a row of the same source, also of the train part, has in a slot of the same name. The
gold follows from the map anew; a variant whose new words change more than the values themselves is left out.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from evalkit.utterances.mapping import Gold, gold_of
from evalkit.utterances.rows import Slot, Utterance

REPLACED = 0.7
"""Of the slots of a row."""
Pools = Mapping[tuple[str, str], Sequence[str]]
"""Values by (source, slot name), each once, sorted."""


def pools_of(rows: Sequence[Utterance]) -> Pools:
    """The values of rows that no measure keeps back."""
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows:
        if not row.held_out:
            for slot in row.slots:
                found[row.source, slot.name].add(slot.value)
    return {key: sorted(values) for key, values in found.items()}


def variants(rows: Sequence[Utterance], count: int, rng: Random) -> Iterator[Utterance]:
    """About `count` variants of the train part's annotated rows, spread evenly over them."""
    pools = pools_of(rows)
    usable = [row for row in rows if row.slots and not row.held_out and (gold := gold_of(row)) and not gold.decline]
    order: list[Utterance] = []
    for _ in range(count if usable else 0):
        if not order:
            order = rng.sample(usable, len(usable))
        found = variant(order.pop(), pools, rng)
        if found is not None:
            yield found


def variant(row: Utterance, pools: Pools, rng: Random) -> Utterance | None:
    """The row with other values; None where nothing changed, or more than the values did."""
    text, slots = row.text, list[Slot]()
    for slot in sorted(row.slots, key=lambda slot: -slot.start):
        value = rng.choice(pools[row.source, slot.name]) if rng.random() < REPLACED else slot.value
        text = text[: slot.start] + value + text[slot.end :]
        grown = len(value) - len(slot.value)
        slots = [one.model_copy(update={"start": one.start + grown, "end": one.end + grown}) for one in slots]
        slots.insert(0, Slot(name=slot.name, value=value, start=slot.start, end=slot.start + len(value)))
    changed = row.model_copy(update={"text": text, "slots": tuple(slots)})
    return (
        changed if text != row.text and not changed.held_out and _alike(gold_of(row), gold_of(changed), row) else None
    )


def _alike(before: Gold | None, after: Gold | None, row: Utterance) -> bool:
    """Whether two golds call the same tool with the same arguments, and what no slot said is equal."""
    if before is None or after is None or before.tool != after.tool or set(before.arguments) != set(after.arguments):
        return False
    said = {slot.value for slot in row.slots}
    fixed = {name: value for name, value in before.arguments.items() if not any(part in value for part in said)}
    return all(after.arguments[name] == value for name, value in fixed.items())
