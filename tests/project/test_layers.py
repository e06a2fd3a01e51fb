"""The layers of `pyproject.toml` hold: each rule is broken once, in a copy, and import-linter must see it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("runtime", "device", "memory", "skills", "evalkit", "trainer")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The rooms' code and the rules, in a folder of their own."""
    folder = tmp_path_factory.mktemp("rooms")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return folder


def lint(folder):
    """Exit code and output of import-linter there."""
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as lint; lint()"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [*command, "--no-cache"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_the_rooms_keep_every_rule(copy):
    code, output = lint(copy)
    assert (code, "0 broken" in output) == (0, True), output


@pytest.mark.parametrize(
    ("module", "statement", "rule"),
    [
        ("runtime/contract/extra", "import runtime.harness", "The contract imports nothing of ours"),
        ("device/extra", "import runtime.recall", "Siblings know the contract alone, and not each other"),
        ("device/android/extra", "import device.handset", "The software phone is reached over adb alone"),
        ("device/handset/extra", "import device.android", "The software phone knows nothing of the bridge"),
        ("memory/extra", "import device.sandbox", "Siblings know the contract alone, and not each other"),
        ("runtime/extra", "import memory.embedder", "Runtime imports nothing that stands above"),
        ("runtime/extra", "import evalkit.verify", "Runtime imports nothing that stands above"),
        ("runtime/extra", "import runtime.wiring", "Only what starts a run imports the wiring"),
        ("evalkit/extra", "import trainer.data", "Rooms stand in layers"),
        ("evalkit/extra", "def late():\n    import torch", "The deep-learning stack stays in the trainer"),
        ("memory/extra", "import memory.embedder.export", "Nothing loads the embedder's export"),
    ],
)
def test_an_import_against_the_layers_is_seen(copy, module, statement, rule):
    path = copy / f"{module}.py"
    path.write_text(f'"""One import too many."""\n\n{statement}\n', encoding="utf-8")
    code, output = lint(copy)
    path.unlink()
    broken = [line for line in output.splitlines() if " BROKEN" in line]
    assert code == 1
    assert any(line.startswith(rule) for line in broken), output
