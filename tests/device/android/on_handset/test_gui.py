"""The screen through uiautomator2's helper: looking, acting, and proof of what changed."""

from runtime.contract import Deadline, ErrorCode


def look(phone):
    return phone.observe(Deadline(60))


def find(elements, words):
    (found,) = [one for one in elements if one.label.startswith(words) and one.role != "text"]
    return found


def act(phone, element, action, text=""):
    return phone.act(element, action, text, Deadline(60))


def test_a_tap_opens_what_it_names_and_shows_what_changed(phone):
    act(phone, "", "home")
    seen = act(phone, find(look(phone), "Settings").id, "tap")
    assert (seen.ok, seen.call.landed, seen.data["app"]) == (True, "yes", "com.android.settings")
    assert seen.data["changed"] is True
    assert any(line.startswith("button Network & internet") for line in seen.data["appeared"])


def test_an_id_of_an_earlier_look_means_the_same_element_or_none(phone):
    act(phone, "", "home")
    settings = find(look(phone), "Settings").id
    look(phone)
    assert act(phone, settings, "tap").data["app"] == "com.android.settings"
    gone = act(phone, settings, "tap")
    assert (gone.ok, gone.failure.code, gone.call.landed) == (False, ErrorCode.CONFLICT, "no")
    assert "is no longer on the screen" in gone.failure.message
    never = act(phone, "z99", "tap")
    assert never.failure.code is ErrorCode.BAD_ARGUMENT


def test_typed_text_is_read_back(phone):
    phone.call("open_app", appName="Notes")
    act(phone, find(look(phone), "New note").id, "tap")
    fields = [one for one in look(phone) if one.role == "field"]
    text = "ü😀 'quoted' $(reboot) %s"
    seen = act(phone, fields[0].id, "type", text)
    assert (seen.ok, seen.data["value"]) == (True, text)


def test_an_action_that_an_element_does_not_take_is_said(phone):
    act(phone, "", "home")
    seen = act(phone, find(look(phone), "Settings").id, "type", "x")
    assert seen.failure.code is ErrorCode.BAD_ARGUMENT
    assert act(phone, "", "fly").failure.code is ErrorCode.BAD_ARGUMENT


def test_a_picture_and_a_tree_of_the_same_moment(phone):
    act(phone, "", "home")
    seen, picture = phone.gui.picture(Deadline(120))
    assert (picture.width, picture.height, picture.black) == (seen.folded.width, seen.folded.height, False)
