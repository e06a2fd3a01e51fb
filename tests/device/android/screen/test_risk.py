"""What a button would do, by its words."""

import pytest

from device.android.screen.risk import risks
from runtime.contract import Effect


def test_a_buttons_own_words_say_what_it_does():
    assert risks("button", "Delete contact") == (Effect.DELETE,)
    assert risks("button", "Send SMS") == (Effect.SEND,)
    assert risks("button", "While using the app") == (Effect.GRANT,)
    assert risks("button", "Place order") == (Effect.PAY,)
    assert risks("button", "Restart") == (Effect.POWER,)
    assert risks("button", "Install") == (Effect.INSTALL,)


def test_rows_switches_and_other_buttons_are_not_asked_about():
    assert risks("switch", "Remove animations (off)") == ()
    assert risks("button", "Save") == ()
    assert risks("button", "Deleted items") == ()
    assert risks("button", "Call volume and other sounds of the phone") == ()


def test_a_button_that_agrees_does_what_the_question_names():
    assert risks("button", "OK", ['Delete "Cat.mp4"?']) == (Effect.DELETE,)
    assert risks("button", "OK", ["Device name"]) == ()
    assert risks("button", "Cancel", ["Delete contact?"]) == ()


@pytest.mark.parametrize(
    ("label", "effect"),
    [
        ("Yes, delete", Effect.DELETE),
        ("Confirm payment", Effect.PAY),
        ("Continue to checkout", Effect.PAY),
        ("Permanently delete", Effect.DELETE),
        ("🗑 Delete", Effect.DELETE),
        ("btn send message", Effect.SEND),
        ("Ｄｅｌｅｔｅ", Effect.DELETE),
        ("De\u200dlete", Effect.DELETE),
        ("OK, send", Effect.SEND),
    ],
)
def test_what_stands_before_the_word_does_not_hide_it(label, effect):
    assert risks("button", label) == (effect,)


def test_a_real_button_may_say_it_in_many_words():
    assert risks("button", "Pay $12.99 with the card that ends in 4242", kind="Button") == (Effect.PAY,)
    assert risks("button", "Delete this conversation and all of its messages", kind="MaterialButton") == (
        Effect.DELETE,
    )
    assert risks("button", "Delete this conversation and all of its messages", kind="LinearLayout") == ()


def test_a_bare_text_that_says_it_is_asked_about_too():
    assert risks("text", "Delete") == (Effect.DELETE,)
    assert risks("text", "Delete is what happens to old messages here") == ()


@pytest.mark.parametrize(
    ("around", "effects"),
    [
        (["Are you sure you want to delete this contact?"], (Effect.DELETE,)),
        (["Delete contact", "Chloe goes from all devices"], (Effect.DELETE,)),
        (["Storage", "All of the data will be erased for good."], (Effect.DELETE,)),
        (["You will be charged $5.00 each month"], (Effect.PAY,)),
        (["Your phone will restart now"], (Effect.POWER,)),
        (["Do you want to keep these settings?"], ()),
        (["Ringtone", "Vibration"], ()),
    ],
)
def test_one_that_agrees_is_read_with_what_is_asked_or_announced(around, effects):
    for label in ("OK", "Yes", "Confirm", "I'm sure"):
        assert risks("button", label, around) == effects


def test_buttons_that_only_lead_on_are_not_asked_about():
    for label in (
        "Continue with Google",
        "Confirm",
        "Tap to open",
        "Menu",
        "Image settings",
        "Yes",
        "Complete profile",
    ):
        assert risks("button", label) == ()
