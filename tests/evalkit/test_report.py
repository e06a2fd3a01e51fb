from html.parser import HTMLParser

import pytest

from evalkit.report.page import write_page
from evalkit.report.plots import Bar, bars, curve, matrix
from evalkit.results import ResultStore
from evalkit.runner import Plan, run_suite
from evalkit.suites import Suite
from runtime.config import load_settings
from runtime.contract import Split, UserError
from tests.evalkit.conftest import call
from tests.evalkit.test_overall import result

DONE = {"finish": "Done."}
VOID = {"meta", "line", "rect", "polyline", "br"}


class Page(HTMLParser):
    """Checks that every element is closed, and gathers texts and addresses."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.addresses, self.count = [], [], [], {}
        self.classes, self.cut = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1
        self.addresses += [value for name, value in attributes if name in ("src", "href")]
        if tag in ("table", "svg") and "wide" not in self.classes:
            self.cut.append(tag)
        if tag not in VOID:
            self.open.append(tag)
            self.classes.append(dict(attributes).get("class"))

    def handle_startendtag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        self.classes.pop()

    def handle_data(self, data):
        self.texts.append(data)


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    store = ResultStore(tmp_path / "eval.sqlite3")
    yield store
    store.close()


@pytest.fixture
def suite(make):
    tasks = (
        make(call("control_flashlight", action="enable"), DONE, request="turn <b>on</b> the flashlight", id="t/light"),
        make(call("send_message", contact="mom", content="hello"), DONE, request="text mom hello", id="t/text",
             part="memory", capabilities=frozenset(("argument grounding",))),
        make({"ask": "What time?"}, request="set an alarm", mentions=(("time",),), id="t/ask", family="other"),
    )  # fmt: skip
    return Suite("tiny", Split.TEST, tasks, (), "abc")


def run(suite, store, planner, **more):
    return run_suite(suite, load_settings({"planner": {"use": planner}}), store, plan=Plan(**more))


def test_one_page_shows_runs_floors_comparison_and_failures(suite, store, tmp_path):
    first, second = run(suite, store, "null"), run(suite, store, "oracle", attempts=2)
    write_page(store, [first.id, second.id], tmp_path / "page.html", price=0.4)
    text = (tmp_path / "page.html").read_text()
    page = Page(text)
    said = " ".join(" ".join(page.texts).split())
    assert (page.open, page.addresses, page.cut) == ([], [], [])  # a narrow page scrolls what it can't hold
    assert "http" not in text.replace("http-equiv", "")
    assert page.count["svg"] == 2
    assert page.count["details"] == 3
    assert "oracle less null" in said and "100.000 points" in said
    assert "gold found from outputs alone passes 1.000" in said
    assert "turn &lt;b&gt;on&lt;/b&gt; the flashlight" in text
    assert "`flashlight` has the update" in said
    assert "No tasks of Skill, Sub-agent" in said
    assert "used 2 times here" in said


def test_runs_that_can_not_be_compared_say_why(suite, store, tmp_path):
    first = run(suite, store, "null")
    other = run(Suite("tiny", Split.TEST, suite.tasks[:1], (), "abd"), store, "asker")
    write_page(store, [first.id, other.id], tmp_path / "page.html", instrument=False)
    assert "they are not about the same tasks" in " ".join((tmp_path / "page.html").read_text().split())


def test_a_place_that_can_not_be_written_is_wrong_use(suite, store, tmp_path):
    done = run(suite, store, "null")
    with pytest.raises(UserError, match="can't be written"):
        write_page(store, [done.id], tmp_path / "nowhere" / "page.html", instrument=False)


def test_bars_are_laid_out_in_pixels():
    drawn = bars([Bar("Memory", 0.5, 0.25, 0.75), Bar("Skill", None)])
    assert drawn["rows"][0] == {"label": "Memory", "y": 0, "width": 260.0, "low": 340.0, "high": 600.0, "text": "50.0%"}
    assert (drawn["rows"][1]["text"], drawn["height"]) == ("–", 52)


def test_the_matrix_counts_by_pattern_where_no_capability_is_named():
    found = matrix([result("tool_use", True, name="a"), result("tool_use", False, name="b")])
    assert (found["what"], found["columns"]) == ("pattern", ["all", "one_call"])
    assert found["rows"][0]["cells"][1] == {"text": "50%", "tasks": 2, "share": 0.5}
    named = matrix([result("tool_use", True, capabilities=frozenset(("recovery",)))])
    assert named["columns"] == ["all", "recovery"]


def test_curves_fall_and_rise_over_k():
    one = {"1": {"value": 0.5}, "2": {"value": 0.75}}
    found = curve({"pass_at_k": one, "pass_hat_k": {"1": {"value": 0.5}, "2": {"value": 0.25}}})
    assert found["lines"]["pass_at_k"][1] == {"x": 360.0, "y": 45.0, "text": "0.750"}
    assert found["lines"]["pass_hat_k"][1]["y"] == 135.0
    assert curve({}) == {}
