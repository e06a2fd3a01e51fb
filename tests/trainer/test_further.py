"""Further phrasings: they fit their families, and nothing that is kept for dev or test is among them."""

from functools import partial
from random import Random

import pytest

from device.sandbox.sandbox import Sandbox
from evalkit.suites.core.dependent import dependent
from evalkit.suites.core.drafts import UNSEEN, composition, split_of
from evalkit.suites.core.phrases import load_phrases
from evalkit.suites.core.single import one_call
from runtime.contract import SetupError, Split
from trainer.corpus import further_exchanges
from trainer.data import further
from trainer.recipe import Recipe

SPECS = {spec.name: spec for spec in Sandbox().tools()}


def test_nothing_that_dev_or_test_says_is_among_them() -> None:
    held = {further.plain(text) for entry in load_phrases().one_call for text in (*entry.dev, *entry.test)}
    said = [further.plain(text) for one in further.load_further().one_call for text in one.train]
    assert len(said) > 1000
    assert not held & set(said)


def test_no_question_of_a_held_out_family_is_among_them() -> None:
    held = [one for one in load_phrases().ask if split_of(composition("ask", (one.family,))) is not Split.TRAIN]
    for mine in further.load_further().ask:
        assert not any(one.tool == mine.tool and set(one.mentions) & set(mine.mentions) for one in held)
        assert mine.tool not in UNSEEN


def test_words_are_compared_without_marks_and_case() -> None:
    assert further.plain("Wake me at {time}, please!") == "wake me at {time} please"


def test_a_family_is_widened_or_stands_alone() -> None:
    (alarm,) = [entry for entry in load_phrases().one_call if entry.family == "alarm_create"]
    (wide,) = further.widened([alarm])
    (alone,) = further.widened([alarm], alone=True)
    assert wide.train == alarm.train + alone.train
    assert (wide.family, alone.family) == ("alarm_create", "alarm_create_further")
    assert wide.test == alarm.test


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[[one_call]]\nfamily = "none_such"\ntrain = ["x"]\n', "`none_such`"),
        ('[[one_call]]\nfamily = "alarm_create"\ntrain = ["wake me at {city}"]\n', "exactly the slots"),
        ("[[one_call]\n", "`further/made.toml` is damaged"),
    ],
)
def test_what_does_not_fit_is_named(text: str, problem: str, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "further").mkdir()
    (tmp_path / "further" / "made.toml").write_text(text)
    monkeypatch.setattr(further, "files", lambda _: tmp_path)
    further.load_further.cache_clear()
    try:
        with pytest.raises(SetupError, match=problem):
            further.load_further()
    finally:
        further.load_further.cache_clear()


def test_they_are_played_alone_asked_and_joined() -> None:
    recipe = Recipe(further_tasks=1, further_asks=1, further_absent=3, joined_tasks=20)
    made = further_exchanges(recipe, Sandbox(), SPECS, Random(2))
    kinds = {one.kind for one in made}
    assert {"one_call", "ask", "several"} <= kinds
    assert sum(one.kind == "several" for one in made) <= 20
    assert sum(one.kind == "unavailable" for one in made) == 3


def test_another_first_draw_gives_other_values_and_other_joins() -> None:
    plain, later = Recipe(further_tasks=1, joined_tasks=10), Recipe(further_tasks=1, joined_tasks=10, first_draw=500)
    before, after = (further_exchanges(one, Sandbox(), SPECS, Random(2)) for one in (plain, later))
    joined = [{one.said for one in made if one.kind == "several"} for made in (before, after)]
    assert joined[0]
    assert joined[1]
    assert not joined[0] & joined[1]


def test_a_first_draw_takes_the_numbers_from_there_on() -> None:
    (alarm,) = [entry for entry in load_phrases().one_call if entry.family == "alarm_create"]
    for drawn in (partial(one_call, alarm, SPECS[alarm.tool], Split.TRAIN), partial(dependent, Split.TRAIN, SPECS)):
        said = [(draft.family, draft.view.request) for draft in drawn(5)]
        later = [(draft.family, draft.view.request) for draft in drawn(2, first=3)]
        families = list(dict.fromkeys(family for family, _ in said))
        assert later == [one for family in families for one in [each for each in said if each[0] == family][3:]]
