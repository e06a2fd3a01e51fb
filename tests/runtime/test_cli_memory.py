"""`pocket memory` through the real command line, with the store in a folder of its own."""

import json
import sqlite3
import stat
import time

import pytest

from memory.records import Category, Kind
from runtime.cli import house as commands
from runtime.cli import root
from runtime.config import load_settings
from runtime.wiring import open_traces


@pytest.fixture
def pocket(home, capsys):
    """Run `pocket memory ...`; exit code, standard output, standard error."""

    def run(*args):
        code = root.main(["memory", *args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def parked(pocket):
    assert pocket("add", "Parks on level two", "--category", "routines_habits")[:2] == (0, "remembered as mem_0001\n")
    assert pocket("correct", "mem_0001", "Parks on level three")[:2] == (0, "mem_0002 replaces mem_0001\n")


def ids(out):
    return [record["id"] for record in json.loads(out)]


def test_the_commands_name_what_the_room_names():
    assert {one.value for one in commands.Kind} == {one.value for one in Kind}
    assert {one.value for one in commands.Category} == {one.value for one in Category}


def test_a_correction_keeps_what_it_replaced(pocket, parked):
    assert ids(pocket("list", "--json")[1]) == ["mem_0002"]
    assert ids(pocket("list", "--all", "--json")[1]) == ["mem_0002", "mem_0001"]
    shown = json.loads(pocket("show", "mem_0002", "--json")[1])
    assert (shown["content"], shown["trust"], shown["replaced"]) == ("Parks on level three", "user", ["mem_0001"])
    assert "replaced by" in pocket("show", "mem_0001")[1]


def test_an_intention_takes_no_flags_that_would_do_nothing(pocket):
    code, _, said = pocket(
        "add", "Call Ann", "--at", "2026-03-02T09:00", "--since", "2026-01-01", "--importance", "0.5"
    )
    assert (code, said) == (
        2,
        "pocket: an intention has no `--since`, `--importance`. Leave that out, or leave out `--at` and `--event`.\n",
    )


def test_an_intention_is_an_event(pocket):
    given = ("add", "Call Ann", "--at", "2026-03-02T09:00", "--category")
    assert [pocket(*given, category)[0] for category in ("important_event", "preference")] == [0, 2]


def test_a_time_with_an_offset_is_turned_into_the_clocks_own(pocket, monkeypatch):
    monkeypatch.setenv("TZ", "Etc/GMT-3")  # three hours ahead of UTC
    time.tzset()
    try:
        made = json.loads(
            pocket("add", "Call Ann", "--at", "2026-03-02T09:00+01:00", "--until", "2026-03-03", "--json")[1]
        )
    finally:
        monkeypatch.delenv("TZ")
        time.tzset()
    assert (made["intention"]["at"], made["intention"]["expires_at"]) == ("2026-03-02T11:00:00", "2026-03-03")


def test_what_begins_later_is_told_and_an_end_before_it_is_refused(pocket):
    pocket("add", "I live in Ulm")
    told = pocket("add", "I live in Bremen", "--since", "2999-01-01")[1]
    assert told == "remembered as mem_0002, in place of mem_0001, from 2999-01-01 on\n"
    assert ids(pocket("list", "--json")[1]) == ["mem_0001"]
    assert pocket("add", "Stays at the Inn", "--since", "2999-05-01", "--until", "2999-04-30")[0] == 2


def test_a_search_shows_scores_and_what_is_missing(pocket, parked):
    found = json.loads(pocket("search", "where do I park", "--json")[1])
    assert [item["record"]["id"] for item in found["items"]] == ["mem_0002"]
    assert "Parks on level three" in pocket("search", "where do I park")[1]


def test_a_list_says_what_an_intention_waits_for_and_where_it_stands(pocket):
    assert pocket("list")[:2] == (0, "no memories\n")
    pocket("add", "Call Ann", "--at", "2026-03-02T09:00")
    pocket("add", "Water the ferns", "--event", "arriving home")
    out = pocket("list")[1]
    assert "Call Ann  (at 2026-03-02T09:00)" in out and "Water the ferns  (on: arriving home)" in out
    root.main(["watch", "--once", "--clock", "2026-03-02T10:00"])
    assert "Call Ann  (at 2026-03-02T09:00, fired)" in pocket("list")[1]
    shown = pocket("show", "mem_0001")[1]
    assert "  fired at" in shown and "{" not in shown and "None" not in shown


def test_on_a_narrow_terminal_the_words_keep_room(pocket, parked):
    from rich.console import Console

    from runtime.cli import remembered
    from runtime.wiring import open_service

    service = open_service(load_settings({}, ()))
    try:
        records, found = service.listed(every=True), service.search("where do I park")
    finally:
        service.close()
    console = Console(width=80, record=True)
    console.print(remembered.table(records, 80))
    console.print(*remembered.evidence(found, 80))
    lines = console.export_text().splitlines()
    assert sum("Parks on level three" in line for line in lines) == 2
    assert sum("superseded  Parks on level two" in line for line in lines) == 1


def test_forgetting_asks_first_and_gives_a_receipt(pocket, parked, home, monkeypatch):
    monkeypatch.setattr("sys.stdin", open("/dev/null"))  # noqa: SIM115, PTH123 - closed with the process
    assert pocket("forget", "mem_0002")[0] == root.INTERRUPTED
    assert ids(pocket("list", "--json")[1]) == ["mem_0002"]
    code, out, _ = pocket("forget", "mem_0002", "--yes", "--json")
    receipt = json.loads(out)
    assert (code, receipt["complete"], receipt["records"]) == (0, True, ["mem_0001", "mem_0002"])
    assert ids(pocket("list", "--all", "--json")[1]) == []
    for file in (home / "home").rglob("*"):
        assert not file.is_file() or b"Parks on level" not in file.read_bytes(), file


def test_what_is_forgotten_leaves_the_traces_too(pocket, parked, home):
    from runtime.contract import Episode, Segment, Stop, TaskView

    view = TaskView(request="Parks on level three, remember that")
    traces = open_traces()
    with traces.episode(view, {}) as writer:
        writer.segment(Segment(prefix=view.request))
        writer.close(Stop.FINISHED, "", Episode(id=writer.id, view=view, stop=Stop.FINISHED))
    traces.close()
    receipt = json.loads(pocket("forget", "mem_0002", "--yes", "--json")[1])
    assert receipt["others"] == [writer.id]
    assert root.main(["trace", "show", writer.id, "--json"]) == 0


def test_what_is_exported_can_be_imported_elsewhere(pocket, parked, home, tmp_path):
    file = tmp_path / "memories.jsonl"
    assert pocket("export", "--output", str(file))[0] == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    other = f"memory.file={tmp_path / 'other.sqlite3'}"
    code, out, _ = pocket("import", str(file), "--set", other, "--json")
    assert (code, json.loads(out)) == (0, {"added": 2, "known": 0, "renamed": {}, "others": 0})
    assert pocket("export", "--set", other)[1] == file.read_text()
    file.write_text(file.read_text().replace('"contract":1', '"contract":2'))
    code, _, err = pocket("import", str(file))
    assert code == 2
    assert err == "pocket: line 1 of `memories.jsonl`: `contract` is `2`; this program knows 1. Update pocketplanner.\n"


def test_an_export_that_breaks_off_leaves_nothing(pocket, parked, tmp_path, monkeypatch):
    def broken(self):
        yield "half"
        raise KeyboardInterrupt

    monkeypatch.setattr("memory.house.House.exported", broken)
    assert pocket("export", "--output", str(tmp_path / "m.jsonl"))[0] == root.INTERRUPTED
    assert list(tmp_path.glob("m.jsonl*")) == []


def test_whatever_words_a_file_brings_they_are_shown_as_words(pocket, parked, tmp_path):
    line = json.loads(pocket("export")[1].splitlines()[0])
    line["memory"] |= {
        "id": "odd",
        "content": "Sits at the window",
        "speaker": "[/bold]",
        "original": "a\u2028b \x1b[31m",
    }
    (tmp_path / "m.jsonl").write_text(json.dumps(line, ensure_ascii=False) + "\n", encoding="utf-8")
    assert pocket("import", str(tmp_path / "m.jsonl"))[:2] == (0, "1 records imported; 0 known already\n")
    code, out, _ = pocket("show", "odd")
    assert (code, "[/bold]" in out, "\\x1b[31m" in out, "\x1b[31m" in out) == (0, True, True, False)
    file = tmp_path / "again.jsonl"
    assert pocket("export", "--output", str(file))[0] == 0
    assert pocket("import", str(file))[:2] == (0, "0 records imported; 3 known already\n")


def test_an_intention_is_prospective(pocket):
    made = json.loads(pocket("add", "Call the vet", "--at", "2026-12-01T10:00", "--json")[1])
    assert (made["kind"], made["intention"]["at"], made["intention"]["status"]) == (
        "prospective",
        "2026-12-01T10:00",
        "pending",
    )


def test_settings_are_shown_and_changed_for_one_type(pocket, parked):
    changed = json.loads(pocket("settings", "episodic", "--days", "90", "--no-reuse", "--json")[1])
    kept = {one["kind"]: (one["retention_days"], one["reuse"], one["sharing"]) for one in changed}
    assert kept["episodic"] == (90, False, False)
    assert kept["user_model"] == (None, True, False)
    assert json.loads(pocket("settings", "--json")[1]) == changed
    assert "90 days" in pocket("settings")[1]
    code, _, err = pocket("settings", "--days", "3")
    assert (code, "name the type" in err) == (2, True)


def test_nothing_is_shared_unless_the_user_said_so(pocket, parked):
    code, _, err = pocket("share", "mem_0002")
    assert (code, "off for `user`. Switch it on with `pocket memory settings user_model --sharing`." in err) == (
        2,
        True,
    )
    pocket("settings", "user_model", "--sharing")
    made = json.loads(pocket("share", "mem_0002", "--json")[1])
    assert (made["shared"], made["user"], made["derived_from"]) == (True, "", ["mem_0002"])
    receipt = json.loads(pocket("withdraw", "mem_0002", "--json")[1])
    assert (receipt["records"], receipt["complete"]) == ([made["id"]], True)
    assert ids(pocket("list", "--json")[1]) == ["mem_0002"]


def test_stats_count_by_type_and_standing(pocket, parked):
    code, out, _ = pocket("stats", "--json")
    report = json.loads(out)
    assert (code, report["records"], report["by_kind"]) == (0, 1, {"user_model": {"superseded": 1, "active": 1}})
    assert report["problems"] == []


def test_maintenance_files_a_review_that_is_no_fact(pocket, parked):
    report = json.loads(pocket("maintain", "--json")[1])
    assert [stage["stage"] for stage in report["stages"]][:2] == ["expire", "reconcile"]
    assert ids(pocket("list", "--json")[1]) == ["mem_0002"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("add", ""), "`content` is ``: the text is empty. Correct it; nothing was changed."),
        (("add", "x" * 1_000_000), "1,000,000 characters; the limit is 1,000. Correct it; nothing was changed."),
        (("add", "a\x07b"), "the text holds control characters. Correct it; nothing was changed."),
        (("add", "x", "--since", "2026-02-30"), "`--since` is `2026-02-30`: day is out of range for month."),
        (("add", "x", "--until", "2020-01-01"), "`--until` is `2020-01-01`, which is not after "),
        (("add", "x", "--at", ""), "the intention waits for nothing; give `--at` or `--event`. Correct it;"),
        (("add", "x", "--event", " "), "the intention waits for nothing; give `--at` or `--event`. Correct it;"),
        (("add", "x", "--at", "2026-12-03T09:00", "--until", "2026-12-02"),
         "`--until` is `2026-12-02`, before the intention is due at `2026-12-03T09:00`. Correct it;"),
        (("search", " "), "the question is ` `: nothing is asked. Write it in plain words."),
        (("list", "--as-of", "2026-02-30"),
         "`--as-of` is `2026-02-30`: day is out of range for month; a date is written 2026-03-02 or 2026-03-02T09:00."),
        (("show", "mem_9"), "there is no memory `mem_9`. Use an id that `pocket memory list` shows."),
        (("correct", "mem_9", "x"), "there is no memory `mem_9`. Use an id that `pocket memory list` shows."),
        (("forget", "mem_9", "--yes"), "there is no memory `mem_9`. Use an id that `pocket memory list` shows."),
        (("import", "/nowhere"), "`/nowhere` can't be read: No such file or directory. Name a file"),
        (("list", "--kind", "mood"), "'mood' is not one of"),
    ],
)  # fmt: skip
def test_what_can_not_be_is_one_line(pocket, args, message):
    code, out, err = pocket(*args)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_superseded_record_is_not_corrected_again(pocket, parked):
    code, _, err = pocket("correct", "mem_0001", "Parks outside")
    assert (code, err) == (2, "pocket: memory `mem_0001` no longer holds. Use `mem_0002`, which replaced it.\n")


def test_a_file_of_a_newer_version_is_refused_and_stays_as_it_is(pocket, parked, home):
    file = home / "home" / "data" / "memory.sqlite3"
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version=99")
    before = file.read_bytes()
    code, _, err = pocket("list")
    assert code == 2
    assert "99" in err and "Update pocketplanner" in err
    assert file.read_bytes() == before
