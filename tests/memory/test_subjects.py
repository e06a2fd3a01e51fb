"""What a text states, and which later statement replaces it."""

import pytest

from memory.lifecycle.subjects import statements, subject_of, value_of
from memory.lifecycle.supersede import contradicts, outdates


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("I live in Berlin.", "home", "berlin"),
        ("We've moved house, we live at Harbour Lane 3.", "home", "harbour lan 3"),
        ("Last month I moved from Berlin to Hamburg because of my job.", "home", "hamburg"),
        ("My favourite tea is green now.", "favorite tea", "green"),
        ("By the way, the code of my locker is 4417.", "code locker", "4417"),
        ("My new locker code is 9082", "code locker", "9082"),
        ("Doctor Park is my new dentist.", "dentist", "doctor park"),
        ("My sister moved to Lyon", "sister: home", "lyon"),
        ("Clara works at Delphi Glass", "clara: employer", "delphi glass"),
        ("I prefer tea over coffee.", "prefer drink", "tea"),
        ("I'm a nurse.", "job", "nurs"),
        ("The deadline was moved from Monday to Friday.", "deadline", "friday"),
        ("I've increased my daily step goal to 12,000 steps.", "daily goal step", "12,000 step"),
        ("Is allergic to peanuts", "allergic peanut", "yes"),
        ("I turned 40 yesterday!", "age", "40"),
        ("Our old practice closed, Doctor Brekke treats me when I am ill.", "doctor", "doctor brekk"),
        ("My mornings have changed, the alarm rings at ten to seven.", "wake", "ten to seven"),
    ],
)
def test_a_statement_has_a_key_and_a_value(text, key, value):
    assert subject_of(text) == key
    assert [one.value for one in statements(text) if one.key == key] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "How is your dog?",
        "Do you live in Berlin?",
        "If I lived in Rome I'd be happy.",
        "I want to move to Rome",
        "I might change my job to something calmer.",
        "My day was great.",
        "My son is doing well",
        "She said it was fine.",
        "The weather is lovely today",
    ],
)
def test_questions_wishes_and_moods_state_nothing(text):
    assert subject_of(text) == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Berlin.", "I moved to Hamburg last month."),
        ("My favourite colour is blue.", "Actually, my favorite color is green now!"),
        ("I work at Castor Logistics.", "I no longer work at Castor Logistics."),
        ("I work at Castor Logistics.", "I started my new job with Delphi Glass."),
        ("I love hiking.", "I don't like hiking anymore."),
        ("I drink coffee every morning.", "I stopped drinking coffee."),
        ("I prefer coffee.", "I switched from coffee to tea."),
        ("I park on level two.", "I park on level three now."),
        ("I go running on Tuesdays.", "I go running on Thursdays now."),
        ("I eat oatmeal for breakfast.", "I eat eggs for breakfast these days."),
        ("My boss is Ingrid Solberg.", "After the reorganisation I report to Marco Bellini."),
        ("I'm allergic to cats", "I am not allergic to cats"),
        ("My wife's birthday is on June 5.", "I got it wrong. My wife's birthday is on June 15."),
        ("My sister lives in Lyon.", "My sister moved to Paris."),
        ("I'm vegetarian", "I eat meat again"),
        ("By the way, I live in Berlin. Bye!", "I live in Rome"),
        ("The rent for my flat is 740 euros a month.", "From May on the landlord wants 960 euros for my flat."),
        ("My favourite restaurant is Umi House.", "No restaurant is as good as Casa Lirio."),
        ("My favourite restaurant is Umi House.", "No kitchen cooks as well as Casa Lirio."),
        ("I cancelled my membership and train at Pulse Point instead.", "My gym is The Granary."),
    ],
)
def test_a_new_statement_replaces_the_old_one(old, new):
    assert outdates(new, old)
    assert contradicts(new, old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Berlin.", "I live in Berlin, near the park."),
        ("I live in Berlin.", "My sister lives in Rome."),
        ("I live in Berlin.", "Do you live in Rome?"),
        ("I live in Berlin.", "I want to move to Rome."),
        ("My dentist is Doctor Park.", "My sister's dentist is Doctor Sato."),
        ("I like tea.", "I like coffee."),
        ("I prefer window seats.", "I prefer dark mode."),
        ("My phone number is 555 1234.", "I dropped my phone."),
        ("I park on level two.", "I park on level three."),
        ("I go running on Tuesdays.", "I go swimming on Thursdays now."),
        ("I am allergic to cats.", "I am allergic to dogs."),
        ("I am learning Greek.", "I am learning Finnish, too."),
        ("The rent for my flat is 740 euros a month.", "The rent for my brother's flat is 960 euros a month."),
        ("I stopped drinking coffee.", "I drink coffee in the morning."),
        ("I live in Berlin and I work at Castor Logistics.", "I moved to Rome."),
    ],
)
def test_what_is_not_contradicted_stays(old, new):
    assert not outdates(new, old)


def test_a_record_that_says_more_is_contradicted_and_stays():
    old, new = "I live in Berlin and I work at Castor Logistics.", "I moved to Rome."
    assert contradicts(new, old)
    assert not outdates(new, old)


def test_a_value_loses_reasons_and_times():
    assert value_of("the Hamburg area since last May, because of work") == "hamburg area"


def test_a_habit_is_stated_weakly_under_its_likeliest_reading():
    assert [(one.key, one.value, one.strong) for one in statements("I keep my keys in the bowl")] == [
        ("keep key", "bowl", False)
    ]
    assert subject_of("I keep my keys in the bowl") == "keep key"
    assert subject_of("Our electricity comes from Voltaro.") == "electricity com from"
    assert subject_of("I am saving up for a piano.") == "sav up for"
    assert subject_of("Everybody calls me Moose.") == "nickname"
