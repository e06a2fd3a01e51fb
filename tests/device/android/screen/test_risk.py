"""What a button would do, by its words."""

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
