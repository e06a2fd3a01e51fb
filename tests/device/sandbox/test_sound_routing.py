"""Vibration, volume limit, exceptions of do not disturb, sound output."""


def test_vibration(phone):
    phone.call("manage_vibration", action="disable", event="touch")
    assert phone.diff_since_last_call() == {"vibration/phone": {"touch": (True, False)}}
    phone.call("manage_vibration", action="enable", event="calls", intensity="high")
    assert phone.diff_since_last_call() == {"vibration/phone": {"intensity": ("medium", "high")}}


def test_a_phone_on_vibrate_keeps_buzzing_for_calls(phone):
    phone.call("set_sound_mode", mode="vibrate")
    failure = phone.call("manage_vibration", action="disable", event="calls").failure
    assert (failure.status, "`set_sound_mode`" in failure.message) == (409, True)
    assert phone.call("manage_vibration", action="disable", event="touch").failure is None


def test_a_volume_limit_lowers_media_and_holds(phone):
    phone.call("manage_volume_limit", action="enable", level="40 percent")
    assert phone.diff_since_last_call() == {
        "volume_limit/phone": {"enabled": (False, True), "percent": (80, 40)},
        "volumes/media": {"percent": (50, 40)},
    }
    failure = phone.call("adjust_volume", action="up").failure
    assert (failure.status, "`manage_volume_limit`" in failure.message) == (409, True)
    assert phone.call("adjust_volume", action="set", level="90", stream="alarm").failure is None
    phone.call("manage_volume_limit", action="disable")
    assert phone.call("adjust_volume", action="up").data["volumes"][0]["percent"] == 50


def test_volume_limit_errors(phone):
    assert phone.call("manage_volume_limit", action="enable", level="3 percent").failure.details["argument"] == "level"
    assert phone.call("manage_volume_limit", action="disable", level="50").failure.details["argument"] == "level"


def test_dnd_exceptions(phone):
    phone.call("manage_dnd_exceptions", action="add", contact="my mom")
    added = {"who": "contact_001", "kind": "contact", "label": "Maria Bennett"}
    assert phone.diff_since_last_call() == {"dnd_exceptions/contact_001": added}
    seen = phone.call("manage_dnd_exceptions", action="add", appName="whatsapp")
    assert seen.data == {"allowed": ["Maria Bennett", "WhatsApp"], "dnd": False}
    phone.call("manage_dnd_exceptions", action="remove", contact="Maria Bennett")
    assert phone.call("manage_dnd_exceptions", action="query").data["allowed"] == ["WhatsApp"]


def test_dnd_exception_errors(phone):
    assert phone.call("manage_dnd_exceptions", action="add").failure.details["argument"] == "contact"
    assert phone.call("manage_dnd_exceptions", action="add", contact="Anna").failure.status == 409
    assert phone.call("manage_dnd_exceptions", action="remove", contact="my boss").failure.status == 404
    assert phone.call("manage_dnd_exceptions", action="add", appName="Zoom").failure.status == 404


def test_sound_output(phone):
    assert phone.call("manage_sound_output", action="query").data["output"] == "phone speaker"
    failure = phone.call("manage_sound_output", action="set", device="kitchen speaker").failure
    assert (failure.status, "`manage_bluetooth`" in failure.message) == (409, True)
    phone.call("manage_bluetooth", action="connect", device="kitchen speaker")
    assert phone.call("manage_sound_output", action="query").data["output"] == "Kitchen Speaker"
    phone.call("manage_sound_output", action="set", device="the phone speaker")
    assert phone.diff_since_last_call() == {"sound_output/phone": {"chosen": ("", "phone speaker")}}


def test_sound_output_errors(phone):
    assert phone.call("manage_sound_output", action="set").failure.details["argument"] == "device"
    assert phone.call("manage_sound_output", action="set", device="speaker").failure.status == 409
    assert phone.call("manage_sound_output", action="set", device="gramophone").failure.status == 404
