"""The assistant's voice, perception, captions and eye for food."""

from typing import Any


def code(seen: Any) -> int:
    return int(seen.failure.status)


def test_voice_speed_and_whispering(phone: Any) -> None:
    phone.call("manage_voice_assistant", setting="speech_speed", value="slower")
    assert phone.diff_since_last_call() == {"voice_assistant/phone": {"speech_speed": ("normal", "slow")}}
    phone.call("manage_voice_assistant", setting="whisper_mode", value="on")
    assert phone.diff_since_last_call() == {"voice_assistant/phone": {"whisper_mode": (False, True)}}
    phone.call("manage_voice_assistant", setting="voice", value="the luna voice")
    assert phone.diff_since_last_call() == {"voice_assistant/phone": {"voice": ("Nova", "Luna")}}
    assert phone.call("manage_voice_assistant", setting="voice").data == {"setting": "voice", "value": "Luna"}


def test_unknown_voice_names_the_known_ones(phone: Any) -> None:
    seen = phone.call("manage_voice_assistant", setting="voice", value="Gandalf")
    assert (code(seen), seen.failure.details["valid"]) == (400, ["Nova", "Orion", "Luna", "Atlas"])


def test_smart_perception(phone: Any) -> None:
    phone.call("manage_smart_perception", action="enable")
    assert phone.diff_since_last_call() == {"smart_perception/phone": {"enabled": (False, True)}}


def test_smart_perception_needs_power(phone: Any) -> None:
    phone.call("manage_battery", action="set", mode="super_saving")
    seen = phone.call("manage_smart_perception", action="enable")
    assert (code(seen), phone.diff_since_last_call()) == (409, {})


def test_captions_in_a_language(phone: Any) -> None:
    phone.call("manage_ai_caption", action="enable", language="español")
    assert phone.diff_since_last_call() == {
        "ai_caption/phone": {"enabled": (False, True), "language": ("English", "Spanish")}
    }
    assert code(phone.call("manage_ai_caption", action="enable", language="Klingon")) == 400


def test_calories_of_a_photo(phone: Any) -> None:
    assert phone.call("identify_food_calories", photo="birthday cake").data["calories"] == 445
    assert phone.call("identify_food_calories").data["food"] == "chocolate cake"
    assert phone.call("identify_food_calories", photo="Whiteboard.png").data["found"] is False
    assert code(phone.call("identify_food_calories", photo="unicorn")) == 404


def test_session_closes_once(phone: Any) -> None:
    phone.call("close_voice_assistant_session")
    assert phone.diff_since_last_call() == {"voice_assistant/phone": {"session_open": (True, False)}}
    assert code(phone.call("close_voice_assistant_session")) == 409
