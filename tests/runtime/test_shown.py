"""Cutting is always visible."""

from hypothesis import given
from hypothesis import strategies as st

from runtime.contract import Observation
from runtime.shown import body_of, cut_text, with_text


def test_head_and_tail():
    assert cut_text("abcdefghi", 6) == ("abcd ... 3 characters left out ... hi", 3)
    assert cut_text("abcdef", 6) == ("abcdef", 0)


def test_a_success_without_data():
    assert body_of(Observation(call_id="a")) == {"ok": True}


@given(st.text(max_size=400), st.integers(min_value=3, max_value=200))
def test_nothing_is_lost_in_silence(text, limit):
    shown, gone = cut_text(text, limit)
    if gone:
        head, tail = shown.split(f" ... {gone:,} characters left out ... ")[0], shown[-(limit // 3) :]
        assert text.startswith(head) and text.endswith(tail)
        assert len(head) + len(tail) + gone == len(text)
    else:
        assert shown == text


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=300), max_size=3))
def test_text_is_made_anew_and_cut_once(data):
    seen = Observation(call_id="a", data=data)
    once = with_text(seen, 100)
    assert with_text(once, 100) == once
    assert "<" not in once.parts[0].text
