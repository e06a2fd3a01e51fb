"""Group chats: made of several people at once; where some can't be reached, the answer says who was left out."""

import re
from typing import Literal

from device.sandbox.api import (
    Domain,
    Effect,
    Json,
    Sandbox,
    Text,
    bad_argument,
    conflict,
    not_found,
    tool,
)
from device.sandbox.rows.calling import BlockedNumber, GroupChat, GroupMessage
from device.sandbox.tools.calls import minute
from device.sandbox.tools.finding import bare, briefly, named, only
from device.sandbox.tools.lookup import need_online
from runtime.contract import ToolFailure

_AND = re.compile(r"\s*(?:,|;|&|\band\b|\bplus\b)\s*")


@tool(
    Domain.CALLS,
    permission="messages",
    effects={"send": Effect.SEND, "leave": Effect.DELETE},
    phrases=(
        "make a group chat with Tom, Lena and mom",
        "write to the hiking crew group: who is in on Sunday",
        "add Chloe to the family group",
        "take Samir out of the group chat",
        "which group chats am I in",
        "leave the hiking crew group",
        "let the wedding group know we need one more",
    ),
)
def manage_group_chat(
    phone: Sandbox,
    action: Literal["create", "add", "remove", "send", "leave", "query"],
    group: Text | None = None,
    members: Text | None = None,
    content: Text | None = None,
) -> Json:
    """Group chats: create, members, send, leave."""
    table = phone.table(GroupChat)
    if action == "query":
        rows = table.all() if group is None else [_group(phone, group)]
        return {"count": len(rows), "groups": rows}
    if group is None:
        raise bad_argument(f"`manage_group_chat` {action} needs `group`: what it is called", argument="group")
    if action == "create":
        if twins := [row for row in table.all() if bare(row.name, "group", "chat") == bare(group, "group", "chat")]:
            raise conflict(f"there is a group `{twins[0].name}` already; use action add", id=twins[0].id)
        people, left_out = _people(phone, members, action)
        made = table.insert(GroupChat(phone.new_id("chat"), group, tuple(people)))
        return briefly({"group": made, "notAdded": left_out})
    chat = _group(phone, group)
    if action == "leave":
        table.delete(chat)
        return {"left": chat.name}
    if action == "send":
        return _sent(phone, chat, content)
    people, left_out = _people(phone, members, action)
    if action == "add":
        return _added(phone, chat, people, left_out)
    if strangers := [name for name in people if name not in chat.people]:
        raise not_found(f"`{strangers[0]}` is not in `{chat.name}`; there is {', '.join(chat.people)}")
    kept = tuple(name for name in chat.people if name not in people)
    return briefly({"group": table.update(chat, people=kept), "notRemoved": left_out})


def _name(row: GroupChat) -> str:
    return row.name


def _group(phone: Sandbox, said: str) -> GroupChat:
    rows = phone.table(GroupChat).all()
    there = ", ".join(row.name for row in rows) or "none"
    return only(named(rows, said, _name, "group", "chat"), "group", f"`{said}`", _name, f"there is {there}")


def _people(phone: Sandbox, members: str | None, action: str) -> tuple[list[str], list[Json]]:
    """Names of those who were found, and who was left out and why; what nobody can be found in is 400 or 404."""
    if members is None:
        raise bad_argument(f"`manage_group_chat` {action} needs `members`: whom", argument="members")
    found: list[str] = []
    left_out: list[Json] = []
    for said in filter(None, _AND.split(members)):
        try:
            person = phone.contact(said)
        except ToolFailure as failure:
            left_out.append({"said": said, "reason": failure.message})
            continue
        if action != "remove" and person.phone and phone.table(BlockedNumber).get(person.phone):
            left_out.append({"said": said, "reason": "blocked; unblock with `manage_block_list`"})
        elif person.name not in found:
            found.append(person.name)
    if not found:
        reasons = "; ".join(f"{one['said']}: {one['reason']}" for one in left_out)
        raise not_found(f"none of `{members}` can be used: {reasons or 'no name in it'}", members=left_out)
    return found, left_out


def _added(phone: Sandbox, chat: GroupChat, people: list[str], left_out: list[Json]) -> Json:
    fresh = [name for name in people if name not in chat.people]
    if not fresh:
        raise conflict(f"`{', '.join(people)}` is in `{chat.name}` already", id=chat.id)
    left_out = left_out + [{"said": name, "reason": "is in it already"} for name in people if name in chat.people]
    group = phone.table(GroupChat).update(chat, people=(*chat.people, *fresh))
    return briefly({"group": group, "notAdded": left_out})


def _sent(phone: Sandbox, chat: GroupChat, content: str | None) -> Json:
    if content is None:
        raise bad_argument(f"`content` is missing: what to write to `{chat.name}`", argument="content")
    if not chat.people:
        raise conflict(f"nobody else is in `{chat.name}`; use action add first", id=chat.id)
    need_online(phone, "write to a group")
    sent = GroupMessage(phone.new_id("group_message"), chat.id, content, minute(phone))
    return {
        "message": f"sent to {len(chat.people)} people in {chat.name}",
        "sent": phone.table(GroupMessage).insert(sent),
    }
