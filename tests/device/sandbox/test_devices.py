"""The smart home and the user's other devices. Living room and kitchen are lit at 80 percent; all radios are on."""

from runtime.contract import WorldSpec


def test_lights_off_in_one_room(phone):
    phone.call("control_light", action="off", room="the kitchen lights")
    assert phone.diff_since_last_call() == {"lights/kitchen": {"on": (True, False)}}


def test_lights_off_everywhere(phone):
    phone.call("control_light", action="off")
    assert set(phone.diff_since_last_call()) == {"lights/kitchen", "lights/living room"}


def test_dim_to_a_level_and_by_a_step(phone):
    phone.call("control_light", action="dim", room="kitchen", level="30 percent")
    assert phone.diff_since_last_call() == {"lights/kitchen": {"brightness": (80, 30)}}
    phone.call("control_light", action="dim", room="kitchen", level="by 10 percent")
    assert phone.diff_since_last_call() == {"lights/kitchen": {"brightness": (30, 20)}}


def test_brighten_turns_on(phone):
    phone.call("control_light", action="brighten", room="bedroom")
    assert phone.diff_since_last_call() == {"lights/bedroom": {"on": (False, True), "brightness": (80, 100)}}


def test_a_color(phone):
    phone.call("control_light", action="set_color", room="living room", color="blue")
    assert phone.diff_since_last_call() == {"lights/living room": {"color": ("white", "blue")}}


def test_a_room_without_lights(phone):
    seen = phone.call("control_light", action="on", room="garage")
    rooms = ["living room", "kitchen", "bedroom", "bathroom", "hallway", "office"]
    assert (seen.failure.status, seen.failure.details) == (404, {"valid": rooms})


def test_what_is_off_can_not_be_dimmed(phone):
    assert phone.call("control_light", action="dim", room="bedroom").failure.status == 409


def test_a_color_is_missing_or_unknown(phone):
    assert phone.call("control_light", action="set_color").failure.details["argument"] == "color"
    assert phone.call("control_light", action="set_color", color="plaid").failure.status == 400


def test_a_plug_by_its_device(phone):
    phone.call("control_smart_plug", action="on", device="wemo")
    assert phone.diff_since_last_call() == {"plugs/smart plug": {"on": (False, True)}}


def test_all_plugs_of_a_room(phone):
    phone.call("control_smart_plug", action="on", room="bedroom")
    assert set(phone.diff_since_last_call()) == {"plugs/heater", "plugs/air purifier"}


def test_a_plug_that_is_not_there(phone):
    assert phone.call("control_smart_plug", action="on", device="toaster").failure.status == 404
    assert phone.call("control_smart_plug", action="on").failure.details["argument"] == "device"


def test_the_vacuum_starts(phone):
    phone.call("start_cleaning", device="roomba", room="kitchen")
    changed = {"status": ("docked", "cleaning"), "room": ("", "kitchen")}
    assert phone.diff_since_last_call() == {"vacuums/robot vacuum": changed}
    assert phone.call("start_cleaning").failure.status == 409


def test_cleaning_later(phone):
    seen = phone.call("start_cleaning", when="3 pm")
    assert seen.data["scheduled"] == {
        "id": "job_001",
        "device": "robot vacuum",
        "task": "clean whole home",
        "at": "2026-03-02T15:00",
    }


def test_cleaning_a_room_or_with_a_device_that_is_not_there(phone):
    assert phone.call("start_cleaning", room="garage").failure.status == 404
    assert phone.call("start_cleaning", device="dishwasher").failure.status == 404


def test_a_cappuccino(phone):
    phone.call("brew_coffee", coffeeType="Cappuccino")
    changed = {"brewing": ("", "cappuccino"), "cups_left": (6, 5)}
    assert phone.diff_since_last_call() == {"coffee_machines/coffee machine": changed}


def test_tea_and_an_empty_machine(phone):
    assert phone.call("brew_coffee", coffeeType="tea").failure.details["argument"] == "coffeeType"
    phone.reset(WorldSpec(facts=({"table": "coffee_machines", "name": "coffee machine", "cups_left": 0},)))
    assert phone.call("brew_coffee").failure.status == 409


def test_casting_starts_once_and_stops(phone):
    phone.call("control_screen_casting", action="start", targetDeviceType="laptop")
    assert phone.call("control_screen_casting", action="query").data["casting"]["target"] == "MacBook Pro"
    again = phone.call("control_screen_casting", action="start")
    assert (again.failure.status, "stop the current casting first" in again.failure.message) == (409, True)
    seen = phone.call("control_screen_casting", action="stop")
    assert seen.data == {"status": "idle", "previous_device": "MacBook Pro", "previous_direction": "cast_out"}


def test_casting_to_a_screen_that_is_not_there(phone):
    assert phone.call("control_screen_casting", action="start", targetDeviceName="Kitchen TV").failure.status == 404
    assert phone.call("control_screen_casting", action="stop").failure.status == 409


def test_casting_needs_wifi(phone):
    phone.call("manage_airplane_mode", action="enable")
    assert phone.call("control_screen_casting", action="start").failure.details == {"radio": "wifi"}


def test_a_file_goes_to_the_laptop(phone):
    seen = phone.call("send_file", fileName="budget", targetDevice="my laptop")
    expected = {"id": "transfer_001", "file": "Budget_2026.xlsx", "device": "MacBook Pro", "method": "bluetooth"}
    assert seen.data["transfer"] == expected


def test_a_file_that_does_not_exist(phone):
    assert phone.call("send_file", fileName="nope.txt", targetDevice="MacBook Pro").failure.status == 404


def test_a_file_needs_a_device_that_answers(phone):
    assert phone.call("send_file", fileName="Resume.pdf").failure.details == {"argument": "targetDevice"}
    assert phone.call("send_file", fileName="Resume.pdf", targetDevice="Old Phone").failure.status == 409


def test_a_file_over_bluetooth_needs_bluetooth(phone):
    phone.call("manage_airplane_mode", action="enable")
    seen = phone.call("send_file", fileName="Resume.pdf", targetDevice="MacBook Pro")
    assert (seen.failure.status, seen.failure.details) == (409, {"radio": "bluetooth"})


def test_keyboard_and_mouse_are_shared(phone):
    seen = phone.call("manage_keyboard_mouse_sharing", action="enable")
    assert seen.data["sharing"] == {"enabled": True, "source": "laptop", "target": "phone"}
    phone.call("manage_keyboard_mouse_sharing", action="disable")
    assert phone.call("manage_keyboard_mouse_sharing", action="query").data["sharing"]["enabled"] is False


def test_a_tablet_does_not_share_with_itself(phone):
    seen = phone.call(
        "manage_keyboard_mouse_sharing", action="enable", sourceDeviceType="tablet", targetDeviceType="tablet"
    )
    assert (seen.failure.status, seen.failure.details) == (400, {"argument": "targetDeviceType"})


def test_the_watch_is_synced(phone):
    phone.call("sync_device", device="smartwatch")
    assert phone.diff_since_last_call() == {"companions/Pixel Watch": {"last_sync": ("", "2026-03-02T09:00")}}


def test_syncing_nothing_or_what_does_not_answer(phone):
    assert phone.call("sync_device").failure.details["argument"] == "device"
    assert phone.call("sync_device", device="earbuds").failure.status == 409


def test_the_phone_rings(phone):
    phone.call("find_device", device="my phone")
    assert phone.diff_since_last_call() == {"companions/Phone": {"ringing": (False, True)}}


def test_where_the_earbuds_were_last(phone):
    seen = phone.call("find_device", device="earbuds")
    assert (seen.data["ringing"], seen.data["place"]) == (False, "Daily Grind, Union Street")
    assert phone.diff_since_last_call() == {}


def test_a_device_that_was_never_there(phone):
    assert phone.call("find_device", device="drone").failure.status == 404
