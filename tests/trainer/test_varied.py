"""Rows with other values keep their phrasing, their gold and the seal."""

from random import Random

from evalkit.utterances.mapping import gold_of
from evalkit.utterances.rows import Slot, Utterance
from trainer.data.varied import pools_of, variant, variants


def row(text: str, *slots: tuple[str, str]) -> Utterance:
    made = [Slot(name=n, value=v, start=text.index(v), end=text.index(v) + len(v)) for n, v in slots]
    return Utterance(source="hwu64", intent="alarm_set", text=text, slots=tuple(made))


ROW = row("get me up tomorrow at seven", ("date", "tomorrow"), ("time", "seven"))


def test_values_are_replaced_where_they_stand() -> None:
    pools = {("hwu64", "date"): ["on the second of may"], ("hwu64", "time"): ["ten"]}
    found = None
    for seed in range(20):
        found = variant(ROW, pools, Random(seed)) or found
        if found is not None and found.text == "get me up on the second of may at ten":
            break
    assert found is not None
    assert found.text == "get me up on the second of may at ten"
    assert [found.text[slot.start : slot.end] for slot in found.slots] == ["on the second of may", "ten"]
    before, after = gold_of(ROW), gold_of(found)
    assert before is not None
    assert after is not None
    assert (after.tool, set(after.arguments)) == (before.tool, set(before.arguments))


def test_the_same_values_are_no_variant() -> None:
    assert variant(ROW, {("hwu64", "date"): ["tomorrow"], ("hwu64", "time"): ["seven"]}, Random(1)) is None


def test_values_and_rows_that_are_kept_back_are_never_used() -> None:
    rows = [row(f"please {verb} me at {hour}", ("time", hour)) for verb in ("wake", "rouse", "get", "call", "ring")
            for hour in ("six", "seven")]  # fmt: skip
    kept = [one for one in rows if one.held_out]
    used = [one for one in rows if not one.held_out]
    assert used
    pools = pools_of(rows)
    assert set(pools.get(("hwu64", "time"), ())) <= {slot.value for one in used for slot in one.slots}
    made = list(variants(rows, 30, Random(2)))
    assert made
    assert not {one.masked() for one in made} & {one.masked() for one in kept}
