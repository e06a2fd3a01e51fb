"""Each app by its screens alone: what a tap does to the rows, and what a row does to the screen."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.handset.handset import Handset
from device.handset.screens.dump import active_window, every_window
from device.handset.screens.node import Node, Window
from device.handset.screens.registry import screens
from device.handset.screens.ui import Route
from device.sandbox.rows.apps import App
from device.sandbox.rows.communication import Message, SocialAccount
from device.sandbox.rows.controls import Screen
from device.sandbox.rows.display_sound import Display, Volume
from device.sandbox.rows.folders import Folder, TrashedFile
from device.sandbox.rows.network import Radios
from device.sandbox.rows.people import Person
from device.sandbox.rows.screens import AppSetting, FormEntry
from device.sandbox.rows.time_management import Alarm, Event, Reminder
from device.sandbox.rows.utilities import Bookmark, BrowserTab, Note
from runtime.contract import Deadline, ToolCall


class Finger:
    """Finds what it is told on the screen, and touches it there."""

    def __init__(self) -> None:
        self.phone = Handset()
        self.ui = self.phone.ui

    def rows(self, cls):
        return self.phone.sandbox.table(cls).all()

    def one(self, cls):
        return self.phone.sandbox.one(cls)

    def node(self, label: str) -> Node:
        nodes = [node for window in self.ui.windows() for node in window.root.walk()]
        return next(node for node in nodes if label in (node.text, node.desc, node.hint, node.rid))

    def sees(self, label: str) -> bool:
        return any(label in (n.text, n.desc, n.hint, n.rid) for w in self.ui.windows() for n in w.root.walk())

    def tap(self, label: str) -> None:
        assert self.ui.tap(*self.node(label).centre), label

    def type(self, label: str, text: str) -> None:
        self.tap(label)
        self.ui.set_text(text)
        self.ui.back()  # the keyboard away


@pytest.fixture
def finger():
    return Finger()


def test_every_screen_is_reached_from_home_or_named_by_a_flow():
    assert {"home", "launcher", "recents", "clock/alarms", "contacts/list", "messages/list", "notes/list"} <= set(
        screens()
    )
    assert {"files/folders", "browser/page", "dialog/permission", "signin", "settings/main"} <= set(screens())


def test_an_alarm_by_hand(finger):
    finger.tap("Clock")
    finger.tap("Add alarm")
    finger.type("Hour (0-23)", "6")
    finger.type("Minute", "45")
    finger.type("Label", "Swim")
    finger.tap("Weekdays")
    finger.tap("Save")
    row = finger.rows(Alarm)[-1]
    assert (row.time, row.title, row.repeat) == ("06:45", "Swim", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
    finger.tap("06:45")
    finger.tap("Delete")
    assert len(finger.rows(Alarm)) == 2


def test_an_impossible_alarm_is_not_saved(finger):
    finger.tap("Clock")
    finger.tap("Add alarm")
    finger.type("Hour (0-23)", "25")
    finger.tap("Save")
    assert finger.ui.toast == "Enter a valid time"
    assert len(finger.rows(Alarm)) == 2


def test_a_tool_changes_what_the_screen_shows(finger):
    finger.tap("Clock")
    call = ToolCall(id="1", name="manage_alarm", arguments={"action": "create", "time": "05:15", "title": "Early"})
    finger.phone.sandbox.execute(call, Deadline(5))
    assert finger.sees("05:15")
    call = ToolCall(id="2", name="open_app", arguments={"appName": "Notes"})
    finger.phone.sandbox.execute(call, Deadline(5))
    assert finger.ui.active().package == "com.pocket.notes"
    finger.ui.home()
    assert finger.one(Screen).view == "home"


def test_a_message_by_hand(finger):
    finger.tap("Messages")
    finger.tap("Start chat")
    finger.tap("Anna Keller")
    finger.type("Text message", "On my way")
    finger.tap("Send SMS")
    row = finger.rows(Message)[-1]
    assert (row.direction, row.who, row.phone, row.content) == ("out", "Anna Keller", "+15550104", "On my way")


def test_a_contact_is_deleted_only_after_the_question(finger):
    finger.ui.launch("Contacts")
    finger.tap("Chloe Martin")
    finger.tap("Delete contact")
    finger.tap("Cancel")
    assert len(finger.rows(Person)) == 12
    finger.tap("Delete contact")
    finger.tap("Delete")
    assert len(finger.rows(Person)) == 11


def test_notes_and_events(finger):
    finger.tap("Notes")
    finger.tap("Gift ideas")
    finger.type("Title", "Presents")
    finger.tap("Save")
    assert "Presents" in {note.title for note in finger.rows(Note)}
    finger.ui.home()
    finger.tap("Calendar")
    finger.tap("Create event")
    finger.type("Add title", "Choir")
    finger.type("Date (YYYY-MM-DD)", "2026-03-09")
    finger.type("Time (HH:MM)", "19:30")
    finger.tap("Save")
    row = finger.rows(Event)[-1]
    assert (row.event, row.date, row.time) == ("Choir", "2026-03-09", "19:30")
    assert len(finger.rows(Reminder)) == 4


def test_files(finger):
    finger.ui.launch("Files")
    finger.tap("New folder")
    finger.type("Folder name", "Taxes")
    finger.tap("OK")
    assert "Taxes" in {row.name for row in finger.rows(Folder)}
    finger.tap("Pictures")
    finger.tap("Birthday_Cake.jpg")
    finger.tap("Delete")
    finger.tap("OK")
    assert finger.rows(TrashedFile)[-1].name == "Birthday_Cake.jpg"
    assert not finger.sees("Birthday_Cake.jpg")


def test_browser_and_its_web_view(finger):
    finger.tap("Browser")
    finger.tap("Search or type URL")
    finger.ui.set_text("tide times")
    finger.ui.enter()
    assert finger.rows(BrowserTab)[-1].query == "tide times"
    web = next(n for n in finger.ui.active().root.walk() if n.cls == "android.webkit.WebView")
    assert [child.cls.rpartition(".")[2] for child in web.children] == ["View", "View", "View", "EditText", "Button"]
    field = web.children[3]
    assert (field.text, field.desc, field.hint) == ("", "", "")
    finger.tap("Save this page")
    assert finger.rows(Bookmark)[-1].title == "tide times"


def test_settings_pages(finger):
    finger.tap("Settings")
    finger.tap("Network & internet")
    finger.tap("Airplane mode")
    assert (finger.one(Radios).airplane_mode, finger.one(Radios).wifi) == (True, False)
    finger.tap("Navigate up")
    finger.tap("Display & touch")
    slider = next(n for n in finger.ui.active().root.walk() if n.kind == "slider")
    left, top, right, bottom = slider.bounds
    finger.ui.tap(left + (right - left) * 3 // 4, (top + bottom) // 2)
    assert finger.one(Display).brightness == 75
    finger.ui.swipe(left + 10, (top + bottom) // 2, left + (right - left) // 4, (top + bottom) // 2)
    assert finger.one(Display).brightness == 25
    assert next(row for row in finger.rows(Volume) if row.stream == "media").percent == 50


def test_settings_of_an_app_that_depend_on_another(finger):
    finger.phone.sandbox.table(SocialAccount)
    finger.ui.launch("Instagram")
    finger.tap("Settings")
    approval = next(n for n in finger.ui.active().root.walk() if n.text == "Follower approval")
    assert finger.ui.tap(*approval.centre) is False  # grey until the account is private
    finger.tap("Private account")
    finger.tap("Follower approval")
    values = {row.name: row.value for row in finger.rows(AppSetting) if row.app == "Instagram"}
    assert (values["private account"], values["follower approval"]) == ("on", "on")


def test_a_form_of_an_app(finger):
    finger.ui.launch("Amazon")
    finger.tap("Gift card")
    finger.type("Receiver", "Tom")
    finger.tap("Submit")
    assert finger.rows(FormEntry) == []
    finger.type("Amount", "25")
    finger.tap("Submit")
    entry = finger.rows(FormEntry)[-1]
    assert (entry.app, entry.form, entry.values) == ("Amazon", "gift card", ("Tom", "25"))


def test_a_permission_dialog(finger):
    table = finger.phone.sandbox.table(App)
    table.update("Google Maps", permissions=())
    finger.ui.launch("Google Maps")
    assert finger.ui.active().package == "com.google.android.permissioncontroller"
    finger.tap("While using the app")
    assert table.need("Google Maps").permissions == ("location",)
    assert finger.ui.active().package == "com.google.android.apps.maps"


def test_a_sign_in_wall(finger):
    finger.phone.sandbox.table(App).update("LinkedIn", installed=True)
    finger.ui.launch("LinkedIn")
    assert finger.sees("Log in to LinkedIn")
    finger.type("Username, email or mobile number", "me@example.com")
    finger.type("Password", "secret")
    shown = next(n for n in finger.ui.active().root.walk() if n.password)
    assert shown.text == "••••••"
    finger.tap("Log in")
    assert finger.rows(SocialAccount)[-1] == SocialAccount("LinkedIn", "me@example.com")
    assert not finger.sees("Log in")


def test_shade_and_keys(finger):
    finger.ui.swipe(300, 5, 300, 900)
    assert finger.sees("Your parcel leaves the warehouse today")
    finger.tap("Clear all")
    assert finger.sees("No notifications")
    finger.ui.back()
    finger.ui.swipe(1000, 5, 1000, 900)
    finger.tap("Flashlight")
    assert finger.ui.shade == "quick"
    finger.ui.back()
    finger.ui.sleep()
    assert finger.ui.tap(500, 500) is False
    finger.ui.wake()
    finger.tap("All apps")
    finger.type("Search apps", "spot")
    finger.tap("Spotify")
    assert finger.one(Screen).view == "Spotify"
    finger.tap("Overview")
    finger.tap("Clear all")
    assert not any(row.running for row in finger.rows(App))


def test_the_keyboard_covers_what_lies_below(finger):
    finger.tap("Notes")
    finger.tap("New note")
    finger.tap("com.pocket.notes:id/content")
    assert finger.ui.keyboard_shown
    finger.tap("Title")
    x, y = finger.node("q").centre
    finger.ui.tap(x, y)
    assert finger.ui.text() == "q"
    finger.ui.back()
    assert not finger.ui.keyboard_shown


def test_a_page_whose_row_a_tool_deleted_is_left(finger):
    finger.ui.launch("Uber")
    finger.tap("Past trips")
    finger.ui.stack.append(Route("app/form", {"app": "Uber", "id": "gone"}))
    assert finger.sees("Past trips")


def test_both_dumps_are_xml_of_the_same_nodes(finger):
    finger.tap("Settings")
    window = finger.ui.active()
    plain = ElementTree.fromstring(active_window(window, 0))
    every = ElementTree.fromstring(every_window(finger.ui.windows(), 0))
    own = [node.get("text") for node in plain.iter("node")]
    package = [n.get("text") for n in every.iter("node") if n.get("package") == "com.android.settings"]
    assert own == package
    assert [node.get("resource-id") for node in plain.iter("node") if node.get("NAF")] == [
        "com.android.settings:id/search_action_bar_title"
    ]
    assert plain.find("node").get("bounds") == "[0,0][1080,2400]"


def test_the_picture_shows_the_page_and_a_secure_one_is_black(finger):
    assert finger.phone.picture().getextrema() != ((0, 0), (0, 0), (0, 0))
    finger.ui.launch("Settings")
    finger.ui.open("settings/security")
    assert finger.phone.picture().getextrema() == ((0, 0), (0, 0), (0, 0))
    assert finger.sees("Fingerprint Unlock")


def test_turned_screen_has_other_bounds(finger):
    finger.ui.rotate(1)
    assert finger.ui.active().root.bounds == (0, 0, 2400, 1080)
    assert finger.phone.picture().size == (2400, 1080)


def test_a_flutter_app_says_its_texts_in_descriptions(finger):
    finger.ui.launch("Uber")
    nodes = list(finger.ui.active().root.walk())
    assert {node.text for node in nodes} == {""}
    assert "Past trips" in {node.desc for node in nodes}
    finger.tap("Settings")
    row = finger.node("Trip sharing")
    assert (row.cls, row.checked, row.children) == ("android.widget.Switch", False, [])
    finger.tap("Trip sharing")
    values = {row.name: row.value for row in finger.rows(AppSetting) if row.app == "Uber"}
    assert values == {"trip sharing": "on"}
    finger.ui.back()
    finger.tap("Lost property report")
    fields = [node for node in finger.ui.active().root.walk() if node.cls == "android.widget.EditText"]
    assert [(node.text, node.desc, node.hint, node.rid) for node in fields] == [("", "", "", "")] * 2


@given(st.text(max_size=40))
def test_any_text_is_xml_in_both_dumps(text):
    root = Node("android.widget.TextView", text=text, package="p")
    for xml in (active_window(Window("p", "", root), 0), every_window([Window("p", "", root)], 0)):
        shown = ElementTree.fromstring(xml.encode(errors="replace")).find("node").get("text")
        assert len(shown) == len(text)
        assert all(b in (a, ".") for a, b in zip(text, shown, strict=True))
