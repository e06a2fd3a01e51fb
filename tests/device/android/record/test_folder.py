"""A recording's folder is whole at every moment: before the first screen, and where the disk is full."""

import pytest

from device.android.record import Folder, Redaction, Shot
from device.android.screen import fold, read_dump
from device.handset.recording import Recording
from runtime.contract import Episode

NODE = '<node class="android.widget.Button" package="a" text="Go" bounds="[0,0][9,9]"/>'
TREE = f'<hierarchy rotation="0">{NODE}</hierarchy>'
SHOT = Shot(TREE, fold(read_dump(TREE.encode())))


def test_a_recording_that_is_killed_at_once_can_be_shown(tmp_path):
    Folder(tmp_path / "r", "say hello", Redaction(), "person")
    episode = Episode.model_validate_json((tmp_path / "r" / "episode.json").read_bytes())
    assert (episode.view.request, episode.stop_detail) == ("say hello", "the recording goes on")


def test_what_can_not_be_written_leaves_what_was_there(tmp_path):
    folder = Folder(tmp_path / "r", "", Redaction(), "person")
    folder.screen(SHOT)
    (folder.path / "steps.jsonl.part").mkdir()
    with pytest.raises(OSError, match="directory"):
        folder.screen(SHOT)
    assert folder.kept == len(Recording(folder.path).steps) == 1
    (folder.path / "changes.json.part").mkdir()
    with pytest.raises(OSError, match="directory"):
        folder.close([])
    assert not (folder.path / "changes.json").exists()
