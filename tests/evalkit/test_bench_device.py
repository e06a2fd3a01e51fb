"""The bench of the way to a phone at a tiny size: the shape of its report, and that it can find something wrong."""

import json

import pytest

from device.android import shell as bridge_shell
from device.android.connection.server import adb_path
from device.android.restore.undo import borrow_forward, borrow_setting
from device.android.screen import fold, read_dump
from device.android.tools import offers
from evalkit.bench.device import drops, kills, speed, texts
from evalkit.bench.device.figures import DEVICE, DEVICE_FAULTS
from evalkit.bench.device.hostile import PIECES, hostile
from evalkit.bench.device.journal import Journal
from evalkit.bench.device.mutant import Changing, changed, mutants
from evalkit.bench.device.mutants import DEVICE_MUTANTS
from evalkit.bench.device.mutants import summary as noticed
from evalkit.bench.device.paths import PATHS, lookups
from evalkit.bench.device.screen import dump
from evalkit.bench.device.stand import stand
from evalkit.bench.frame import Order
from runtime.cli.root import main
from runtime.config import Settings
from runtime.contract import Deadline, Observation, SetupError, TextPart, UserError

SOON = 120.0


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))


@pytest.fixture
def adb():
    try:
        adb_path()
    except SetupError as error:
        pytest.skip(str(error))


def order(limit):
    return Order(Settings(), runs=1, limit=limit)


def test_the_figures_of_the_issue_have_their_limits():
    limits = {figure.key: (figure.kind, figure.limit) for bench in (DEVICE, DEVICE_FAULTS, DEVICE_MUTANTS)
              for figure in bench.figures if figure.limit is not None}  # fmt: skip
    assert limits == {
        "shell_ms_p50": ("at_most", 1.0),
        "shell_speedup": ("at_least", 10.0),
        "dump_fold_ms_p50": ("at_most", 5.0),
        "dump_speedup": ("at_least", 10.0),
        "mutants": ("at_least", 20),
        **dict.fromkeys(
            ("hangs", "repeats", "unreported", "extra_commands", "text_mismatches", "not_restored",
             "mutants_survived", "failed_unchanged"), ("at_most", 0),
        ),
    }  # fmt: skip


def test_one_of_faults_and_mutants(capsys):
    assert main(["bench", "device", "--faults", "--mutants"]) == 2
    assert "one of `--faults` and `--mutants`" in capsys.readouterr().err


def test_the_screen_has_27_kb_and_each_card_is_one_element():
    text = dump()
    assert 26_500 < len(text.encode()) < 27_700
    lines = [one.line() for one in fold(read_dump(text.encode())).elements]
    assert lines[4] == "5 button 06:00, 07:03, R1, to Harbour, €4.50"
    assert len(lines) == 16


def test_both_sides_are_measured_on_the_same_phone(adb):
    report = speed.shell(order(1)) | speed.dump(order(1))
    assert (report["shell_calls"], report["adbutils_shell_calls"], report["dumps"]) == (5, 1, 5)
    assert 26_500 < report["dump_bytes"] < 28_000
    assert min(value for value in report.values()) > 0


def test_a_line_that_breaks_in_a_session_is_reported_as_it_is(adb):
    report = drops.drops(order(2))
    assert (report["drops"], report["steps"], report["drop_problems"]) == (2, 18, [])
    assert (report["hangs"], report["repeats"], report["unreported"]) == (0, 0, 0)


def test_what_is_reported_wrongly_or_done_twice_is_counted():
    step = {"step": "x", "reports": ["done"], "count": 1, "seconds": 0.1, "hung": False, "said": []}
    assert drops.fits(step)
    assert drops.fits(step | {"reports": ["not done", "unknown"], "count": 0})
    assert not drops.fits(step | {"count": 0})
    assert not drops.fits(step | {"reports": ["not done"]})
    assert not drops.fits(step | {"reports": [""]})
    twice = {"steps": [step | {"count": 2, "hung": True}], "hung": False, "dropped": True, "bytes": 9}
    report = drops.summary([twice])
    assert (report["repeats"], report["hangs"], report["unreported"], report["drops"]) == (1, 1, 1, 1)


def test_hostile_texts_run_nothing_and_stand_as_they_are(adb):
    report = texts.texts(order(2))
    assert (report["texts"], report["text_calls"], report["text_problems"]) == (2, 2 * (len(PATHS) + texts.LOOKUPS), [])
    assert (report["extra_commands"], report["text_mismatches"]) == (0, 0)
    assert report["commands"] > 2 * len(PATHS)


def test_a_word_that_is_not_quoted_is_found_out(adb, monkeypatch):
    monkeypatch.setattr(bridge_shell, "_quoted", lambda word: word or "''")
    number = PIECES.index("| cat")
    name = next(path for path in PATHS if path.name == "set_device_name.name")
    with stand() as place:
        phone = place.phone()
        seen = texts.sent(phone, texts.overheard(phone), place.control, name, number)
    assert seen["extra"] > 0


def test_texts_are_distinct_and_begin_with_each_piece_alone():
    made = [hostile(number) for number in range(1000)]
    assert len(set(made)) == 1000
    assert all(text == text.strip() for text in made)
    assert made[0] in ("$(reboot)n0", "$(reboot) n0", "$(reboot)\nn0", "$(reboot)  n0",
                       "n0$(reboot)", "n0 $(reboot)", "n0\n$(reboot)", "n0  $(reboot)")  # fmt: skip
    assert sum("\0" in text or any("\ud800" <= char <= "\udfff" for char in text) for text in made) >= 15


def test_every_free_text_of_a_tool_has_a_path():
    named = {path.name for path in (*PATHS, *lookups())}
    free = {
        f"{offer.spec.name}.{argument}"
        for offer in offers().values()
        for argument, schema in offer.spec.parameters["properties"].items()
        if schema.get("x-spoken") in ("text", "contact")
    }
    assert len(free) > 50
    assert named == free | {"typing in a field"}


def test_a_text_that_is_refused_but_left_behind_is_a_mismatch():
    path = next(path for path in PATHS if path.name == "send_message.content")
    refused = Observation(call_id="c", parts=(TextPart(text="no"),), failure={"code": "bad_argument", "message": "no"})
    assert texts.misread(path, "x", refused, []) == ""
    assert texts.misread(path, "x", refused, ["x"]) == "'x' is left of it"
    assert texts.strange([["ls", "a b"]], [["ls", "a", "b"]]) == [["ls", "a", "b"], ["ls", "a b"]]
    assert texts.strange([["ls"]], [["ls"]]) == []


def test_a_killed_process_leaves_nothing_borrowed(adb):
    report = kills.kills(order(2))
    assert (report["not_restored"], report["kill_problems"]) == (0, [])
    assert report["kills"] >= 2


def test_what_is_still_borrowed_is_seen_from_outside(adb):
    with stand() as place:
        kills.prepared(place)
        before = kills.borrowed_state(place)
        phone = place.phone()
        phone.ledger.owner = "1:0"
        borrow_setting(phone.ledger, phone.shell, "system", "user_rotation", "3", Deadline(SOON))
        borrow_forward(phone.ledger, phone.server, phone.serial, "tcp:31998", "tcp:9008", Deadline(SOON))
        held = kills.borrowed_state(place)
        assert {name for name in before if before[name] != held[name]} == {"system/user_rotation", "forwards"}
        assert len(place.phone().recovered) == 2
        assert kills.borrowed_state(place) == before


def test_a_journal_goes_on_where_it_stopped(tmp_path):
    journal = Journal("x", 3, tmp_path)
    assert journal.fact("bytes", lambda: {"passed": 7}) == {"passed": 7}
    journal.add(1, {"a": 1})
    with journal.path.open("a", encoding="utf-8") as file:
        file.write('{"key": "2", "outc')
    with pytest.raises(UserError, match="is in use"):
        Journal("x", 3, tmp_path)
    assert journal.outcomes() == [{"a": 1}]
    again = Journal("x", 3, tmp_path)
    assert (again.left(), again.fact("bytes", lambda: {"passed": 8})) == ([0, 2], {"passed": 7})
    for number in again.left():
        again.add(number, {"a": 0})
    assert again.outcomes() == [{"a": 0}, {"a": 1}, {"a": 0}]
    assert Journal("x", 3, tmp_path).left() == [0, 1, 2]


def test_a_journal_of_another_size_or_other_code_is_not_continued(tmp_path):
    journal = Journal("x", 2, tmp_path)
    journal.add(0, {"a": 1})
    journal.outcomes()
    other = Journal("x", 3, tmp_path)
    assert other.left() == [0, 1, 2]
    other.outcomes()
    head = json.loads(other.path.read_text(encoding="utf-8").splitlines()[0])
    other.path.write_text(json.dumps(head | {"code": "other"}) + "\n" + '{"key": "0", "outcome": {}}\n', "utf-8")
    assert Journal("x", 3, tmp_path).left() == [0, 1, 2]


def test_each_change_of_the_bridge_is_one_line_that_still_compiles():
    found = mutants()
    assert len(found) >= 20
    assert len({one["name"] for one in found}) == len(found)
    for mutant in found:
        compile(changed(mutant), mutant["file"], "exec")


def test_a_changed_module_is_found_and_no_other():
    finder = Changing(next(one for one in mutants() if one["file"] == "state/playing.py"))
    assert finder.find_spec("device.android.state.apps", None) is None
    spec = finder.find_spec("device.android.state.playing", None)
    assert spec.loader.get_code("device.android.state.playing").co_filename.endswith("playing.py")


def test_a_task_that_fails_unchanged_notices_nothing():
    whole = {"failed": ["t1"], "tasks": 9}
    outcomes = [
        {"mutant": "a", "failed": ["t1", "t2"], "tasks": 2, "whole": whole},
        {"mutant": "b", "failed": ["t1"], "tasks": 9, "whole": whole},
    ]
    report = noticed(outcomes)
    assert (report["mutants_survived"], report["failed_unchanged"]) == (1, 1)
    assert report["noticed_by"] == {"a": "t2", "b": ""}
