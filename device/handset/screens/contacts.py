"""The contacts app, and the phone app with its call log and keypad."""

from functools import partial

from device.handset.screens.layout import Page
from device.handset.screens.registry import screen
from device.handset.state.intents import dial
from device.handset.state.packages import CONTACTS
from device.sandbox.rows.communication import Call
from device.sandbox.rows.people import Person

_FIELDS = (("name", "Name"), ("phone", "Phone"), ("email", "Email"), ("address", "Address"))


@screen("contacts/list", package=CONTACTS, activity="com.android.contacts.activities.PeopleActivity")
def contacts(page: Page) -> None:
    """Everybody, with a search field."""
    page.bar("Contacts", up=False)
    page.edit("search", "Search contacts", rid="open_search_bar_text_view")
    wanted = page.field("search").casefold()
    for person in sorted(page.phone.table(Person).all(), key=lambda row: row.name):
        if wanted in person.name.casefold():
            page.item(person.name, person.phone, page.go("contacts/card", id=person.id), rid="cliv_name_textview")
    page.fab("Create contact", page.go("contacts/edit", id=""), rid="floating_action_button")


@screen("contacts/card", package=CONTACTS, activity="com.android.contacts.quickcontact.QuickContactActivity")
def card(page: Page) -> None:
    """One person: call, write, edit, delete."""
    person = page.phone.table(Person).get(page.route.args["id"])
    if person is None:
        page.bar("Contact")
        page.text("This contact is gone")
        return
    page.bar(person.name, actions=(("Edit contact", page.go("contacts/edit", id=person.id)),))
    for label, value in (("Phone", person.phone), ("Email", person.email), ("Address", person.address)):
        if value:
            page.item(value, label)

    def call() -> None:
        place_call(page, person.phone)

    def write() -> None:
        page.ui.open("messages/thread", phone=person.phone)

    page.buttons(("Call", call), ("Message", write), rids=("verb_call", "verb_text"))
    page.buttons(("Delete contact", page.go("dialog/confirm_delete_contact", id=person.id)), rids=("menu_delete",))


def place_call(page: Page, number: str) -> None:
    """Dial: an entry in the call log, and the screen of the call."""
    dial(page.phone, number)
    page.ui.open("phone/calling", phone=number)


@screen("contacts/edit", package=CONTACTS, activity="com.android.contacts.activities.ContactEditorActivity")
def edit(page: Page) -> None:
    """The fields of one person."""
    person = page.phone.table(Person).get(page.route.args["id"])
    page.bar("Edit contact" if person else "Create contact")
    for name, hint in _FIELDS:
        page.edit(name, hint, getattr(person, name) if person else page.route.args.get(name, ""))

    def save() -> None:
        columns = {name: page.field(name) for name, _ in _FIELDS}
        if not columns["name"].strip():
            page.ui.say("A contact needs a name")
            return
        table = page.phone.table(Person)
        if person:
            table.update(person, **columns)
        else:
            table.insert(Person(page.phone.new_id("contact"), **columns))
        page.ui.back()

    page.buttons(("Save", save), rids=("editor_menu_save_button",))


@screen("dialog/confirm_delete_contact", package=CONTACTS)
def confirm_delete(page: Page) -> None:
    """Asked once more before a person is deleted."""
    page.dialog()
    person = page.phone.table(Person).get(page.route.args["id"])
    page.text("Delete contact?", rid="android:id/alertTitle", heading=True)
    page.text(f"{person.name if person else 'It'} will be deleted from this phone", rid="android:id/message")

    def delete() -> None:
        if person:
            page.phone.table(Person).delete(person)
        page.ui.back()
        page.ui.back()

    page.buttons(("Cancel", page.ui.back), ("Delete", delete), rids=("android:id/button2", "android:id/button1"))


@screen("phone/log", app="Phone")
def log(page: Page) -> None:
    """Calls, newest first."""
    page.bar("Phone", up=False)
    arrows = {"in": "Incoming", "out": "Outgoing", "missed": "Missed"}
    for call in sorted(page.phone.table(Call).all(), key=lambda row: row.moment, reverse=True):
        summary = f"{arrows.get(call.direction, call.direction)} · {call.moment.replace('T', ' ')}"
        page.item(call.who or call.phone, summary, partial(place_call, page, call.phone))
    page.fab("key pad", page.go("phone/keypad"), rid="dialpad_fab")


@screen("phone/keypad", app="Phone")
def keypad(page: Page) -> None:
    """Type a number and call it."""
    page.bar("Phone")
    page.edit("digits", "Number", page.route.args.get("phone", ""))

    def call() -> None:
        number = page.field("digits")
        if number:
            place_call(page, number)

    page.buttons(("Call", call), rids=("dialpad_voice_call_button",))


@screen("phone/calling", app="Phone", activity="com.android.incallui.InCallActivity")
def calling(page: Page) -> None:
    """While it rings."""
    number = page.route.args["phone"]
    name = next((row.name for row in page.phone.table(Person).all() if row.phone == number), number)
    page.text(f"Calling {name}", rid="contactgrid_contact_name", heading=True)
    page.buttons(("End call", page.ui.back), rids=("incall_end_call",))
