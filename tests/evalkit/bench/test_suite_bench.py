from collections import Counter
from statistics import median

import pytest

from evalkit.suites import load_suite
from evalkit.suites.bench.loading import released
from evalkit.suites.bench.release import load_releases
from tests.evalkit.bench.test_loading import Blind

PARTS = {"tool_use": 1040, "memory": 376, "skill": 200, "sub_agent": 89}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def suites(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POCKET_HOME", str(tmp_path_factory.mktemp("home")))
        yield {split: load_suite("bench", split) for split in ("dev", "test")}


@pytest.fixture(scope="module")
def tasks(suites):
    return [task for suite in suites.values() for task in suite.tasks]


def test_dev_and_test_have_the_papers_counts(suites, tasks):
    counts = Counter(task.part for task in tasks)
    assert len(tasks) >= 1705
    assert all(counts[part] >= wanted for part, wanted in PARTS.items())
    held = Counter(task.part for task in suites["test"].tasks)
    assert len(suites["test"].tasks) >= 680
    assert held["sub_agent"] >= 60


def test_the_median_gold_of_each_part_has_two_calls(tasks):
    for part in PARTS:
        assert median(sum("name" in step for step in task.gold) for task in tasks if task.part == part) >= 2


def test_all_domains_and_many_subcategories_have_tasks(tasks):
    assert len({task.domain for task in tasks}) == 13
    assert len({task.subcategory for task in tasks}) >= 89


def test_hand_written_tasks_are_many(tasks):
    assert sum(task.hand_written for task in tasks) >= 300


def test_nothing_crosses_from_dev_to_test(suites):
    said = {
        split: {(task.view.turns, task.view.request.casefold()) for task in suite.tasks}
        for split, suite in suites.items()
    }
    assert said["dev"] & said["test"] == set()
    assert len({task.id for suite in suites.values() for task in suite.tasks}) == sum(
        len(s.tasks) for s in suites.values()
    )


def test_the_newest_release_is_this_suite(suites):
    newest = load_releases()[-1]
    for split, suite in suites.items():
        sealed = newest.splits[split]
        assert (suite.fingerprint, len(suite.tasks)) == (sealed.fingerprint, sealed.tasks)


def test_the_newest_release_needs_no_search(suites):
    for split, suite in suites.items():
        again = released(suite.split, Blind())
        assert again is not None, f"the sources no longer make {split} of the newest release"
        assert [task.digest() for task in again.tasks] == [task.digest() for task in suite.tasks]
