"""The scripted planner plays its list; references are read from what the context shows."""

import pytest

from runtime.contract import Ask, Deadline, Decision, Finish, Refuse, ToolCall, UserError
from runtime.planner.scripted import ScriptedPlanner, load_script, resolved
from tests.runtime.planner.conftest import view_of

NOW = Deadline(1)


def test_entries_play_in_order_and_end_with_finish():
    planner = ScriptedPlanner(
        [
            {"name": "manage_alarm", "arguments": {"label": "run", "action": "create"}},
            {"ask": "When?"},
            {"refuse": "No."},
            {"finish": "Done."},
        ]
    )
    view = view_of("x")
    decisions = [planner.decide(view, NOW) for _ in range(5)]
    assert decisions[0].actions == (
        ToolCall(id="1a", name="manage_alarm", arguments={"label": "run", "action": "create"}),
    )
    assert decisions[0].raw == (
        '<tool_call>{"name": "manage_alarm", "arguments": {"action": "create", "label": "run"}}</tool_call>'
    )
    assert [decision.actions[0] for decision in decisions[1:]] == [
        Ask(question="When?"),
        Refuse(reason="No."),
        Finish(answer="Done."),
        Finish(answer=""),
    ]
    planner.rewind()
    assert planner.decide(view, NOW) == decisions[0]


def test_parallel_calls_and_ready_decisions():
    ready = Decision(actions=(Finish(answer="ok"),))
    planner = ScriptedPlanner([{"calls": [{"name": "a", "arguments": {}}, {"name": "b", "arguments": {}}]}, ready])
    assert [action.id for action in planner.decide(view_of("x"), NOW).actions] == ["1a", "1b"]
    assert planner.decide(view_of("x"), NOW) is ready


def test_references_are_read_from_earlier_results():
    view = view_of("x")
    view.messages += [
        {"role": "tool", "tool_call_id": "1a", "content": '{"id": 7}'},
        {"role": "tool", "tool_call_id": "2a", "content": '{"files": [{"path": "/a\\u003cb"}]}'},
    ]
    planner = ScriptedPlanner([{"name": "open", "arguments": {"path": "$2.data.files.0.path", "id": "$1.data.id"}}])
    assert planner.decide(view, NOW).actions[0].arguments == {"path": "/a<b", "id": 7}


def test_only_whole_references_are_replaced():
    assert resolved({"a": ["$1.data.x", "costs $1.data.x", "$5"]}, [{"x": 3}]) == {"a": [3, "costs $1.data.x", "$5"]}


@pytest.mark.parametrize(
    ("text", "why"), [("$2.data.x", "names call 2"), ("$1.data.y", "no `y`"), ("$1.data.x.z", "no `z`")]
)
def test_a_reference_to_nothing_is_an_error(text, why):
    with pytest.raises(UserError, match=why):
        resolved(text, [{"x": 3}])


def test_a_script_comes_from_a_file(tmp_path):
    (tmp_path / "s.json").write_text('[{"finish": "ok"}]')
    assert load_script(tmp_path / "s.json") == [{"finish": "ok"}]
    for text, why in (
        ("{}", "no list of objects"),
        ("[", "can't be read"),
        ('[{"finish": "\\ud83d"}]', "can't be read"),
        ('[{"do": 1}]', "is no step"),
    ):
        (tmp_path / "s.json").write_text(text)
        with pytest.raises(UserError, match=why):
            load_script(tmp_path / "s.json")
    with pytest.raises(UserError, match="can't be read"):
        load_script(tmp_path / "absent.json")


def test_identity_follows_the_script():
    assert ScriptedPlanner([{"finish": "a"}]).identity != ScriptedPlanner([{"finish": "b"}]).identity
