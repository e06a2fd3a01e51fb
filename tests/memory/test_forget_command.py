"""`pocket memory forget`: after it nothing is left under `POCKET_HOME`, wherever it lay."""

import json

import pytest
from typer.testing import CliRunner

from runtime.cli.memory import app
from runtime.config import load_settings
from runtime.contract import Finish, TaskView, ToolCall
from runtime.harness import run_episode
from runtime.recall import Recall
from runtime.wiring import open_database, open_rooms, read_traces
from tests.runtime.conftest import Script, SmallPhone, WordEmbedder

SECRET = "My locker stands by the QZX-4711-kanu fountain"


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def pocket(*arguments):
    result = CliRunner().invoke(app, [*arguments])
    assert result.exit_code == 0, result.output
    return result.output


def held(home):
    return sorted(path.name for path in home.rglob("*") if path.is_file() and b"kanu" in path.read_bytes())


@pytest.mark.model
def test_a_memory_of_a_run_leaves_the_home(home):
    add = ToolCall(id="x", name="add_user_memory", arguments={"content": SECRET})
    settings = load_settings({}, ["memory.use=true"])
    parts = {
        "phone": SmallPhone(),
        "planner": Script(add, Finish(answer=SECRET)),
        "recall": Recall(WordEmbedder(), open_database),
    }
    with open_rooms(settings, **parts) as opened:
        episode = run_episode(TaskView(request=f"please note: {SECRET}"), opened.rooms)
    memory_id = episode.steps[0].observations[0].data["memory_id"]
    (home / "mine").mkdir()
    (home / "mine" / "notes.jsonl").write_text(json.dumps({"text": SECRET}) + "\n")
    assert {"memory.sqlite3", "traces.sqlite3", "notes.jsonl"} <= {name.removesuffix("-wal") for name in held(home)}
    receipt = json.loads(pocket("forget", memory_id, "--yes", "--json"))
    assert held(home) == []
    assert (receipt["complete"], receipt["records"], receipt["others"]) == (True, [memory_id], [episode.id])
    assert receipt["notes"] == []


@pytest.mark.model
def test_a_planner_that_forgets_leaves_nothing_either_not_even_in_its_own_trace(home):
    pocket("add", SECRET)
    search = ToolCall(id="x", name="search_user_memory", arguments={"query": "locker code"})
    remove = ToolCall(id="y", name="remove_user_memory", arguments={"memoryId": "mem_0001"})
    settings = load_settings({}, ["memory.use=true", "memory.capture=true"])
    script = Script(search, remove, Finish(answer=f"I forgot: {SECRET}"))
    parts = {"phone": SmallPhone(), "planner": script, "recall": Recall(WordEmbedder(), open_database)}
    with open_rooms(settings, **parts) as opened:
        episode = run_episode(TaskView(request=f"forget this: {SECRET}"), opened.rooms)
        removed = episode.steps[1].observations[0]
    assert (removed.data, removed.diff.changes[0].after) == ({"memory_id": "mem_0001", "removed": 1}, None)
    assert held(home) == []
    reader = read_traces()
    kept = reader.episode(episode.id)
    assert (kept.view.request, kept.trainable, len(kept.steps)) == ("[erased]", "none", 3)
    reader.close()
