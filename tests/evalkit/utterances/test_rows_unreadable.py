"""Utterance files that can't be read end in one message that names file, line and field."""

from pathlib import Path

import pytest

from evalkit.utterances.rows import read_utterances
from runtime.contract import UserError


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe\x00", "can't be read"),
        (b'{"source": "s", "intent": "i"}\n', "line 1 is no utterance row: `text`: Field required"),
        (b"\n{\n", "line 2 is no JSON"),
        (b"[" * 100_000, "line 1 is no JSON"),
    ],
)
def test_one_message_for_each_fault(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "a.jsonl").write_bytes(content)
    with pytest.raises(UserError) as raised:
        read_utterances(tmp_path)
    assert said in str(raised.value)
    assert "a.jsonl" in str(raised.value)


def test_a_line_ends_where_json_lines_end(tmp_path: Path) -> None:
    """U+2028 breaks a line for Python, not for JSON lines."""
    row = '{"source": "s", "intent": "i", "text": "one\u2028two\u0085three"}'
    (tmp_path / "a.jsonl").write_text(f"{row}\r\n{row}\n", encoding="utf-8")
    assert [found.text for found in read_utterances(tmp_path)] == ["one\u2028two\u0085three"] * 2


def test_a_folder_with_the_name_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").mkdir()
    with pytest.raises(UserError, match="can't be read"):
        read_utterances(tmp_path)
