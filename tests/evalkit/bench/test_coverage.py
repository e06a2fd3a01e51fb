from device.sandbox.sandbox import Sandbox
from evalkit.commands.coverage import gaps, show
from evalkit.suites.bench.coverage import coverage
from evalkit.suites.bench.draft import CAPABILITIES
from tests.evalkit.conftest import call


def test_cells_count_tasks_and_empty_ones_are_listed(make):
    specs = {spec.name: spec for spec in Sandbox().tools()}
    tasks = [
        make(call("manage_alarm", action="create", time="7 am"), {"finish": "Done."},
             capabilities=frozenset(["tool_routing"]), pattern="one_call"),
        make({"ask": "What time?"}, mentions=(("time",),), capabilities=frozenset(["recovery"]), pattern="ask"),
    ]  # fmt: skip
    table = coverage(tasks, specs)
    assert table["domain"]["cells"]["Time Management"] == {"tool_routing": 1, "recovery": 1}
    assert table["tool"]["cells"]["manage_alarm"] == {"tool_routing": 1}
    assert table["intent"]["cells"] == {"ask": {"recovery": 1}, "write": {"tool_routing": 1}}
    assert table["pattern"]["cells"] == {"ask": {"recovery": 1}, "one_call": {"tool_routing": 1}}
    assert ["ask", "tool_routing"] in table["pattern"]["empty"]
    assert "send_message" in table["tool"]["bare"]
    assert len(table["domain"]["cells"]) == 13


def test_the_summary_counts_cells_and_puts_rows_with_the_same_gaps_together(capsys):
    first, *others = CAPABILITIES
    held = {"cells": {"a": {first: 2}, "b": {}, "c": {first: 1}, "d": dict.fromkeys(CAPABILITIES, 1)},
            "empty": [*(["a", name] for name in others), *(["b", name] for name in CAPABILITIES),
                      *(["c", name] for name in others)],
            "bare": ["b"]}  # fmt: skip
    assert gaps(held) == {tuple(others): ["a", "c"], CAPABILITIES: ["b"]}
    show("bench dev: 4 tasks", {"domain": held})
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "bench dev: 4 tasks"
    assert lines[2] == "domain 4 28 9 19 1"
    assert lines[3].startswith(f"tasks by capability: {first} 4, {others[0]} 1,")
    assert lines[-3:] == ["empty by domain:", f"without {', '.join(others)} (2): a, c", "without any task (1): b"]
