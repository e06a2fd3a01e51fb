"""Pictures that are made, edited and read, and the avatar."""

import pytest

from runtime.contract import WorldSpec


def test_a_picture_is_generated(phone):
    seen = phone.call("control_ai_image_agent", action="generate", description="a red fox in the snow")
    assert seen.data == {"fileName": "Red_Fox_In_Snow.png", "folder": "Pictures", "shows": "a red fox in the snow"}
    diff = phone.diff_since_last_call()
    assert sorted(diff) == ["files/file_016", "picture_contents/Red_Fox_In_Snow.png"]
    assert phone.call("control_ai_image_agent", action="describe", photo="red fox").data["caption"] == (
        "a red fox in the snow"
    )


def test_an_edit_leaves_the_original(phone):
    phone.call("control_ai_image_agent", action="edit", photo="beach sunset", operation="black_and_white")
    made = phone.diff_since_last_call()
    assert sorted(made) == ["files/file_016", "picture_contents/Beach_Sunset_black_and_white.jpg"]
    assert made["files/file_016"]["name"] == "Beach_Sunset_black_and_white.jpg"
    again = phone.call("control_ai_image_agent", action="edit", photo="Beach_Sunset.jpg", operation="black_and_white")
    assert again.failure.status == 409


def test_what_is_written_on_a_picture(phone):
    seen = phone.call("control_ai_image_agent", action="describe", photo="the whiteboard picture")
    assert seen.data["text"] == "Launch plan: build, test, ship in May"
    assert phone.diff_since_last_call() == {}


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ({"action": "generate"}, 400),
        ({"action": "edit", "photo": "beach sunset"}, 400),
        ({"action": "edit", "operation": "enhance"}, 400),
        ({"action": "edit", "photo": "beach sunset", "operation": "melt"}, 400),
        ({"action": "describe", "photo": "unicorn"}, 404),
    ],
)
def test_what_the_image_agent_needs(phone, arguments, status):
    assert phone.call("control_ai_image_agent", **arguments).failure.status == status


def test_agents_rest_in_super_power_saving(phone):
    phone.call("manage_battery", action="set", mode="super_saving")
    assert phone.call("control_ai_image_agent", action="generate", description="a fox").failure.status == 409
    assert "`manage_battery`" in phone.call("display_avatar_expression", expression="happy").failure.message


def test_a_full_phone_takes_no_picture():
    from device.sandbox.sandbox import Sandbox
    from runtime.contract import Deadline, ToolCall

    phone = Sandbox(WorldSpec(facts=({"table": "storage", "total_gb": 10.0},)))
    call = ToolCall(id="c", name="control_ai_image_agent", arguments={"action": "generate", "description": "a fox"})
    seen = phone.execute(call, Deadline.never())
    assert (seen.failure.status, "`clean_storage`" in seen.failure.message) == (409, True)


def test_the_avatar_makes_a_face(phone):
    phone.call("display_avatar_expression", expression="wink")
    assert phone.diff_since_last_call() == {"avatar/phone": {"expression": ("neutral", "wink")}}
    assert phone.call("display_avatar_expression", expression="bored").failure.status == 400


def test_pictures_need_the_permission(phone):
    phone.reset(WorldSpec(denied=frozenset({"photos"})))
    assert phone.call("control_ai_image_agent", action="describe", photo="beach").failure.status == 403
