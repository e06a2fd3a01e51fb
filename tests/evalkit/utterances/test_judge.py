import pytest

from evalkit.utterances.judge import judge, same_value
from evalkit.utterances.mapping import Gold
from runtime.contract import Ask, Decision, Finish, ParseError, Refuse, ToolCall


@pytest.fixture
def tools(phone):
    return {tool.name: tool for tool in phone.tools()}


def decided(name="manage_alarm", **arguments):
    return Decision(actions=(ToolCall(id="a", name=name, arguments=arguments),))


GOLD = Gold(tool="manage_alarm", arguments={"action": "create", "time": "seven thirty am"}, scored=True)


def test_spoken_values_are_compared_by_what_they_mean(tools):
    assert judge(GOLD, decided(action="create", time="7:30 in the morning"), tools).exact
    wrong = judge(GOLD, decided(action="create", time="7:30 pm"), tools)
    assert (wrong.tool, wrong.exact) == (True, False)


def test_an_argument_too_many_or_too_few_is_not_exact(tools):
    assert not judge(GOLD, decided(action="create", time="7:30 am", title="run"), tools).exact
    assert not judge(GOLD, decided(action="create"), tools).exact


def test_free_arguments_are_not_compared(tools):
    free = GOLD.model_copy(update={"free": frozenset(("title",))})
    assert judge(free, decided(action="create", time="7:30 am", title="run"), tools).exact


def test_a_second_call_is_not_exact(tools):
    twice = Decision(actions=decided(action="create", time="7:30 am").actions * 2)
    judged = judge(GOLD, twice, tools)
    assert (judged.tool, judged.exact) == (True, False)


def test_another_tool_is_wrong(tools):
    assert not judge(GOLD, decided("manage_countdown", action="start", duration="1 hour"), tools).tool


@pytest.mark.parametrize(
    ("action", "declined"),
    [
        (Ask(question="Which?"), True),
        (Refuse(reason="no"), True),
        (Finish(answer=""), True),
        (ToolCall(id="a", name="manage_alarm", arguments={"action": "query"}), False),
        (ParseError(message="not JSON", raw=""), False),
    ],
)
def test_a_row_to_decline_is_right_without_a_call(tools, action, declined):
    assert judge(Gold(tool=""), Decision(actions=(action,)), tools).declined is declined


def test_malformed_calls_are_counted(tools):
    assert judge(GOLD, decided(action="snooze"), tools).malformed
    assert judge(GOLD, decided("no_such_tool"), tools).malformed
    assert not judge(GOLD, decided(action="query"), tools).malformed


@pytest.mark.parametrize(
    ("schema", "said", "found", "equal"),
    [
        ({"x-spoken": "date"}, "tomorrow", "2026-03-03", True),
        ({"x-spoken": "date"}, "this weekend", "this weekend", True),
        ({"x-spoken": "duration"}, "half an hour", "30 minutes", True),
        ({"x-spoken": "time"}, "whenever", "Whenever", True),
        ({"x-spoken": "time"}, "whenever", "7 am", False),
        ({"x-spoken": "text"}, "The Beatles", "beatles", True),
        ({"enum": ["on", "off"]}, "on", "off", False),
        ({"x-spoken": "number"}, "two", "2", True),
    ],
)
def test_values(schema, said, found, equal):
    assert same_value(said, found, schema) is equal
