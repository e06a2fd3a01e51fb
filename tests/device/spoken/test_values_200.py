"""The table of 200 values worked out by hand, and the command that measures on it."""

import json
from pathlib import Path

import pytest

from device.spoken.libraries import UNREAD
from device.spoken.measure import Row, agrees, load, main, ours, score

NOW, ROWS = load()


def test_the_table_has_200_different_values():
    assert len(ROWS) == 200
    assert len({row.said.casefold() for row in ROWS}) == 200
    assert NOW.isoformat() == "2026-03-02T09:00:00"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.said)
def test_value(row):
    assert ours(row.said, NOW, row.want) == row.expected


def test_command_fails_below_95_percent(tmp_path: Path, capsys):
    table = tmp_path / "table.toml"
    table.write_text('clock = "2026-03-02T09:00"\n[values.any]\n"seven am" = "07:00"\n"eight am" = "09:00"\n')
    assert main([str(table), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["ours"]["right_rate"] == 0.5


def test_command_passes_on_the_packaged_table(capsys):
    assert main([]) == 0
    assert "| ours | " in capsys.readouterr().out


def test_command_names_a_missing_table(capsys):
    assert main(["no/such.toml"]) == 2
    assert "`no/such.toml`" in capsys.readouterr().err


def test_a_guess_counts_as_wrong_and_silence_as_unread():
    rows = [Row("any", "clear", UNREAD), Row("any", "seven am", "07:00"), Row("any", "noon", "12:00")]
    answers = {"clear": "2026-03-02T09:00:00", "seven am": UNREAD, "noon": "2026-03-02T12:00:00"}
    found = score(lambda said, now, want: answers[said], rows, NOW, agrees)
    assert (found.right, found.wrong, found.unread) == (1, 1, 1)


def test_libraries_are_judged_by_the_parts_that_were_said():
    assert agrees("2026-03-04T00:00:00", "2026-03-04")
    assert agrees("2026-03-02T09:00:12", "2026-03-02T09:01")
    assert agrees("2026-03-02T15:00:00/2026-03-02T16:00:00", "15:00/16:00")
    assert not agrees("2026-03-04T00:00:00", "2026-03-05")
    assert not agrees("2026-03-02T09:00:00", "unreadable")
