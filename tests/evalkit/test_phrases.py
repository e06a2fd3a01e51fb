import pytest

from evalkit.suites.core.phrases import MissingArgument, OneCall, Variant, load_phrases, slots_of
from evalkit.suites.core.values import SLOT
from runtime.contract import SetupError, Split

ALARM = OneCall(
    family="alarm",
    tool="manage_alarm",
    arguments={"action": "create", "time": "{time}"},
    variants=(Variant(arguments={"action": "create", "time": "{time}", "title": "{label}"}),),
    train=("wake me at {time}",),
    dev=("{time} alarm",),
    test=("up at {time} for {label}",),
)


def test_the_slots_of_a_template_decide_its_arguments():
    assert ALARM.arguments_of("wake me at {time}") == {"action": "create", "time": "{time}"}
    assert ALARM.arguments_of("up at {time} for {label}")["title"] == "{label}"


def test_a_template_without_arguments_is_named():
    with pytest.raises(SetupError, match=r"no variant has exactly the slots of `on \{date\}`"):
        ALARM.arguments_of("on {date}")


def test_evolve_shares_the_templates_of_dev():
    assert ALARM.templates(Split.EVOLVE) == ("{time} alarm",)
    assert ALARM.templates(Split.TEST) == ("up at {time} for {label}",)


def test_a_question_is_made_of_the_first_mention():
    entry = MissingArgument(family="x", tool="manage_alarm", mentions=("time", "when"))
    assert entry.asks == "What time should it be?"
    assert entry.model_copy(update={"question": "When should it ring?"}).asks == "When should it ring?"


def test_slots_are_found_in_text_alone():
    assert slots_of({"a": "{time} {date}", "b": 3}) == {"time", "date"}


def test_all_phrase_files_load_and_no_template_stands_in_two_families_splits():
    book = load_phrases()
    train = {t for entry in book.one_call for t in entry.train}
    test = {t for entry in book.one_call for t in entry.test}
    assert not train & test
    assert all(len(entry.test) >= 2 for entry in book.one_call)


def test_a_question_names_what_it_asks_for():
    from evalkit.verify import says

    silent = [
        entry.family for entry in load_phrases().ask if not any(says(entry.asks, word) for word in entry.mentions)
    ]
    assert silent == []
    assert all(not SLOT.findall(entry.asks) for entry in load_phrases().ask)
