"""Raw data of a task: there while it runs, gone when it ends."""

import stat
import subprocess
import sys
import textwrap

import pytest

from memory.scratch import Scratch, clear_abandoned
from runtime.contract import UserError


def files(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file() and path.name != ".owner")


def test_without_a_folder_it_is_in_memory_and_cleared():
    with Scratch(None, "t1") as scratch:
        scratch.put("turns", b"raw")
        assert (scratch.get("turns"), scratch.names()) == (b"raw", ["turns"])
    assert (scratch.get("turns"), scratch.names()) == (None, [])


def test_files_are_the_owners_alone_and_go_when_the_task_ends(tmp_path):
    with Scratch(tmp_path / "scratch", "t1") as scratch:
        scratch.put("turns", b"raw words")
        path = scratch.folder / "turns"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(scratch.folder.stat().st_mode) == 0o700
    assert files(tmp_path) == []


def test_a_task_that_fails_is_cleared_too(tmp_path):
    with pytest.raises(RuntimeError), Scratch(tmp_path, "t1") as scratch:
        scratch.put("turns", b"raw")
        raise RuntimeError("the task failed")
    assert files(tmp_path) == []


def test_a_task_that_was_killed_is_cleared_by_the_next(tmp_path):
    script = textwrap.dedent("""
        import os, sys
        from pathlib import Path
        from memory.scratch import Scratch
        scratch = Scratch(Path(sys.argv[1]), "dead")
        scratch.put("turns", b"raw")
        os._exit(9)
    """)
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)
    assert files(tmp_path) == ["turns"]
    with Scratch(tmp_path, "next") as running:
        running.put("mine", b"x")
        assert files(tmp_path) == ["mine"]
        assert clear_abandoned(tmp_path) == []
        assert files(tmp_path) == ["mine"]


def test_two_tasks_of_one_name_are_refused(tmp_path):
    with Scratch(tmp_path, "t1"), pytest.raises(UserError, match="the task `t1` is running in another process"):
        Scratch(tmp_path, "t1")


@pytest.mark.parametrize("name", ["", ".owner", "../x", "a/b", "x" * 81])
def test_a_name_that_is_no_file_name_is_refused(tmp_path, name):
    with Scratch(tmp_path, "t1") as scratch, pytest.raises(UserError, match="can't name scratch data"):
        scratch.put(name, b"x")
