import json

import pytest

from evalkit.results import ResultStore
from evalkit.utterances.rows import read_utterances
from evalkit.utterances.score import Neighbours, mapping_figures, sample_rows, score_utterances
from runtime.config import load_settings
from runtime.contract import CancelToken, UserError
from runtime.wiring import open_rooms

ROWS = [
    ("hwu64", "alarm_set", "wake me up at seven am", [("time", "seven am")]),
    ("hwu64", "weather_query", "what is the weather in paris", [("place_name", "paris")]),
    ("hwu64", "iot_coffee", "make me a coffee", []),
    ("clinc150", "oos", "what is the meaning of life", []),
    ("hwu64", "no_such_intent", "blah blah", []),
]


@pytest.fixture
def folder(tmp_path):
    lines = []
    for source, intent, text, slots in ROWS:
        marked = [{"name": n, "value": v, "start": text.index(v), "end": text.index(v) + len(v)} for n, v in slots]
        lines.append(json.dumps({"source": source, "intent": intent, "text": text, "slots": marked}))
    (tmp_path / "rows.jsonl").write_text("\n".join(lines))
    return tmp_path


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path / "home"))
    store = ResultStore(tmp_path / "eval.sqlite3")
    yield store
    store.close()


def settings(name="keyword"):
    return load_settings({"planner": {"use": name}})


def test_figures_of_the_map_need_no_planner(folder):
    figures = mapping_figures(read_utterances(folder))
    assert figures["rows"] == 5
    assert figures["coverage"] == 3 / 5
    assert figures["slot_coverage"] == 1.0
    assert figures["max_tool_share"] == 1 / 3


def test_a_planner_is_scored_under_both_exposures(folder, store):
    report = score_utterances(folder, settings(), store, part="all")
    assert report["counts"] == {"tool": 3, "hard": 3, "exact": 2, "decline": 1}
    assert report["decline_accuracy"] in (0.0, 1.0)
    assert report["recall_at_15"] == 1.0
    assert report["not_run"] == 0
    assert len(report["map_digest"]) == 16
    assert set(report["by_source"]) == {"hwu64", "clinc150"}


def test_a_planner_that_only_declines_scores_there_alone(folder, store):
    report = score_utterances(folder, settings("refuser"), store, part="all")
    assert (report["tool_accuracy"], report["call_exact"], report["decline_accuracy"]) == (0.0, 0.0, 1.0)


def test_a_killed_run_goes_on(folder, store):
    cancel = CancelToken()
    cancel.cancel()
    assert score_utterances(folder, settings(), store, part="all", cancel=cancel)["not_run"] == 7
    left = []
    score_utterances(folder, settings(), store, part="all", watch=lambda trials: left.extend(trials) or trials)
    assert len(left) == 7
    score_utterances(folder, settings(), store, part="all", watch=lambda trials: left.extend(trials) or trials)
    assert len(left) == 7


def test_the_right_tool_is_always_shown(store):
    with open_rooms(settings()) as opened:
        neighbours = Neighbours(opened)
        shown, found = neighbours.recalled("what a lovely day", "control_cooling_fan")
        assert len(shown) == 15
        assert found or shown[-1].name == "control_cooling_fan"
        near = [tool.name for tool in neighbours.nearest("manage_wifi")]
        assert near[0] == "manage_wifi"
        assert len(set(near)) == 15


def test_a_sample_is_the_same_rows_every_time(folder):
    rows = read_utterances(folder)
    assert sample_rows(rows, 2) == sample_rows(list(reversed(rows)), 2)


def test_an_empty_folder_is_wrong_use(tmp_path, store):
    with pytest.raises(UserError, match=r"holds no \.jsonl"):
        score_utterances(tmp_path / "none", settings(), store)
