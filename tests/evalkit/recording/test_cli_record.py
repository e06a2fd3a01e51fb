"""`pocket record` on a software phone from its first screen to a task's candidate; skipped without adb."""

import json

import pytest
from typer.testing import CliRunner

from device.android.connection.server import adb_path
from device.android.phone import AndroidPhone
from device.handset.client import Control, serve, serve_recording
from evalkit.android.rig import own_server
from evalkit.recording.cli import app
from evalkit.recording.to_task import checked
from runtime.cli.trace import app as trace
from runtime.contract import Deadline, SetupError, StateCheck, UserError

GOAL = ["--app", "Settings", "--goal", "turn_on", "--target", "Dark theme", "--where", "Display"]
SEND = ["--app", "Messages", "--goal", "send", "--target", "Anna Keller", "--value", "hello"]


def run(command, *words):
    done = CliRunner().invoke(command, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture
def server(tmp_path, monkeypatch):
    try:
        adb_path()
    except SetupError as error:
        pytest.skip(str(error))
    with own_server() as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        monkeypatch.setenv("POCKET_HOME", str(tmp_path / "home"))
        yield server


def test_from_acts_to_a_phone_and_a_task(server, tmp_path):
    folder = str(tmp_path / "dark-theme")
    with serve(1) as (served,):
        server.ask(f"host:connect:{served.serial}", Deadline(60.0))
        said = json.loads(run(app, "agent", folder, *GOAL, "--serial", served.serial, "--json"))
        control = Control(served.control)
        assert control.rows("display")[0]["dark_mode"] is True
        sent = CliRunner().invoke(app, ["agent", str(tmp_path / "sent"), *SEND, "--serial", served.serial])
        assert (sent.exit_code, control.rows("messages")) == (1, [])
        control.close()
    assert "not done: " in sent.stderr and "did not agree" in sent.stderr
    assert "refused: " in run(trace, "show", str(tmp_path / "sent"))
    assert (said["screens"], said["gaps"]) == (3, 0)
    assert "turn on Dark theme" in run(trace, "show", folder)
    assert json.loads(run(app, "redact", folder, "--dry-run", "--json"))["written"] is False
    run(app, "to-task", folder, "--request", "dark theme on, please", "-o", str(tmp_path / "task.json"))
    task = checked((tmp_path / "task.json").read_text())
    said = [step["arguments"].get("element") or step["arguments"]["text"] for step in task.gold[:-1]]
    assert said == ["Settings", "Display & touch", "Dark theme"]
    (state,) = [one for one in task.policy.outcomes[0].checks if isinstance(one, StateCheck)]
    assert [(one.table, one.values) for one in state.required] == [("display", {"dark_mode": True})]
    with serve_recording(tmp_path / "dark-theme") as (replayed,):
        server.ask(f"host:connect:{replayed.serial}", Deadline(60.0))
        control = Control(replayed.control)
        phone = AndroidPhone(replayed.serial)
        for words in ("Display & touch", "Dark theme"):
            element = next(one.id for one in phone.observe(Deadline(60)) if one.label.startswith(words))
            assert phone.act(element, "tap", "", Deadline(60)).ok
        phone.close()
        assert (control.ask("screen")["step"], control.ask("screen")["missed"]) == (2, 0)
        control.close()


def test_wrong_use_is_one_line(tmp_path):
    with pytest.raises(UserError, match="the goal can't be taken"):
        CliRunner().invoke(
            app, ["agent", str(tmp_path / "x"), "--app", "Clock", "--goal", "dance"], catch_exceptions=False
        )
    with pytest.raises(UserError, match="holds no recording"):
        CliRunner().invoke(app, ["redact", str(tmp_path), "--dry-run"], catch_exceptions=False)
