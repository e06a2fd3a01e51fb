"""The frame of the benches: reports, limits, parts, the command line. No test looks at a time."""

import json

import pytest

from evalkit.bench.frame import Bench, Figure, Order, calibrate, median, run_bench
from evalkit.bench.registry import BENCHES
from runtime.cli.root import main
from runtime.config import Settings
from runtime.contract import UserError

SMALL = Bench(
    name="small",
    title="Two parts.",
    parts={"one": lambda order: {"speed": 3.0, "why": "three"}, "two": lambda order: {"cost_s": None}},
    figures=(
        Figure("speed", "how fast", 2.0, "at_least"),
        Figure("cost_s", "how dear", 1.0),
        Figure("absent", "never measured", 1.0),
    ),
)
ORDER = Order(Settings())


def test_a_report_has_figures_limits_configuration_machine_and_parts():
    report = run_bench(SMALL, ORDER)
    assert report["speed"] == 3.0
    assert report["cost_s"] is None
    assert report["limits"] == {"speed": {"at_least": 2.0, "met": True}, "cost_s": {"at_most": 1.0, "met": None}}
    assert len(report["config_digest"]) == 16
    assert set(report["machine"]) == {"cores", "architecture", "system", "python"}
    assert list(report["parts"]) == ["one", "two"]
    assert report["parts"]["one"]["why"] == "three"
    assert set(report["parts"]["two"]["calibration"]) == {"cpu_s", "wall_over_cpu"}


def test_only_the_parts_that_were_asked_for_run():
    report = run_bench(SMALL, ORDER, ["two"])
    assert list(report["parts"]) == ["two"]
    assert "speed" not in report
    assert list(report["limits"]) == ["cost_s"]


def test_an_unknown_part_names_the_known_ones():
    with pytest.raises(UserError, match="no part `three`"):
        run_bench(SMALL, ORDER, ["three"])


@pytest.mark.parametrize(
    ("kind", "value", "met"),
    [("at_most", 2.0, True), ("at_most", 2.1, False), ("at_least", 2.0, True), ("at_least", 1.9, False)],
)
def test_a_limit_holds_on_its_side(kind, value, met):
    assert Figure("x", "", 2.0, kind).met(value) is met


def test_the_digest_follows_the_settings():
    other = Order(Settings(planner={"threads": 1}))
    assert run_bench(SMALL, ORDER)["config_digest"] != run_bench(SMALL, other)["config_digest"]


def test_median_of_nothing_is_none():
    assert median([]) is None
    assert median([3.0, 1.0, 2.00004]) == 2.0


def test_the_loop_gives_positive_seconds():
    assert calibrate(runs=1)["cpu_s"] > 0


def test_every_figure_key_is_told_once():
    for bench in BENCHES.values():
        keys = [figure.key for figure in bench.figures]
        assert len(keys) == len(set(keys)), bench.name


def test_help_lists_the_benches(capsys):
    assert main(["bench", "--help"]) == 0
    shown = capsys.readouterr().out
    assert all(name.partition(" ")[0] in shown for name in BENCHES)


def test_an_unknown_bench_is_one_line(capsys):
    assert main(["bench", "sandbix"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_spoken_prints_json_and_a_table(capsys):
    assert main(["bench", "spoken", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["parts"]["values"]["values"] == 200
    assert report["limits"]["right_rate"] == {"at_least": 0.95, "met": True}
    assert main(["bench", "spoken"]) == 0
    assert "right_rate" in capsys.readouterr().out
