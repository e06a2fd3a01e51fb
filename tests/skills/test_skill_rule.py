"""Guidance that is fitted to the tools that are there."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills.rule import Choice, Route, Rule, route_line, template

NAMES = ("manage_wifi", "manage_nfc", "play_radio", "read_notes")


@pytest.mark.parametrize(
    ("text", "here", "fitted"),
    [
        ("Look first.", set(), "Look first."),
        ("Turn on {manage_wifi}.", {"manage_wifi"}, "Turn on manage_wifi."),
        ("Turn on {manage_wifi}.", {"manage_nfc"}, None),
        (
            "Query {manage_wifi|manage_nfc} first.",
            {"manage_wifi", "manage_nfc"},
            "Query manage_wifi, manage_nfc first.",
        ),
        ("Query {manage_wifi|manage_nfc} first.", {"manage_nfc"}, "Query manage_nfc first."),
        ("Query {manage_wifi|manage_nfc} first.", {"play_radio"}, None),
        ("Stop the cast[, then {play_radio}].", {"play_radio"}, "Stop the cast, then play_radio."),
        ("Stop the cast[, then {play_radio}].", set(), "Stop the cast."),
        ("[{manage_wifi} or ]{manage_nfc}", {"manage_nfc"}, "manage_nfc"),
    ],
)
def test_a_text_names_what_is_there_and_nothing_else(text, here, fitted):
    assert template(text).fitted(here) == fitted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Turn on {manage_wifi.", "braces and brackets must be closed"),
        ("Turn on manage_wifi}.", "braces and brackets must be closed"),
        ("Turn on {Wi-Fi}.", "`Wi-Fi` in braces is no tool name"),
        ("Turn on {}.", "`` in braces is no tool name"),
        ("a [b [c]]", "can't hold others"),
        ("a [b", "not closed"),
        ("a ]b", "must be closed"),
    ],
)
def test_a_wrong_text_says_what_is_wrong(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        template(text)


def test_a_rule_waits_for_one_of_its_tools():
    rule = Rule(text="Off comes last.", when=("control_device_power", "press_button"))
    assert rule.fitted({"press_button"}) == "- Off comes last."
    assert rule.fitted({"manage_wifi"}) is None
    assert Rule(text="{play_radio} or {read_notes}", when=("manage_wifi", "play_radio")).about == (
        "play_radio",
        "read_notes",
        "manage_wifi",
    )


def test_a_note_needs_two_candidates():
    route = Route(choices=tuple(Choice(tool=name, text=f"for {index}") for index, name in enumerate(NAMES)))
    assert route.among({"manage_wifi"}) == ()
    assert route_line(route.among({"manage_nfc", "read_notes"})) == "- for 1: manage_nfc; for 3: read_notes"


PARTS = st.lists(
    st.sampled_from(
        [
            "Look.", " then ", "{manage_wifi}", "{manage_nfc|play_radio}", "[ or {read_notes}]",
            "[{manage_wifi|read_notes} first ]", "[ in {play_radio} of {manage_nfc}]",
        ]
    ),
    min_size=1, max_size=6,
)  # fmt: skip


@given(parts=PARTS, here=st.sets(st.sampled_from(NAMES)))
def test_whatever_is_there_nothing_else_is_named(parts, here):
    text = "".join(parts)
    fitted = template(text).fitted(here)
    if fitted is not None:
        assert {name for name in NAMES if name in fitted} <= here
        assert not set(fitted) & set("{}[]|")
    else:
        assert not set(template(text).names) <= here


@given(st.text(max_size=60))
def test_any_text_is_a_template_or_a_value_error(text):
    try:
        template(text).fitted({"manage_wifi"})
    except ValueError as error:
        assert str(error)
