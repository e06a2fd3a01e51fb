from device.sandbox.sandbox import Sandbox
from evalkit.suites.bench.coverage import coverage
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
