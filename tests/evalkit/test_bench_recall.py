"""The bench of tool recall: what counts, and the keys of its report."""

import json

import pytest

from evalkit.bench.frame import Order, run_bench
from evalkit.bench.recall import RECALL
from runtime.cli import root
from runtime.config import Settings

ROWS = (
    {"source": "clinc150", "intent": "alarm", "text": "wake me at seven tomorrow", "slots": []},
    {"source": "clinc150", "intent": "alarm", "text": "set an alarm for noon", "slots": []},
    {"source": "clinc150", "intent": "oos", "text": "who shaves the barber", "slots": []},
)


@pytest.fixture
def folder(tmp_path):
    text = "\n".join(json.dumps(row) for row in ROWS)
    (tmp_path / "rows.jsonl").write_text(text + "\n")
    return tmp_path


def test_rows_that_name_a_tool_of_ours_count(folder):
    report = run_bench(RECALL, Order(Settings(), utterances=folder), ["utterances"])
    part = report["parts"]["utterances"]
    assert (report["recall_at_15"], part["rows"], part["lost_by_tool"]) == (1.0, 2, {})
    assert part["recall_at_15_by_source"] == {"clinc150": 1.0}
    assert report["limits"]["recall_at_15"] == {"at_least": 0.97, "met": True}
    assert part["tools"] > 200


def test_without_a_folder_the_cost_alone_is_measured():
    report = run_bench(RECALL, Order(Settings(), runs=1, limit=2))
    assert report["recall_at_15"] is None and report["limits"]["recall_at_15"]["met"] is None
    assert report["cpu_ms"] > 0 and report["parts"]["cost"]["requests"] == 2


def test_the_command(folder, capsys):
    args = ["bench", "recall", str(folder), "--part", "utterances", "--json"]
    assert root.main(args) == 0
    assert json.loads(capsys.readouterr().out)["recall_at_15"] == 1.0
