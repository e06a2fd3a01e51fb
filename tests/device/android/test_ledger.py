"""What is borrowed is noted before it is taken, and given back by whoever comes next; other people's changes stay."""

import json
import shlex
import stat
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.android.restore.ledger import Ledger, alive, process_mark
from device.android.restore.undo import borrow_forward, borrow_input_method, borrow_service, borrow_setting
from runtime.contract import InfrastructureError

OTHER, OURS = "com.other/.Service", "com.ours/.Service"
LATIN, PLAIN = "com.latin/.Ime", "com.plain/.Ime"
BEFORE = {
    ("secure", "enabled_accessibility_services"): OTHER,
    ("secure", "accessibility_enabled"): "1",
    ("secure", "default_input_method"): LATIN,
}


class Settings:
    """The settings, keyboards and processes of a phone, behind its shell."""

    def __init__(self):
        self.values = dict(BEFORE)
        self.keyboards = [LATIN]
        self.killed = []

    def __call__(self, line):
        words = shlex.split(line)
        if words[0] == "settings":
            return self._settings(*words[1:])
        if words[:2] == ["ime", "list"]:
            return "".join(f"{name}\n" for name in self.keyboards), "", 0
        if words[0] == "ime":
            if words[1] == "enable" and words[2] not in self.keyboards:
                self.keyboards.append(words[2])
            elif words[1] == "disable":
                self.keyboards.remove(words[2])
            elif words[1] == "set":
                self.values["secure", "default_input_method"] = words[2]
        elif words[0] == "ps":
            return "  PID ARGS\n  411 app_process / com.wetest.uia2.Main -p 9008\n", "", 0
        elif words[0] == "kill":
            self.killed.append(words[1])
        return "", "", 0

    def _settings(self, verb, namespace, key="", value=""):
        if verb == "list":
            return (
                "".join(f"{name}={text}\n" for (space, name), text in self.values.items() if space == namespace),
                "",
                0,
            )
        if verb == "put":
            self.values[namespace, key] = value
        elif verb == "delete":
            self.values.pop((namespace, key), None)
        else:
            return self.values.get((namespace, key), "null") + "\n", "", 0
        return "", "", 0


@pytest.fixture
def phone(adb):
    adb.answer = Settings()
    return adb.answer


@pytest.fixture
def ledger(tmp_path):
    return Ledger("A1", tmp_path)


def dead(tmp_path):
    """A ledger as a process that has ended left it."""
    with subprocess.Popen(["sleep", "60"]) as ended:
        mark = process_mark(ended.pid)
        ended.kill()
    left = Ledger("A1", tmp_path)
    left.owner = mark
    return left


def test_a_setting_is_given_back(phone, ledger, shell, server, soon):
    phone.values["system", "accelerometer_rotation"] = "1"
    borrow_setting(ledger, shell, "system", "accelerometer_rotation", "0", soon)
    assert phone.values["system", "accelerometer_rotation"] == "0"
    assert ledger.give_back(shell, server, soon) == ["setting `system/accelerometer_rotation` given back"]
    assert (phone.values["system", "accelerometer_rotation"], ledger.leases()) == ("1", [])


def test_a_setting_that_was_not_there_is_deleted(phone, ledger, shell, server, soon):
    borrow_setting(ledger, shell, "global", "stay_on", "7", soon)
    ledger.give_back(shell, server, soon)
    assert ("global", "stay_on") not in phone.values


def test_what_somebody_else_changed_meanwhile_is_left_alone(phone, ledger, shell, server, soon):
    borrow_setting(ledger, shell, "system", "font_scale", "1.3", soon)
    phone.values["system", "font_scale"] = "2.0"
    (said,) = ledger.give_back(shell, server, soon)
    assert (phone.values["system", "font_scale"], "changed by somebody else" in said) == ("2.0", True)


def test_other_peoples_accessibility_services_stay(phone, ledger, shell, server, soon):
    borrow_service(ledger, shell, OURS, soon)
    assert phone.values["secure", "enabled_accessibility_services"] == f"{OTHER}:{OURS}"
    phone.values["secure", "enabled_accessibility_services"] += ":com.third/.S"
    ledger.give_back(shell, server, soon)
    assert phone.values["secure", "enabled_accessibility_services"] == f"{OTHER}:com.third/.S"


def test_the_keyboard_of_before_comes_back_and_ours_goes_off(phone, ledger, shell, server, soon):
    borrow_input_method(ledger, shell, PLAIN, soon)
    assert (phone.values["secure", "default_input_method"], phone.keyboards) == (PLAIN, [LATIN, PLAIN])
    ledger.give_back(shell, server, soon)
    assert (phone.values["secure", "default_input_method"], phone.keyboards) == (LATIN, [LATIN])


def test_after_a_crash_the_next_run_gives_everything_back(phone, tmp_path, shell, server, soon):
    left = dead(tmp_path)
    borrow_setting(left, shell, "system", "user_rotation", "1", soon)
    borrow_service(left, shell, OURS, soon)
    borrow_input_method(left, shell, PLAIN, soon)
    left.borrow("helper", "com.wetest.uia2.Main", "", "running")
    fresh = Ledger("A1", tmp_path)
    assert fresh.give_back(shell, server, soon) == []
    assert len(fresh.recover(shell, server, soon)) == 4
    assert phone.values == BEFORE
    assert (phone.keyboards, phone.killed, fresh.leases()) == ([LATIN], ["411"], [])


def test_a_crash_between_note_and_change_leaves_nothing_to_do(phone, tmp_path, shell, server, soon):
    dead(tmp_path).borrow("setting", "system/font_scale", "", "1.3")
    assert Ledger("A1", tmp_path).recover(shell, server, soon) == ["setting `system/font_scale` was as before"]


def test_leases_of_a_running_process_are_not_touched(phone, tmp_path, shell, server, soon):
    borrow_setting(Ledger("A1", tmp_path), shell, "system", "font_scale", "1.3", soon)
    assert Ledger("A1", tmp_path).recover(shell, server, soon) == []
    assert phone.values["system", "font_scale"] == "1.3"


def test_a_phone_that_is_gone_keeps_its_notes(adb, phone, ledger, shell, server, soon):
    borrow_setting(ledger, shell, "system", "font_scale", "1.3", soon)
    adb.devices.clear()
    adb.drop()
    (said,) = ledger.give_back(shell, server, soon)
    assert ("could not be given back" in said, len(ledger.leases())) == (True, 1)


def test_a_forward_that_is_gone_is_no_failure(adb, phone, ledger, shell, server, soon):
    ledger.borrow("forward", "tcp:7001", "", "tcp:9008")
    (said,) = ledger.give_back(shell, server, soon)
    assert "could not be given back" in said
    assert callable(borrow_forward)


def test_the_file_is_private_and_a_damaged_one_is_set_aside(ledger):
    ledger.borrow("file", "/data/local/tmp/x", "", "")
    assert stat.S_IMODE(ledger.path.stat().st_mode) == 0o600
    ledger.path.write_text("{broken", encoding="utf-8")
    assert ledger.leases() == []
    assert ledger.path.with_suffix(".damaged").exists()


def test_a_number_that_another_process_has_is_not_the_owner():
    mark = process_mark(1)
    assert (alive(mark), alive("1:0"), alive("999999999:5"), alive("")) == (True, False, False, False)


@given(st.lists(st.tuples(st.text(min_size=1, max_size=20), st.text(max_size=20)), max_size=5))
def test_any_name_and_value_survives_the_file(tmp_path_factory, pairs):
    ledger = Ledger("A/1:2", tmp_path_factory.mktemp("l"))
    noted = [ledger.borrow("setting", name, value, value) for name, value in pairs]
    assert ledger.leases() == noted
    assert isinstance(json.loads(ledger.path.read_text(encoding="utf-8") if pairs else "[]"), list)


def test_serials_with_odd_characters_have_a_file_each(tmp_path):
    serials = ("10.0.0.1:5555", "10.0.0.1_5555", "a/b", "a b", "ä", "..", "adb-1 (2)._tcp")
    for serial in serials:
        Ledger(serial, tmp_path).borrow("file", f"/sdcard/{serial}", "", "")
    assert len(list(tmp_path.glob("*.json"))) == len(serials)
    assert [Ledger(serial, tmp_path).leases()[0].name for serial in serials] == [f"/sdcard/{one}" for one in serials]


def test_a_lease_of_another_version_stays_noted(tmp_path, shell, server, soon):
    ledger = Ledger("A1", tmp_path)
    ledger.path.parent.mkdir(exist_ok=True)
    row = {"kind": "wallpaper", "name": "x", "before": "", "taken": "", "owner": "1:0"}
    ledger.path.write_text(json.dumps([row]))
    assert ledger.recover(shell, server, soon) == [
        "wallpaper `x` is noted by another version of this program; it stays noted"
    ]
    assert len(ledger.leases()) == 1


@pytest.mark.parametrize("text", ['[{"kind": "file"}]', '{"a": 1}', "7", "[", '[["a"]]', "null"])
def test_notes_that_are_damaged_are_set_aside(tmp_path, text):
    ledger = Ledger("A1", tmp_path)
    ledger.path.write_text(text)
    assert ledger.leases() == []
    assert ledger.path.with_suffix(".damaged").read_text() == text


def test_notes_of_other_kinds_of_values_are_set_aside(tmp_path):
    ledger = Ledger("A1", tmp_path)
    ledger.path.write_text(json.dumps([{"kind": "file", "name": 7, "before": "", "taken": "", "owner": 5}]))
    assert ledger.leases() == []


def test_a_folder_that_can_not_be_written_is_one_line(tmp_path):
    (tmp_path / "leases").write_text("a file")
    with pytest.raises(InfrastructureError, match="can't be written"):
        Ledger("A1", tmp_path / "leases").leases()
