"""What users of real phones report, on a software phone: each is a typed word, in time, and nothing is done twice."""

import pytest

from device.android.connection.server import reconnect
from device.handset.faults import Fault
from runtime.contract import Deadline, ErrorCode, ToolFailure


@pytest.fixture
def faults(served):
    found = served[0].phone.faults
    yield found
    found.clear()


@pytest.fixture
def home(phone):
    phone.act("", "home", "", Deadline(60))
    return phone


def tap(phone, words, seconds=60):
    (found,) = [one for one in phone.observe(Deadline(60)) if one.label == words and one.role == "button"]
    return phone.act(found.id, "tap", "", Deadline(seconds))


def code_of(work):
    with pytest.raises(ToolFailure) as raised:
        work()
    return raised.value.code, raised.value.message


def test_a_line_that_breaks_at_a_write_is_unknown_and_nothing_is_sent_again(phone, faults, served):
    phone.call("manage_roaming", action="disable")
    handset = served[0].phone
    handset.commands.clear()
    faults.add(Fault("drop", service="shell", skip=2, times=1))  # the clock, the settings, then the write
    seen = phone.call("manage_roaming", action="enable")
    assert (seen.failure.code, seen.call.landed, seen.diff.changes) == (ErrorCode.OFFLINE, "unknown", ())
    assert "It is unknown whether it was done" in seen.failure.message
    assert [words for words in handset.commands if words[:2] == ("settings", "put")] == []
    assert phone.call("manage_roaming", action="query").data == {"enabled": False}


def test_a_service_that_hangs_ends_at_the_deadline(phone, faults):
    faults.add(Fault("hang", service="shell", skip=1, times=1))
    seen = phone.call("manage_roaming", seconds=2.0, action="query")
    assert seen.failure.code is ErrorCode.TIMEOUT


def test_a_helper_that_dies_is_started_again_for_a_look(home, faults):
    faults.add(Fault("server_death", times=1))
    assert any(one.label == "Settings" for one in home.observe(Deadline(120)))


def test_a_dump_that_can_not_be_had_is_a_typed_word(home, faults):
    faults.add(Fault("empty_tree"))
    code, message = code_of(lambda: home.observe(Deadline(60)))
    assert (code, "the tree is empty" in message) == (ErrorCode.CONFLICT, True)


def test_the_keys_lead_out_of_a_screen_that_can_not_be_read(home, faults):
    home.act("", "open", "Settings", Deadline(60))
    faults.add(Fault("empty_tree", times=2))  # the helper's dump and the slow one
    seen = home.act("", "home", "", Deadline(60))
    assert (seen.ok, seen.call.landed, seen.data["changed"]) == (True, "yes", True)
    assert "launcher" in seen.data["app"]


def test_a_line_that_breaks_in_a_look_does_not_pass_for_a_busy_screen(home, faults, served):
    home.observe(Deadline(60))
    home.agent._drop()
    faults.add(Fault("drop", service="tcp", times=1))
    try:
        home.observe(Deadline(60))  # where adb was quick to connect again, the look succeeds
    except ToolFailure as failure:
        assert (failure.code, failure.landed) == (ErrorCode.OFFLINE, "no")
    reconnect(home.server, home.serial, Deadline(60))
    served[0].phone.commands.clear()
    assert any(one.label == "Settings" for one in home.observe(Deadline(60)))
    assert ("uiautomator", "dump") not in {words[:2] for words in served[0].phone.commands}


def test_five_megabytes_are_refused_in_one_line(home, faults):
    faults.add(Fault("huge"))
    code, message = code_of(lambda: home.observe(Deadline(120)))
    assert (code, "a dump may have 4,194,304" in message) == (ErrorCode.CONFLICT, True)


def test_a_control_character_costs_one_character(home, faults):
    faults.add(Fault("control_char"))
    assert any(one.label == "Settings" for one in home.observe(Deadline(60)))


def test_a_tap_that_does_nothing_is_not_called_a_change(home, faults):
    faults.add(Fault("lost_tap"))
    seen = tap(home, "Settings")
    assert (seen.call.landed, seen.data["changed"]) == ("yes", False)


def test_refused_input_names_the_setting(home, faults):
    faults.add(Fault("no_inject"))
    seen = home.act("", "back", "", Deadline(60))
    assert "USB debugging (Security settings)" in seen.failure.message


def test_a_secure_window_is_named_and_a_warning_before_the_picture_is_cut(home, faults):
    faults.add(Fault("fold"))
    assert home.call("take_screenshot").ok
    faults.add(Fault("secure"))
    seen = home.call("take_screenshot")
    assert (seen.failure.code, "secure window" in seen.failure.message) == (ErrorCode.CONFLICT, True)


def test_a_helper_that_outlives_its_line_is_ended_by_close_and_by_the_next_start(home, faults, served):
    handset = served[0].phone
    home.close()
    faults.add(Fault("orphan"))
    home.observe(Deadline(60))
    assert handset.agent.running
    home.close()
    assert not handset.agent.running
    home.observe(Deadline(60))
    (lease,) = home.ledger.leases()
    home.agent._owned.stop_uiautomator(wait=False)
    home.ledger.owner = "1:0"
    home.ledger.forget(lease)
    home.ledger.borrow("helper", lease.name, "", "running")
    assert type(home)(home.serial, None, home.server).recovered == [f"helper `{lease.name}` given back"]
    assert not handset.agent.running


def test_half_a_character_is_refused_on_every_way(home, rows):
    known = len(rows("contacts"))
    for name in ("a\0b", "x" * 60_000):
        seen = home.call("add_contact", name="Ada", email=name)
        assert (seen.failure.code, seen.call) == (ErrorCode.BAD_ARGUMENT, None)
    assert len(rows("contacts")) == known
    for tool, argument in (("query_contact", "person"), ("set_device_name", "name"), ("open_app", "appName")):
        seen = home.call(tool, **{argument: "a\ud83d"})
        assert (seen.failure.code, "half a character" in seen.failure.message) == (ErrorCode.BAD_ARGUMENT, True)
        assert seen.model_dump_json()
    home.call("open_app", appName="Notes")
    (new,) = [one for one in home.observe(Deadline(60)) if one.label == "New note"]
    home.act(new.id, "tap", "", Deadline(60))
    field = next(one for one in home.observe(Deadline(60)) if one.role == "field")
    seen = home.act(field.id, "type", "a\ud83d", Deadline(60))
    assert (seen.failure.code, seen.call.landed) == (ErrorCode.BAD_ARGUMENT, "no")
    assert seen.model_dump_json()


def test_a_call_that_breaks_off_between_its_commands_is_not_called_done(phone, faults, rows):
    known = len(rows("contacts"))
    faults.add(Fault("drop", service="shell", skip=5, times=1))
    seen = phone.call("add_contact", name="Ines Unfinished", phoneNumber="+15550133")
    assert (seen.ok, seen.evidence.facts["matches"]) == (False, False)
    assert "Ines Unfinished" not in {row.name for row in rows("contacts")}
    assert len(rows("contacts")) == known + 1
    assert seen.evidence.facts["differs"] == ["what the call would have done after it broke off"]
