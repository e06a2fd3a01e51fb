"""The screen agent on a software phone, through adb and uiautomator2: what it says is what the phone's rows hold."""

import pytest

from device.sandbox.rows.apps import App
from device.sandbox.rows.communication import SocialAccount
from runtime.contract import Deadline, ToolCall
from runtime.subagents import ScreenAgent


@pytest.fixture
def work(phone):
    agent = ScreenAgent(phone)

    def hand_over(**goal):
        call = ToolCall(id="c1", name="work_on_screen", arguments=goal)
        return agent.execute(call, Deadline(120), "key")

    return hand_over


def test_a_switch_far_down_is_set(work, rows):
    seen = work(app="Settings", goal="turn_on", target="Magnification")
    assert seen.data == {"status": "done", "shows": "switch Magnification (on)"}
    assert rows("magnifier")[0].enabled is True


def test_a_form_is_filled_and_saved(work, rows):
    values = ["Name: Zoë O'Hara", "Phone: +15550199"]
    assert work(app="Contacts", goal="add", target="contact", values=values).ok
    assert [(one.name, one.phone) for one in rows("contacts") if one.phone == "+15550199"] == [
        ("Zoë O'Hara", "+15550199")
    ]


def test_deleting_asks_and_a_no_stays_a_no(work, rows, approver):
    approver.answer = False
    before = len(rows("files"))
    refused = work(app="Files", goal="delete", target="Resume.pdf", where="Documents")
    assert refused.failure.details == {"status": "blocked", "reason": "not_agreed", "for_a_person": True}
    assert len(rows("files")) == before
    approver.answer = True
    done = work(app="Files", goal="delete", target="Resume.pdf", where="Documents")
    assert done.data["gone"].startswith("button Resume.pdf")
    assert [one.facts.split(" in ")[0] for one in approver.asked[-2:]] == [
        "Tapping `Delete`",
        'Tapping `OK` under "Delete "Resume.pdf"?"',
    ]


def test_walls_are_for_a_person(work, served):
    sandbox = served[0].phone.sandbox
    sandbox.table(App).update("Camera", permissions=())
    sandbox.table(SocialAccount).delete("Instagram")
    reasons = [
        work(app="Camera", goal="open", target="Shutter"),
        work(app="Instagram", goal="open", target="Inbox"),
        work(app="Settings", goal="turn_on", target="Face unlock"),
    ]
    assert [seen.failure.details["reason"] for seen in reasons] == ["permission_dialog", "sign_in", "secure_window"]
    assert not rows_of(sandbox, "Instagram")


def rows_of(sandbox, network):
    return sandbox.table(SocialAccount).get(network)


def test_a_way_of_pages_is_walked(work, served):
    served[0].phone.sandbox.table(App).update("Camera", permissions=())
    seen = work(app="Settings", goal="open", target="Open", where="Apps > Camera")
    assert [step.get("element") for step in seen.evidence.facts["steps"]][1:3] == [
        "button Apps, Recent apps, default apps",
        "button Camera, 110.0 MB",
    ]
    assert seen.failure.details["reason"] == "permission_dialog"
