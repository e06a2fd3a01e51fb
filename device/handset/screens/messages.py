"""The messages app: conversations, one conversation, a new one."""

from functools import partial

from device.handset.screens.layout import Page
from device.handset.screens.registry import screen
from device.handset.state.intents import send_text
from device.sandbox.rows.communication import Message
from device.sandbox.rows.people import Person


def _name(page: Page, number: str) -> str:
    return next((row.name for row in page.phone.table(Person).all() if row.phone == number), number)


@screen("messages/list", app="Messages")
def conversations(page: Page) -> None:
    """One row for each number, with its last message."""
    page.bar("Messages", up=False)
    last: dict[str, Message] = {}
    for message in sorted(page.phone.table(Message).all(), key=lambda row: row.moment):
        last[message.phone] = message
    for number, message in reversed(last.items()):
        page.item(_name(page, number), message.content, page.go("messages/thread", phone=number))
    if not last:
        page.text("No conversations yet", rid="empty_text_hint")
    page.fab("Start chat", page.go("messages/new"), rid="start_chat_fab")


@screen("messages/new", app="Messages", activity=".conversation.screen.ConversationActivity")
def new(page: Page) -> None:
    """To whom: a number, or a contact from the list."""
    page.bar("New conversation")

    def go() -> None:
        if page.field("to"):
            page.ui.replace("messages/thread", phone=page.field("to"))

    page.edit("to", "Type names, phone numbers, or emails", rid="recipient_text_view", enter=go)
    wanted = page.field("to").casefold()
    for person in sorted(page.phone.table(Person).all(), key=lambda row: row.name):
        if person.phone and wanted in person.name.casefold():
            page.item(person.name, person.phone, partial(page.ui.replace, "messages/thread", phone=person.phone))


@screen("messages/thread", app="Messages", activity=".conversation.screen.ConversationActivity")
def thread(page: Page) -> None:
    """What was written, and a field for more."""
    number = page.route.args["phone"]
    page.bar(_name(page, number))
    for message in page.phone.table(Message).all():
        if message.phone == number:
            who = "You" if message.direction == "out" else _name(page, number)
            page.item(message.content, f"{who} · {message.moment.replace('T', ' ')}", rid="message_text")
    page.edit("compose", "Text message", page.route.args.get("body", ""), rid="compose_message_text")

    def send() -> None:
        text = page.field("compose")
        if text.strip():
            send_text(page.phone, number, text)
            page.route.fields["compose"] = ""

    page.buttons(("Send SMS", send), rids=("send_message_button_icon",))
