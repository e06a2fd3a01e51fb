"""Keyboards, typing aids, shortcuts, clipboard, dictation; navigation, one hand, side key."""

from typing import Any

from runtime.contract import WorldSpec


def code(seen: Any) -> int:
    return int(seen.failure.status)


def test_a_keyboard_is_added_used_and_removed(phone: Any) -> None:
    phone.call("manage_input_method", action="add", language="french")
    assert phone.diff_since_last_call() == {"keyboards/French": {"name": "French"}}
    phone.call("manage_input_method", action="switch", language="the French keyboard")
    assert phone.diff_since_last_call() == {"typing/phone": {"language": ("English", "French")}}
    seen = phone.call("manage_input_method", action="remove", language="English").data
    assert seen == {"keyboards": ["Spanish", "French"], "active": "French"}


def test_keyboard_errors(phone: Any) -> None:
    assert code(phone.call("manage_input_method", action="switch", language="German")) == 404
    assert code(phone.call("manage_input_method", action="add", language="Klingon")) == 400
    assert code(phone.call("manage_input_method", action="add", language="Spanish")) == 409
    assert code(phone.call("manage_input_method", action="remove", language="English")) == 409
    assert code(phone.call("manage_input_method", action="add")) == 400


def test_typing_aids(phone: Any) -> None:
    phone.call("manage_typing_assist", action="disable", feature="autocorrect")
    assert phone.diff_since_last_call() == {"typing/phone": {"autocorrect": (True, False)}}
    assert phone.call("manage_typing_assist", action="query").data == {
        "autocorrect": False, "prediction": True, "auto_capitals": True, "key_sound": False
    }  # fmt: skip


def test_typing_aid_errors(phone: Any) -> None:
    assert phone.call("manage_typing_assist", action="enable").failure.details == {"argument": "feature"}
    phone.call("set_sound_mode", mode="silent")
    assert (
        "`set_sound_mode`" in phone.call("manage_typing_assist", action="enable", feature="key_sound").failure.message
    )


def test_text_shortcuts(phone: Any) -> None:
    phone.call("manage_text_shortcut", action="create", shortcut="ty", phrase="Thank you")
    assert phone.diff_since_last_call() == {
        "text_shortcuts/shortcut_003": {"id": "shortcut_003", "shortcut": "ty", "phrase": "Thank you"}
    }
    assert phone.call("manage_text_shortcut", action="query", shortcut="omw").data["shortcuts"] == [
        {"shortcut": "omw", "phrase": "On my way!"}
    ]
    assert phone.call("manage_text_shortcut", action="delete", shortcut="TY").data == {"deleted": "ty"}


def test_text_shortcut_errors(phone: Any) -> None:
    assert phone.call("manage_text_shortcut", action="create", shortcut="ty").failure.details == {"argument": "phrase"}
    assert code(phone.call("manage_text_shortcut", action="create", shortcut="t y", phrase="Thank you")) == 400
    assert code(phone.call("manage_text_shortcut", action="create", shortcut="omw", phrase="Oh my word")) == 409
    assert code(phone.call("manage_text_shortcut", action="delete", shortcut="xyz")) == 404


def test_clipboard(phone: Any) -> None:
    assert phone.call("manage_clipboard", action="query").data["texts"][0]["text"] == "Gate B14, boarding 18:20"
    phone.call("manage_clipboard", action="copy", text="see you at eight")
    assert phone.diff_since_last_call()["clipboard/clip_004"]["text"] == "see you at eight"
    assert phone.call("manage_clipboard", action="query").data["texts"][0]["text"] == "see you at eight"
    assert phone.call("manage_clipboard", action="query", text="elm street").data["count"] == 1
    assert phone.call("manage_clipboard", action="clear").data == {"cleared": 4}


def test_clipboard_errors(phone: Any) -> None:
    assert phone.call("manage_clipboard", action="copy").failure.details == {"argument": "text"}
    phone.call("manage_clipboard", action="clear")
    assert code(phone.call("manage_clipboard", action="clear")) == 409


def test_voice_typing_needs_keyboard_and_microphone(phone: Any) -> None:
    phone.call("manage_voice_typing", action="enable", language="Spanish")
    assert phone.diff_since_last_call() == {
        "voice_typing/phone": {"enabled": (False, True), "language": ("English", "Spanish")}
    }
    assert (
        "`manage_input_method`" in phone.call("manage_voice_typing", action="enable", language="Thai").failure.message
    )
    phone.call("manage_voice_typing", action="disable")
    phone.call("manage_sensor_access", action="disable", sensor="microphone")
    assert "`manage_sensor_access`" in phone.call("manage_voice_typing", action="enable").failure.message
    assert code(phone.call("manage_voice_typing", action="disable", language="Spanish")) == 400


def test_navigation(phone: Any) -> None:
    assert phone.call("set_navigation_mode", mode="gestures").data == {"navigation": "gestures"}
    assert phone.diff_since_last_call() == {"navigation/phone": {"mode": ("buttons", "gestures")}}
    phone.call("manage_talkback", action="enable")
    assert code(phone.call("set_navigation_mode", mode="gestures")) == 409
    assert code(phone.call("set_navigation_mode", mode="wheel")) == 400


def test_one_handed_mode(phone: Any) -> None:
    phone.call("manage_one_handed_mode", action="enable", side="left")
    assert phone.diff_since_last_call() == {
        "navigation/phone": {"one_handed": (False, True), "side": ("right", "left")}
    }
    assert phone.call("manage_one_handed_mode", action="disable").data == {"one_handed": False, "side": "left"}
    assert code(phone.call("manage_one_handed_mode", action="disable", side="left")) == 400
    phone.reset(WorldSpec(facts=({"table": "casting", "status": "casting", "target": "TV"},)))
    assert code(phone.call("manage_one_handed_mode", action="enable")) == 409


def test_side_key(phone: Any) -> None:
    phone.call("set_side_key", press="double", function="flashlight")
    assert phone.diff_since_last_call() == {"side_key/double": {"function": ("camera", "flashlight")}}
    assert code(phone.call("set_side_key", press="long", function="camera")) == 400
    assert code(phone.call("set_side_key", press="double", function="power_menu")) == 400
    assert "`manage_nfc`" in phone.call("set_side_key", press="double", function="wallet").failure.message
    phone.call("manage_nfc", action="enable")
    assert phone.call("set_side_key", press="double", function="wallet").failure is None
