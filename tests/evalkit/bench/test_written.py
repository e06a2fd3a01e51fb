import pytest

from evalkit.suites.bench import written
from evalkit.suites.bench.written import draft_of, load_written
from runtime.contract import SetupError, Split

TASK = """
[[task]]
name = "late"
split = "test"
request = "what's my next alarm"
subcategory = "alarms"
gold = [{ name = "manage_alarm", arguments = { action = "query" } }, { finish = "At seven." }]
"""


@pytest.fixture
def sheets(monkeypatch):
    def put(*texts):
        files = [(f"written/{place}.toml", text) for place, text in enumerate(texts)]
        monkeypatch.setattr(written, "data_files", lambda package, folder: iter(files))
        load_written.cache_clear()

    yield put
    load_written.cache_clear()


def test_a_task_is_read(sheets, maker):
    sheets(TASK)
    (task,) = load_written()
    draft = draft_of(task, maker.specs)
    assert (draft.split, draft.hand_written, draft.subcategory) == (Split.TEST, True, "alarms")
    assert draft.domain.value == "Time Management"
    assert draft.view.request == "what's my next alarm"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('"test"', '"tset"'), r"^`written/0\.toml`, field `task\.0\.split` is 'tset'"),
        (('request = "what\'s my next alarm"', ""), r"field `task\.0\.request` is missing"),
        (
            ('subcategory = "alarms"', 'subcategory = "alarms"\nkind = "groundin"'),
            r"task `late`, field `kind` is `groundin`",
        ),
        ((', { finish = "At seven." }', ""), r"task `late`, field `gold` ends with a call; expected an `ask`"),
        (("arguments = {", "argument = {"), r"field `gold\.0` is no step; expected `name` with `arguments`"),
        (('split = "test"', 'split = "test"\ncapabilities = ["magic"]'), r"field `capabilities` has `magic`"),
        (('split = "test"', 'split = "test"\nclock = "noon"'), r"field `clock` is `noon`; expected a local"),
        (('split = "test"', 'split = "test"\nclock = "9999-12-31T23:59"'), r"`9999-12-31T23:59`; .* of 2000 to 2099"),
        (
            ('split = "test"', 'split = "test"\nmemories = [{}]'),
            r"`late`, field `memories`: memory 0 of the world",
        ),
        (('split = "test"', 'split = "test"\nremembers = ["x"]'), r"field `remembers` has 1 words; .* each of the 0"),
        (('name = "manage_alarm"', "name = 3"), r"field `gold\.0` is no step"),
        (('{ action = "query" }', '"query"'), r"field `gold\.0` is no step"),
        (('finish = "At seven."', "finish = 7"), r"field `gold\.1` is no step"),
        (('finish = "At seven."', 'finish = "At seven.", ask = "?"'), r"field `gold\.1` is no step"),
        (('split = "test"', 'split = "test"\naccepted = [[]]'), r"task `late`, field `accepted\.0` ends with a call"),
    ],
)
def test_a_malformed_task_names_file_field_and_expectation(sheets, change, said):
    sheets(TASK.replace(*change))
    with pytest.raises(SetupError, match=said):
        load_written()


def test_a_name_stands_once_over_all_files(sheets):
    sheets(TASK, TASK)
    with pytest.raises(SetupError, match=r"`written/1\.toml`, task `late`, field `name` is taken already"):
        load_written()


def test_a_missing_tool_that_nobody_has_is_named(sheets, maker):
    sheets(TASK + 'unavailable = ["book_taxis"]\n')
    with pytest.raises(SetupError, match=r"task `late`, field `unavailable` has `book_taxis`; expected a tool"):
        draft_of(load_written()[0], maker.specs)


def test_a_tool_that_nobody_has_is_named(sheets, maker):
    sheets(TASK.replace("manage_alarm", "manage_alarms"))
    with pytest.raises(SetupError, match=r"task `late`, field `gold` calls `manage_alarms`"):
        draft_of(load_written()[0], maker.specs)
