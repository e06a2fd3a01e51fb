from collections import Counter

import pytest

from device.sandbox.sandbox import Sandbox
from evalkit.suites import load_suite
from evalkit.suites.core.dependent import families
from evalkit.suites.core.drafts import UNSEEN, composition
from evalkit.suites.core.suite import Sizes, drafts
from runtime.contract import Split, UserError

SMALL = Sizes(one_call=4, unseen=2, ask=3, joined=60, dependent=6, condition=1)
CONDITIONS = ("multi_call", "dependent_call", "ask", "permission", "unavailable")


@pytest.fixture(scope="module")
def made():
    specs = {spec.name: spec for spec in Sandbox().tools()}
    return {split: list(drafts(split, specs, SMALL)) for split in (Split.TRAIN, Split.DEV, Split.TEST)}


def pairs(sets):
    train, dev, test = (sets[split] for split in (Split.TRAIN, Split.DEV, Split.TEST))
    return (train & dev) | (train & test) | (dev & test)


def test_no_template_stands_in_two_splits(made):
    assert pairs({split: {draft.template for draft in found} for split, found in made.items()}) == set()


def test_no_request_stands_in_two_splits(made):
    assert pairs({split: {draft.view.request.lower() for draft in found} for split, found in made.items()}) == set()


def test_no_composition_of_tools_and_conditions_stands_in_two_splits(made):
    kept = {
        split: {draft.composition for draft in found if draft.pattern in CONDITIONS} for split, found in made.items()
    }
    assert pairs(kept) == set()


def test_no_day_of_a_phone_stands_in_two_splits(made):
    assert pairs({split: {draft.world.clock[:7] for draft in found} for split, found in made.items()}) == set()


def test_unseen_tools_are_never_in_train(made):
    used = {step["name"] for draft in made[Split.TRAIN] for step in draft.gold if "name" in step}
    assert not used & UNSEEN
    tested = {draft.tools[0] for draft in made[Split.TEST] if draft.pattern == "unseen_tools"}
    assert tested <= UNSEEN


def test_a_dependent_family_has_its_pair_of_tools_alone():
    assert len(families()) >= 12
    names = Counter(composition("dependent_call", family.tools) for family in families())
    assert [name for name, count in names.items() if count > 1] == []
    assert len({family.name for family in families()}) == len(families())
    assert all(any("$" in str(value) for value in family.calls[-1]["arguments"].values()) for family in families())


def test_the_same_draft_is_made_every_time(made):
    specs = {spec.name: spec for spec in Sandbox().tools()}
    assert list(drafts(Split.DEV, specs, SMALL)) == made[Split.DEV]


def test_test_split_is_large_enough_behind_each_figure():
    suite = load_suite("core", "test")
    counts = Counter(task.pattern for task in suite.tasks)
    assert len(suite.tasks) >= 150
    assert counts["one_call"] >= 40
    assert counts["multi_call"] + counts["dependent_call"] >= 40
    assert counts["ask"] >= 40
    assert counts["unseen_tools"] >= 16


def test_all_domains_have_tasks():
    tasks = [*load_suite("core", "dev").tasks, *load_suite("core", "test").tasks]
    assert len(tasks) >= 300
    assert len({task.domain for task in tasks}) == 13


def test_few_drafts_are_rejected():
    suite = load_suite("core", "test")
    assert len(suite.rejected) <= 0.1 * len(suite.tasks)


@pytest.mark.parametrize(("name", "split", "why"), [("cores", "test", "no suite"), ("core", "tests", "no split")])
def test_unknown_names_are_wrong_use(name, split, why):
    with pytest.raises(UserError, match=why):
        load_suite(name, split)
