"""Elements as words, and how well they fit what a goal names."""

from runtime.contract import Element
from runtime.subagents.words import alike, best, fit, live, words


def element(role, label, *actions):
    return live(Element(id="a1", role=role, label=label, actions=actions or ("tap",)))


def test_a_label_is_title_summary_and_states():
    one = element("switch", "Battery Saver, Turns on at 15% (off)")
    assert (one.title, one.rest, one.on) == ("Battery Saver", "Turns on at 15%", False)
    field = element("field", "Hour (0-23): 07 (focused)", "tap", "type")
    assert (field.title, field.rest, field.states) == ("Hour (0-23)", "07", frozenset({"focused"}))
    assert element("button", "Anna (work)").title == "Anna (work)"
    assert element("button", "Save (disabled)").can("tap") is False


def test_words_are_without_case_accents_and_fillers():
    assert words("Turn on the Café app at 09:05") == ("turn", "cafe", "9", "5")
    assert words("On") == ("on",)


def test_words_are_alike_but_for_endings_and_slips():
    assert alike("rotate", "rotation")
    assert alike("settings", "setings")
    assert not alike("on", "off")
    assert not alike("15", "150")
    assert not alike("display", "battery")


def test_the_same_title_fits_better_than_one_that_holds_it():
    exact, longer = element("switch", "Wi-Fi (on)"), element("switch", "Wi-Fi hotspot (off)")
    assert fit("wi-fi", exact) == 1.0
    assert 0.8 < fit("wi-fi", longer) < 0.95
    assert best("wi-fi", [longer, exact], 0.7) is exact


def test_a_summary_names_less_and_nothing_shared_is_nothing():
    row = element("button", "Display & touch, Dark theme, font size, touch")
    assert 0.6 <= fit("font size", row) < 0.7
    assert fit("Bluetooth", row) == 0.0
    assert best("Bluetooth", [row], 0.3) is None
