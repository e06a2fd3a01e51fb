"""An element of an earlier look is found again, or said to be lost; never another one in its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.android.screen import Lost, find_again, fold, read_dump


def look(write, *nodes):
    return fold(read_dump(write.screen(*nodes))).elements


def button(write, text, top=0, rid=""):
    return write.node("Button", text=text, clickable=True, resource_id=rid, box=(0, top, 100, top + 50))


def test_it_moved(write):
    before = look(write, button(write, "Pay"), button(write, "Cancel", 100))
    now = look(write, button(write, "Advert"), button(write, "Pay", 300), button(write, "Cancel", 400))
    assert find_again(before[1], before, now).box == (0, 400, 100, 450)


def test_a_clock_in_its_label_ticked(write):
    before, now = look(write, button(write, "Stop 00:01")), look(write, button(write, "Stop 00:02"))
    assert find_again(before[0], before, now).label == "Stop 00:02"


def test_another_word_is_another_button(write):
    before, now = (
        look(write, button(write, "Follow", rid="a:id/f")),
        look(write, button(write, "Unfollow", rid="a:id/f")),
    )
    with pytest.raises(Lost, match="`1 button Follow` is no longer on the screen; look again"):
        find_again(before[0], before, now)


def test_a_field_stays_itself_while_it_is_typed_into(write):
    before = look(write, write.node("EditText", text="", hint="To", resource_id="a:id/to"))
    now = look(write, write.node("EditText", text="Anna", hint="To", resource_id="a:id/to"))
    assert find_again(before[0], before, now).value == "Anna"


def test_twins_are_told_apart_by_place_then_by_rank(write):
    before = look(write, button(write, "Clear", 0), button(write, "Clear", 100))
    same = look(write, button(write, "Clear", 100), button(write, "Clear", 0))
    assert find_again(before[1], before, same).box == (0, 100, 100, 150)
    moved = look(write, button(write, "Clear", 500), button(write, "Clear", 600))
    assert find_again(before[1], before, moved).box == (0, 600, 100, 650)


def test_twins_whose_number_changed_are_not_guessed(write):
    before = look(write, button(write, "Clear", 0), button(write, "Clear", 100))
    now = look(write, *(button(write, "Clear", top) for top in (500, 600, 700)))
    with pytest.raises(Lost, match="3 elements look like `1 button Clear` now, 2 did before"):
        find_again(before[0], before, now)


def test_rows_that_differ_in_a_number_alone_are_told_apart(write):
    before = look(write, button(write, "Alarm 7", 0), button(write, "Alarm 8", 100))
    now = look(write, button(write, "Alarm 8", 0), button(write, "Alarm 9", 100))
    assert find_again(before[1], before, now).label == "Alarm 8"
    with pytest.raises(Lost):
        find_again(before[0], before, look(write, button(write, "Alarm 8", 50), button(write, "Alarm 9", 150)))


@given(st.lists(st.sampled_from("ab1"), min_size=1, max_size=6), st.randoms())
def test_on_an_unchanged_screen_each_element_is_itself(words, random):
    xml = "".join(
        f'<node class="B" text="{word}" clickable="true" bounds="[0,{place * 9}][9,{place * 9 + 9}]"/>'
        for place, word in enumerate(words)
    )
    elements = fold(read_dump(f"<hierarchy>{xml}</hierarchy>".encode())).elements
    wanted = random.choice(elements)
    assert find_again(wanted, elements, elements) is wanted
