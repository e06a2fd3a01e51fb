"""What a command prints, and where that can't go."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("args", [["tools"], ["tools", "--json"]])
def test_a_full_disk_is_one_line(home, args):
    command = [sys.executable, "-m", "runtime.cli.root", *args]
    root = Path(__file__).parents[2]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=root)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("pocket: the output can't be written: No space left on device.")
