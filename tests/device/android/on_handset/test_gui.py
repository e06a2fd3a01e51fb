"""The screen through uiautomator2's helper: looking, acting, and proof of what changed."""

from device.sandbox.rows.apps import App
from device.sandbox.rows.communication import SocialAccount
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
    long = "first line\nsecond  line\u200b " + "x" * 200
    again = act(phone, [one for one in look(phone) if one.role == "field"][1].id, "type", long)
    assert (again.ok, again.data["value"]) == (True, long)


def test_an_action_that_an_element_does_not_take_is_said(phone):
    act(phone, "", "home")
    seen = act(phone, find(look(phone), "Settings").id, "type", "x")
    assert seen.failure.code is ErrorCode.BAD_ARGUMENT
    assert act(phone, "", "fly").failure.code is ErrorCode.BAD_ARGUMENT


def test_a_picture_and_a_tree_of_the_same_moment(phone):
    act(phone, "", "home")
    seen, picture = phone.gui.picture(Deadline(120))
    assert (picture.width, picture.height, picture.black) == (seen.folded.width, seen.folded.height, False)


def test_an_app_is_opened_by_its_name(phone):
    act(phone, "", "home")
    seen = act(phone, "", "open", "Clock")
    assert (seen.ok, seen.data["app"]) == (True, "com.google.android.deskclock")
    again = act(phone, "", "open", "clock")
    assert (again.ok, again.data["app"]) == (True, "com.google.android.deskclock")
    none = act(phone, "", "open", "No Such App")
    assert (none.failure.code, none.call.landed) == (ErrorCode.NOT_FOUND, "no")


def test_a_button_that_deletes_waits_for_a_yes(phone, approver, rows):
    act(phone, "", "open", "Clock")
    first = sorted(row.time for row in rows("alarms"))[0]
    act(phone, find(look(phone), first).id, "tap")
    delete, count = find(look(phone), "Delete"), len(rows("alarms"))
    approver.answer = False
    refused = act(phone, delete.id, "tap")
    assert (refused.failure.code, refused.call.landed) == (ErrorCode.REFUSED_BY_GUARD, "no")
    assert len(rows("alarms")) == count
    approver.answer = True
    assert act(phone, delete.id, "tap").ok
    assert len(rows("alarms")) == count - 1
    assert "Tapping `Delete` in `com.google.android.deskclock`" in approver.asked[-1].facts
    assert approver.asked[-1].effects == ("delete",)


def test_what_stands_in_the_way_is_named(phone, served):
    sandbox = served[0].phone.sandbox
    sandbox.table(SocialAccount).delete("Instagram")
    sandbox.table(App).update("Camera", permissions=())
    act(phone, "", "open", "Settings")
    page = next(one for one in look(phone) if one.label.startswith("Security & privacy"))
    assert act(phone, page.id, "tap").data["obstacle"] == "secure_window"
    assert act(phone, "", "open", "Instagram").data["obstacle"] == "sign_in"
    asked = act(phone, "", "open", "Camera")
    assert asked.data["obstacle"] == "permission_dialog"
    answer = next(one for one in look(phone) if one.label.startswith("While using"))
    refused = act(phone, answer.id, "tap")
    assert refused.failure.code is ErrorCode.PERMISSION_DENIED
    assert refused.failure.details["obstacle"] == "permission_dialog"
    act(phone, "", "back")


def test_what_fails_after_the_action_went_out_is_unknown(phone, served):
    from device.handset.faults import Fault

    act(phone, "", "open", "Settings")
    faults = served[0].phone.faults
    faults.add(Fault("server_death", skip=1))
    faults.add(Fault("refuse", service="shell", skip=1))
    seen = act(phone, "", "back")
    faults.clear()
    assert (seen.ok, seen.call.landed) == (False, "unknown")
