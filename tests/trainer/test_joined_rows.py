"""Two utterances in one request: both calls, in the order of the words, on one phone."""

from random import Random

from device.sandbox.sandbox import Sandbox
from evalkit.suites.core.drafts import composition, split_of
from evalkit.utterances.rows import Utterance
from runtime.contract import Split
from trainer.data.joined_rows import joined_rows

SPECS = {spec.name: spec for spec in Sandbox().tools()}


def row(text: str, intent: str) -> Utterance:
    return Utterance(source="clinc150", text=text, intent=intent)


ROWS = [
    row("how is traffic looking", "traffic"),
    row("tell me the time", "time"),
    row("which day is it", "date"),
    row("flip a coin for me", "flip_coin"),
    row("roll a dice", "roll_dice"),
]


def test_both_calls_stand_in_the_order_of_the_words() -> None:
    made = list(joined_rows(ROWS, 3, ["{0} PLUS {1}"], SPECS, Sandbox(), Random(1)))
    assert len(made) == 3
    by_text = {one.text: one for one in ROWS}
    for one in made:
        first, second = one.said.split(" PLUS ")
        assert {first, second} <= set(by_text)
        assert len(one.moves) == 3
        assert one.tools == {name for move in one.moves[:2] for name in SPECS if f'"{name}"' in move.raw}
        assert all(move.response for move in one.moves[:2])
        order = tuple(next(name for name in SPECS if f'"{name}"' in move.raw) for move in one.moves[:2])
        assert split_of(composition("multi_call", order)) is Split.TRAIN


def test_none_without_two_tools() -> None:
    assert list(joined_rows(ROWS[:1], 5, ["{0} {1}"], SPECS, Sandbox(), Random(1))) == []
    assert list(joined_rows(ROWS, 0, ["{0} {1}"], SPECS, Sandbox(), Random(1))) == []


def test_a_held_out_row_is_never_joined() -> None:
    held = [one for one in ROWS if one.held_out]
    for one in joined_rows(ROWS, 10, ["{0} PLUS {1}"], SPECS, Sandbox(), Random(3)):
        assert not any(each.text in one.said for each in held)
