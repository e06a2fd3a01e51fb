"""Traces: what is written is what is read, while it runs and after."""

import stat

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.sqlite import open_database
from runtime.contract import Decision, Finish, Segment, Step, Stop, TaskView, UserError
from runtime.harness import run_episode
from runtime.rooms import Labels
from runtime.trace import TraceReader, TraceStore
from runtime.trace.read import NO_END


@pytest.fixture
def store(tmp_path):
    opened = TraceStore(tmp_path / "traces.sqlite3", open_database)
    yield opened
    opened.close()


@pytest.fixture
def one(rooms_of, script, tool_call, store):
    """Run one episode into the store."""

    def run(request="light", **labels):
        planner = script(tool_call("control_lamp", action="on"), Finish(answer="it is on"))
        return run_episode(TaskView(request=request), rooms_of(planner, trace=store), labels=Labels(**labels))

    return run


def test_an_episode_comes_back_whole(one, store):
    episode = one(task_id="t1", group="g", attempt=2)
    assert TraceReader(store.path, open_database).episode(episode.id) == episode
    assert (episode.task_id, episode.group, episode.attempt) == ("t1", "g", 2)


def test_the_file_belongs_to_its_user_alone(one, store):
    one()
    for path in store.path.parent.glob("traces.sqlite3*"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_a_running_episode_can_be_read(store):
    reader = None
    with store.episode(TaskView(request="light"), {"started_at": "2026-03-02", "task_id": "t"}) as writer:
        writer.segment(Segment(prefix="p"))
        writer.step(Step(index=0, decision=Decision(actions=(Finish(answer="a"),))))
        reader = TraceReader(store.path, open_database)
        (summary,) = reader.page()
        episode = reader.episode(writer.id)
    assert (summary.stop, summary.steps, summary.confirmed) == ("running", 1, None)
    assert (episode.stop, episode.stop_detail, episode.task_id) == (Stop.CANCELLED, NO_END, "t")
    assert [step.index for step in episode.steps] == [0]


def test_segments_keep_their_own_steps(store):
    with store.episode(TaskView(request="light"), {}) as writer:
        for number in range(2):
            writer.segment(Segment(prefix=f"p{number}", reason="compression" if number else "request"))
            writer.step(Step(index=number, decision=Decision(actions=(Finish(),))))
    segments = TraceReader(store.path, open_database).episode(writer.id).segments
    assert [(one.prefix, [step.index for step in one.steps]) for one in segments] == [("p0", [0]), ("p1", [1])]


def test_pages_go_backwards(one, store):
    for number in range(5):
        one(f"light {number}")
    reader = TraceReader(store.path, open_database)
    assert [summary.request for summary in reader.page(2)] == ["light 4", "light 3"]
    assert [summary.request for summary in reader.page(2, before=4)] == ["light 2", "light 1"]
    assert len(list(reader.ids())) == 5


def test_an_episode_is_found_by_the_start_of_its_id(one, store):
    first, second = one("a"), one("b")
    reader = TraceReader(store.path, open_database)
    assert reader.find("last") == second.id
    assert reader.find(first.id) == first.id
    with pytest.raises(UserError, match="names no episode"):
        reader.find("x")
    with pytest.raises(UserError, match="names several episodes"):
        reader.find("2")


def test_no_file_no_traces(tmp_path):
    with pytest.raises(UserError, match="there are no traces in"):
        TraceReader(tmp_path / "none.sqlite3", open_database)


def test_a_place_that_can_not_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"can't be opened: .* `POCKET_HOME`"):
        TraceStore(tmp_path / "file" / "traces.sqlite3", open_database)


def test_a_file_that_is_no_database(tmp_path):
    path = tmp_path / "traces.sqlite3"
    path.write_bytes(b"no database, but long enough to be read as one" * 50)
    with pytest.raises(UserError, match="can't be opened: file is not a database"):
        TraceStore(path, open_database)


def test_images_are_kept_once(store):
    for _ in range(2):
        store.blob("d", "image/png", b"bytes")
    assert [tuple(row) for row in store._database.execute("SELECT * FROM blobs")] == [("d", "image/png", b"bytes")]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    st.text(min_size=1, max_size=40),
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), max_size=4),
)
def test_any_text_survives(store, request_text, answers):
    view = TaskView(request=request_text.encode("utf-8", "replace").decode())
    steps = tuple(
        Step(index=index, decision=Decision(actions=(Finish(answer=text),), raw=text))
        for index, text in enumerate(answers)
    )
    with store.episode(view, {}) as writer:
        writer.segment(Segment(prefix="p"))
        for step in steps:
            writer.step(step)
    read = TraceReader(store.path, open_database).episode(writer.id)
    assert (read.view, read.steps) == (view, steps)
