"""Personal details: what is taken out, what stays, and what isn't shared at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.access.reduction import names_in, reduce_details


@pytest.mark.parametrize(
    ("text", "reduced"),
    [
        ("Prefers window seats on trains", "Prefers window seats on trains"),
        ("When offline, Wi-Fi must be turned on before calling a taxi",
         "When offline, Wi-Fi must be turned on before calling a taxi"),
        ("Clara likes tea in the evening", "[name] likes tea in the evening"),
        ("My sister Clara lives in New York and wants tea at 5",
         "My sister [name] lives in [place] and wants tea at [number]"),
        ("Booking a train to Munich fails unless the seat is chosen first",
         "Booking a train to [place] fails unless the seat is chosen first"),
        ("Ask before paying more than 50 euros at REWE", "Ask before paying more than [number] euros at [place]"),
        ("Send mail to anna.b@example.org before calling +49 (170) 123-4567",
         "Send mail to [email] before calling [number]"),
        ("Reach the office by anna at example dot com, never by phone", "Reach the office by [email], never by phone"),
        ("Deliver parcels to 12 Main Street when nobody is at home",
         "Deliver parcels to [address] when nobody is at home"),
        ("Parks the car behind Station Road on weekends", "Parks the car behind [address] on weekends"),
        ("Open https://example.org/u/anna before the meeting starts", "Open [link] before the meeting starts"),
        ("Follow @anna_b before opening the message", "Follow [handle] before opening the message"),
        ("His dog called rex needs a walk every morning", "His dog called [name] needs a walk every morning"),
        ("Lives in berlin and works at home", "Lives in [place] and works at home"),
        ("Opened the QZX-4711-kanu locker with code four seven one one",
         "Opened the [number] locker with code [number]"),
        ("Check the calendar of John's wife before planning events",
         "Check the calendar of [name] wife before planning events"),
        ("Later he told Will to wait for the next train", "Later he told [name] to wait for the next train"),
        ("Meet at the Eiffel Tower on Monday before the train leaves",
         "Meet at the [place] on Monday before the train leaves"),
        ("Wakes at 06:30 on 2026-03-02T09:00 and reads the news", "Wakes at [number] on [number] and reads the news"),
    ],
)  # fmt: skip
def test_details_become_marks_and_the_rest_stays(text, reduced):
    assert reduce_details(text).text == reduced


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("likes tea with clara in the evening", "its capitals don't tell names from words"),
        ("LIKES TEA WITH CLARA", "its capitals don't tell names from words"),
        ("Мария любит чай по вечерам", "it is written in a script whose names the rules don't know"),
        ("她喜欢晚上喝茶", "it is written in a script whose names the rules don't know"),
        ("The pin of the card is 1234", "it speaks of a secret"),
        ("Is allergic to peanuts", "it speaks of health, money, belief, origin or intimate life"),
        ("Anna Berg, Hauptstraße 5, Berlin", "too little is left without its personal details"),
        ("", "its capitals don't tell names from words"),
    ],
)
def test_what_can_not_be_judged_is_refused(text, why):
    reduced = reduce_details(text)
    assert (reduced.text, reduced.refused) == ("", why)


def test_known_names_go_in_any_case():
    reduced = reduce_details("Goes with clara to the train every day", {"Clara"})
    assert (reduced.text, reduced.removed) == ("Goes with [name] to the train every day", {"name": 1})


def test_names_of_other_records_are_found():
    assert names_in(["Clara likes tea", "Meets Dr. Okafor on Monday", "I'm off"]) == {"Clara", "Okafor"}


@given(st.text(max_size=300))
def test_no_digit_no_address_and_no_strange_capital_gets_through(text):
    shared = reduce_details(text).text
    assert not any(letter.isdigit() for letter in shared)
    assert "@" not in shared
    assert reduce_details(text) == reduce_details(text)


@given(
    st.sampled_from(["Quentin", "Zoë", "O'Hara", "Anne-Marie", "Müller"]),
    st.sampled_from(
        ["Tells {} about the train", "Asks whether {} may come", "{} goes home early today", "Goes to {} by bus"]
    ),
)  # fmt: skip
def test_a_name_never_gets_through(name, sentence):
    assert name.lower() not in reduce_details(sentence.format(name)).text.lower()
