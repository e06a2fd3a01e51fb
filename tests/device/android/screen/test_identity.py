"""An element of an earlier look is found again, or said to be lost; never another one in its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.android.screen import Lost, find_again, fold, read_dump
from device.android.screen.identity import check_place


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


def rows(write, *names, first="name"):
    """A `Delete` in each row, beside the row's name."""
    found = []
    for place, name in enumerate(names):
        title = write.node("TextView", text=name, box=(0, place * 100, 500, place * 100 + 50))
        icon = write.node(
            "ImageButton", content_desc="Delete", clickable=True, box=(500, place * 100, 600, place * 100 + 50)
        )
        found += [title, icon] if first == "name" else [icon, title]
    return look(write, *found)


def named(elements, name, first="name"):
    """The `Delete` of a row."""
    at = next(place for place, one in enumerate(elements) if one.label == name)
    return elements[at + 1 if first == "name" else at - 1]


@pytest.mark.parametrize("first", ["name", "icon"])
def test_a_button_that_each_row_has_is_that_of_its_own_row(write, first):
    before = rows(write, "Anna", "Ben", "Chloe", first=first)
    wanted = named(before, "Ben", first)
    for names in (("Ben", "Chloe", "Dora"), ("Zoe", "Anna", "Ben", "Chloe"), ("Chloe", "Ben", "Anna"), ("Anna", "Ben")):
        now = rows(write, *names, first=first)
        try:
            assert find_again(wanted, before, now) is named(now, "Ben", first)
        except Lost:
            assert names != ("Zoe", "Anna", "Ben", "Chloe")  # both neighbours are there: it must be found
    for names in (("Anna", "Chloe"), ("Anna", "Chloe", "Dora"), ("Chloe", "Dora", "Emil"), ("Anna",), ("Chloe",)):
        with pytest.raises(Lost):
            find_again(wanted, before, rows(write, *names, first=first))


def test_what_can_not_be_taken_back_needs_the_same_screen(write):
    def page(name, price="Pay $5", more=""):
        nodes = [write.node("TextView", text=name), button(write, price, 100), button(write, more or "Help", 200)]
        return look(write, *nodes)

    before = page("Anna")
    check_place(before[1], page("Anna")[1], before, page("Anna"))
    for now in (page("Ben"), page("Anna", "Pay $500"), page("Anna", more="Back")):
        with pytest.raises(Lost, match="look again"):
            check_place(before[1], now[1], before, now)
