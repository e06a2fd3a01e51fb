import pytest

from evalkit.suites.core.drafts import UNSEEN, composition, seeded, split_of, spoken
from runtime.contract import Split


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("set an alarm for 7 am on tomorrow", "set an alarm for 7 am tomorrow"),
        ("meet on friday", "meet on friday"),
        ("go to the the airport", "go to the airport"),
        ("text my my boss", "text my boss"),
        ("order a a cheeseburger", "order a cheeseburger"),
        ("remind me on  in three days", "remind me in three days"),
        ("the my laptop", "my laptop"),
    ],
)
def test_little_words_that_slots_bring_fall_away(written, said):
    assert spoken(written) == said


def test_a_composition_has_one_split_on_every_machine():
    assert composition("multi_call", ("manage_wifi", "send_message")) == "multi_call:manage_wifi>send_message"
    assert split_of("multi_call:manage_wifi>send_message") is split_of("multi_call:manage_wifi>send_message")
    found = {split_of(f"multi_call:{number}") for number in range(50)}
    assert found == {Split.TRAIN, Split.DEV, Split.TEST}


def test_a_seed_is_its_key():
    assert seeded("a", 1).random() == seeded("a", 1).random()
    assert seeded("a", 1).random() != seeded("a", 2).random()


def test_eight_tools_are_unseen():
    assert len(UNSEEN) == 8
