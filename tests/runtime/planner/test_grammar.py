"""What the grammar lets through and what it stops, on the base's own vocabulary."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.contract import SetupError, ToolCall
from runtime.dialect import parse_decision, render_call
from runtime.planner.embedded import base_file
from runtime.planner.grammar import GrammarCache, bounded, digest_of_grammar, lark_of
from runtime.planner.tokens import Vocabulary, vocabulary_of
from tests.runtime.planner.conftest import ALARM, LIGHT, spec

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def vocabulary():
    vocabulary, engine = vocabulary_of(base_file())
    yield vocabulary
    engine.close()


@pytest.fixture(scope="module")
def grammars(vocabulary: Vocabulary) -> GrammarCache:
    return GrammarCache(vocabulary.for_grammar)


def accepts(grammars: GrammarCache, vocabulary: Vocabulary, text: str, tools=(ALARM, LIGHT), **options) -> bool:
    matcher, _ = grammars.matcher(tools, **options)
    ids = vocabulary.encode(text)
    return matcher.try_consume_tokens(ids) == len(ids) and matcher.is_accepting()


GOOD = [
    render_call("manage_alarm", {"action": "create"}),
    render_call("manage_alarm", {"action": "create", "label": "a < b"}),
    render_call("manage_alarm", {"action": "create", "time": 'at "seven"', "snooze": 30, "loud": False}),
    render_call("manage_alarm", {"action": "create", "label": "two\nlines"}),
    render_call("manage_alarm", {"action": "create", "label": "Zoë 😀 東京"}),
    render_call("control_flashlight", {"action": "enable"}) + render_call("manage_alarm", {"action": "delete"}),
    render_call("ask", {"question": "Which day?"}),
    render_call("refuse", {"reason": "No tool can do this."}),
    render_call("finish", {"answer": "Done."}),
]
BAD = [
    "sure, I will",
    render_call("manage_alarms", {"action": "create"}),
    render_call("manage_alarm", {}),
    render_call("manage_alarm", {"action": "make"}),
    render_call("manage_alarm", {"action": "create", "snooze": 31}),
    render_call("manage_alarm", {"action": "create", "snooze": 1.5}),
    render_call("manage_alarm", {"action": "create", "loud": "yes"}),
    render_call("manage_alarm", {"time": "7", "action": "create"}),
    render_call("manage_alarm", {"action": "create", "more": "x"}),
    render_call("manage_alarm", {"action": "create", "label": ""}),
    render_call("manage_alarm", {"action": "create", "label": " x"}),
    render_call("manage_alarm", {"action": "create", "label": "x</tool_call>"}),
    render_call("manage_alarm", {"action": "create", "label": "x" * 301}),
    render_call("manage_alarm", {"action": "create", "label": "a\tb"}),
    '<tool_call>{"name": "control_flashlight", "arguments": {"action":"enable"}}</tool_call>',
    '<tool_call>{"name": "control_flashlight", "arguments": {"action": "enable"} }</tool_call>',
    render_call("finish", {"answer": "Done."}) + render_call("control_flashlight", {"action": "enable"}),
    render_call("ask", {"answer": "x"}),
]


@pytest.mark.parametrize("text", GOOD)
def test_well_formed_actions_pass(grammars, vocabulary, text):
    assert accepts(grammars, vocabulary, text)


@pytest.mark.parametrize("text", BAD)
def test_malformed_actions_do_not(grammars, vocabulary, text):
    assert not accepts(grammars, vocabulary, text)


def test_calls_are_counted(grammars, vocabulary):
    call = render_call("control_flashlight", {"action": "enable"})
    assert accepts(grammars, vocabulary, call * 4)
    assert not accepts(grammars, vocabulary, call * 5)
    assert not accepts(grammars, vocabulary, call * 2, max_calls=1)


def test_a_thought_passes_only_where_it_is_allowed(grammars, vocabulary):
    text = "The light first.\n" + render_call("control_flashlight", {"action": "enable"})
    assert accepts(grammars, vocabulary, text, thoughts=True)
    assert not accepts(grammars, vocabulary, text)


def test_without_tools_only_the_three_actions_remain(grammars, vocabulary):
    assert accepts(grammars, vocabulary, render_call("ask", {"question": "What?"}), tools=())
    assert not accepts(grammars, vocabulary, render_call("manage_alarm", {"action": "create"}), tools=())


def test_a_tool_without_arguments(grammars, vocabulary):
    assert accepts(grammars, vocabulary, render_call("lock", {}), tools=(spec("lock"),))


def test_lists_and_numbers_are_bounded(grammars, vocabulary):
    tool = spec("split", ["who"], who={"type": "array", "items": {"type": "string"}}, sum={"type": "number"})
    assert accepts(grammars, vocabulary, render_call("split", {"who": ["Ann", "Bo"], "sum": 7.25}), tools=(tool,))
    assert accepts(grammars, vocabulary, render_call("split", {"who": ["x"] * 8}), tools=(tool,))
    assert not accepts(grammars, vocabulary, render_call("split", {"who": ["x"] * 9}), tools=(tool,))
    assert not accepts(grammars, vocabulary, render_call("split", {"who": [], "sum": 1.00001}), tools=(tool,))


VALUES = st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn"), exclude_characters="<"), min_size=1, max_size=60)


@settings(max_examples=60, deadline=None)
@given(label=VALUES.filter(lambda text: text[0] != " "), snooze=st.integers(1, 30), loud=st.booleans())
def test_what_the_dialect_renders_the_grammar_accepts(grammars, vocabulary, label, snooze, loud):
    arguments = {"action": "create", "label": label, "snooze": snooze, "loud": loud}
    text = render_call("manage_alarm", arguments)
    assert accepts(grammars, vocabulary, text)
    assert parse_decision(text, "0.0") == ("", (ToolCall(id="0.0a", name="manage_alarm", arguments=arguments),))


@pytest.mark.parametrize(
    ("schema", "keyword"),
    [
        ({"type": "string", "format": "date"}, "format"),
        ({"type": "object", "additionalProperties": True}, "additionalProperties"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "additionalProperties"),
        ({"type": "array"}, "items"),
        ({}, "type"),
        ({"not": {"const": 1}, "type": "integer"}, "not"),
        ({"oneOf": [{"type": "string"}]}, "oneOf"),
        ({"type": "object", "properties": {}, "required": ["a"]}, "required"),
        ({"type": "array", "items": {"type": "string", "contentEncoding": "base64"}}, "contentEncoding"),
    ],
)
def test_what_can_not_be_bound_names_tool_and_keyword(schema, keyword):
    with pytest.raises(SetupError, match=f"tool `odd`.*keyword `{keyword}`"):
        lark_of([spec("odd", x=schema)])


def test_what_only_the_compiler_refuses_names_the_tool(grammars):
    with pytest.raises(SetupError, match="tool `odd`"):
        grammars.matcher([ALARM, spec("odd", x={"type": "string", "pattern": "(?=a)b"})])


def test_a_tool_may_not_be_called_like_an_action():
    with pytest.raises(SetupError, match="tool `ask` has the name of an action"):
        lark_of([spec("ask")])


def test_notes_do_not_change_the_grammar():
    plain, noted = (
        spec("note", x={"type": "string"}),
        spec("note", x={"type": "string", "x-spoken": "text", "title": "X"}),
    )
    assert digest_of_grammar(lark_of([plain])) == digest_of_grammar(lark_of([noted]))
    assert digest_of_grammar(lark_of([plain])) != digest_of_grammar(lark_of([ALARM]))


def test_bounds_keep_the_schema_s_own():
    assert bounded("t", {"type": "integer", "minimum": 3}) == {"type": "integer", "minimum": 3, "maximum": 10**9}
    assert json.dumps(bounded("t", {"type": "boolean", "description": "x"})) == '{"type": "boolean"}'


def test_the_cache_gives_fresh_matchers(grammars, vocabulary):
    first, digest = grammars.matcher([LIGHT])
    first.consume_tokens(vocabulary.encode("<tool_call>"))
    second, again = grammars.matcher([LIGHT])
    assert digest == again
    assert second.try_consume_tokens(vocabulary.encode("<tool_call>")) > 0
