import pytest

from device.sandbox.sandbox import Sandbox
from evalkit.suites.bench.book import load_pools
from evalkit.suites.bench.maker import home_of
from evalkit.suites.bench.suite import all_drafts
from evalkit.suites.core.drafts import UNSEEN
from runtime.contract import Split

SPLITS = (Split.TRAIN, Split.DEV, Split.TEST)


@pytest.fixture(scope="module")
def made():
    def few(program, split):
        return min(program.size(split), 12)

    return {split: list(all_drafts(split, Sandbox(), few)) for split in SPLITS}


def crossing(sets):
    train, dev, test = (sets[split] for split in SPLITS)
    return (train & dev) | (train & test) | (dev & test)


def test_no_template_and_no_wording_crosses_splits(made):
    used = {split: {text for draft in found for text in draft.templates} for split, found in made.items()}
    assert all(used.values())
    assert crossing(used) == set()


def test_no_value_crosses_splits(made):
    closed = {name for name, pool in load_pools().pools.items() if pool.closed}
    used = {
        split: {pair for draft in found for pair in draft.values if pair[0] not in closed}
        for split, found in made.items()
    }
    assert crossing(used) == set()


def test_no_request_crosses_splits(made):
    said = {
        split: {"\n".join([*(turn.text for turn in draft.view.turns), draft.view.request]).lower() for draft in found}
        for split, found in made.items()
    }
    assert crossing(said) == set()


def test_a_composition_stands_in_the_one_split_that_may_use_it(made):
    for split, found in made.items():
        wrong = [draft.composition for draft in found if draft.composition and home_of(draft.composition) is not split]
        assert wrong == []


def test_unseen_tools_are_never_in_train(made):
    used = {step["name"] for draft in made[Split.TRAIN] for step in draft.gold if "name" in step}
    assert not used & UNSEEN


def test_every_day_of_a_phone_belongs_to_one_split(made):
    days = {
        split: {draft.world.clock[:7] for draft in found if not draft.hand_written} for split, found in made.items()
    }
    assert crossing(days) == set()


def test_the_same_drafts_are_made_every_time(made):
    again = list(all_drafts(Split.DEV, Sandbox(), lambda program, split: min(program.size(split), 12)))
    assert again == made[Split.DEV]
