"""What a Skill requires and ensures: one line over the results of calls."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills.conditions import MISSING, at, compared, parse_condition


def ensured(text, data, **arguments):
    return parse_condition(text, needs_source=False).holds(data, arguments)


def test_a_line_over_an_earlier_result():
    found = parse_condition(
        "control_screen_casting(action=start): control_screen_casting? casting.status != casting", needs_source=True
    )
    assert (found.target.name, found.target.arguments) == ("control_screen_casting", {"action": "start"})
    assert (found.source.name, found.source.arguments, found.optional) == ("control_screen_casting", {}, True)
    assert (found.path, found.op, found.value) == (("casting", "status"), "!=", "casting")


@pytest.mark.parametrize(
    ("text", "data", "arguments", "expected"),
    [
        ("set_it: mode = ring", {"mode": "Ring"}, {}, (True, "Ring")),
        ("set_it: mode = ring", {"mode": "silent"}, {}, (False, "silent")),
        ("set_it: on = true", {"on": True}, {}, (True, True)),
        ("set_it: on = true", {"on": 1}, {}, (False, 1)),
        ("set_it: level >= 20", {"level": 20}, {}, (True, 20)),
        ("set_it: level <= 20", {"level": 20.5}, {}, (False, 20.5)),
        ("set_it: level >= 20", {"level": True}, {}, (False, True)),
        ("set_it: grid = $grid", {"grid": "5x5"}, {"grid": "5x5"}, (True, "5x5")),
        ("set_it: grid = $grid", {"grid": "5x5"}, {}, (False, "5x5")),
        ("set_it: note.id exists", {"note": {"id": "note_1"}}, {}, (True, "note_1")),
        ("set_it: note.id exists", {"note": {"id": ""}}, {}, (False, "")),
        ("set_it: note.id exists", {}, {}, (False, None)),
        ("set_it: names has Lena", {"names": ["Tom", "lena"]}, {}, (True, ["Tom", "lena"])),
        ("set_it: text has tea", {"text": "Green Tea"}, {}, (True, "Green Tea")),
        ("set_it: rows.1.name = b", {"rows": [{"name": "a"}, {"name": "b"}]}, {}, (True, "b")),
        ("set_it: mode != ring", {}, {}, (True, None)),
        ("set_it: mode = ring", {}, {}, (False, None)),
    ],
)
def test_a_result_says_so_or_not(text, data, arguments, expected):
    assert ensured(text, data, **arguments) == expected


@pytest.mark.parametrize(
    ("text", "needs_source", "message"),
    [
        ("set_it mode = ring", False, "must be `call: path = value`"),
        ("set_it: other_call mode = ring", False, "must be `call: path = value`"),
        ("set_it: mode = ring", True, "must be `call: call path = value`"),
        ("set_it: mode is ring", False, "with `=`, `!=`, `has`, `<=`, `>=` or `exists`"),
        ("set_it: mode =", False, "must have a value after every comparison but `exists`"),
        ("set_it: mode exists ring", False, "must have a value after every comparison but `exists`"),
        ("set_it(action): mode exists", False, "must give arguments as `name(action=enable)`, not `action`"),
    ],
)
def test_a_wrong_line_says_what_is_expected(text, needs_source, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        parse_condition(text, needs_source)


@given(st.text(max_size=80), st.booleans())
def test_any_text_is_a_condition_or_a_value_error(text, needs_source):
    for candidate in (text, f"set_it: {text}", f"set_it: other? {text}", f"set_it: a.b = {text}"):
        try:
            parse_condition(candidate, needs_source).holds({"a": {"b": 1}}, {})
        except ValueError as error:
            assert str(error).startswith("must ")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, st.lists(st.text(max_size=3), max_size=4), JSON)
def test_any_result_can_be_asked(data, path, wanted):
    found = at(data, tuple(path))
    assert compared(found, "=", wanted) is not compared(found, "!=", wanted) or found is MISSING
    for op in ("has", "<=", ">=", "exists"):
        assert compared(found, op, wanted) in (True, False)
