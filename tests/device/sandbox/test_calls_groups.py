"""Group chats."""

import pytest

from runtime.contract import WorldSpec


def test_a_group_says_who_was_left_out(phone):
    phone.call("manage_block_list", action="block", contact="Chloe")
    seen = phone.call("manage_group_chat", action="create", group="Picnic", members="Tom, my wife, Anna and Chloe")
    assert seen.data["group"] == {"id": "chat_003", "name": "Picnic", "people": ["Tom Bennett", "Lena Fischer"]}
    assert [one["said"] for one in seen.data["notAdded"]] == ["Anna", "Chloe"]
    assert list(phone.diff_since_last_call()) == ["group_chats/chat_003"]


def test_a_message_to_a_group(phone):
    phone.call("manage_group_chat", action="send", group="hiking crew", content="who is in on Sunday")
    sent = {
        "id": "group_message_001", "chat": "chat_002", "content": "who is in on Sunday", "moment": "2026-03-02T09:00",
    }  # fmt: skip
    assert phone.diff_since_last_call() == {"group_messages/group_message_001": sent}


def test_people_come_and_go(phone):
    phone.call("manage_group_chat", action="add", group="hiking crew", members="Tom and Samir")
    assert phone.diff_since_last_call()["group_chats/chat_002"]["people"][1] == [
        "Samir Haddad", "Chloe Martin", "Tom Bennett",
    ]  # fmt: skip
    phone.call("manage_group_chat", action="remove", group="hiking crew", members="Samir")
    assert phone.diff_since_last_call()["group_chats/chat_002"]["people"][1] == ["Chloe Martin", "Tom Bennett"]
    phone.call("manage_group_chat", action="leave", group="hiking crew")
    assert phone.diff_since_last_call() == {"group_chats/chat_002": None}
    assert phone.call("manage_group_chat", action="query").data["count"] == 1


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ({"action": "create", "members": "Tom"}, 400),
        ({"action": "create", "group": "Picnic"}, 400),
        ({"action": "create", "group": "the hiking crew group", "members": "Tom"}, 409),
        ({"action": "create", "group": "Picnic", "members": "Zebulon and Anna"}, 404),
        ({"action": "send", "group": "hiking crew"}, 400),
        ({"action": "send", "group": "choir", "content": "hi"}, 404),
        ({"action": "add", "group": "hiking crew", "members": "Chloe"}, 409),
        ({"action": "remove", "group": "hiking crew", "members": "Tom"}, 404),
    ],
)
def test_what_a_group_needs(phone, arguments, status):
    assert phone.call("manage_group_chat", **arguments).failure.status == status


def test_writing_needs_network_people_and_permission(phone):
    phone.call("manage_group_chat", action="remove", group="hiking crew", members="Samir, Chloe")
    assert phone.call("manage_group_chat", action="send", group="hiking crew", content="hi").failure.status == 409
    phone.call("manage_airplane_mode", action="enable")
    assert phone.call("manage_group_chat", action="send", group="family", content="hi").failure.status == 409
    phone.reset(WorldSpec(denied=frozenset({"messages"})))
    assert phone.call("manage_group_chat", action="query").failure.status == 403
