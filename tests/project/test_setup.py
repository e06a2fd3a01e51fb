"""`./try` and `./check` on machines that lack something, and where everything is in place: no network, no install."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = ("bash", "dirname", "sha256sum", "cut", "cat", "id", "tee", "grep")


@pytest.fixture
def checkout(tmp_path):
    """A checkout with the two commands alone, and a folder `bin` that is its whole PATH."""
    (tmp_path / "scripts").mkdir()
    for name in ("try", "check", "pyproject.toml", "constraints.txt", "scripts/environment.sh"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "bin").mkdir()
    for name in NEEDED:
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    return tmp_path


def python(checkout):
    """Give the machine this Python."""
    script(checkout / "bin" / "python3.11", f'exec {sys.executable} "$@"')


def script(path, body):
    """An executable file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{shutil.which('bash')}\n{body}\n", encoding="utf-8")
    path.chmod(0o755)


def call(checkout, command, *args):
    """Run it with `bin` as the PATH."""
    return subprocess.run(
        [checkout / command, *args],
        env={"PATH": str(checkout / "bin"), "HOME": os.environ.get("HOME", "/")},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("command", ["try", "check"])
def test_without_python_it_says_what_to_install(checkout, command):
    done = call(checkout, command)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("There is no Python 3.11 or newer")


@pytest.mark.parametrize("command", ["try", "check"])
def test_without_a_compiler_it_says_what_to_install(checkout, command):
    python(checkout)
    done = call(checkout, command)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("A C++ compiler is missing. Install it, then run ")
    assert done.stderr.endswith(": apt-get install -y build-essential python3-venv\n")


def stamp(checkout, name):
    """Say that this environment is in place, as the script itself does."""
    words = f'. scripts/environment.sh && digest "$(find_python)" >.venv/installed-{name}'
    environment = {"PATH": str(checkout / "bin")}
    subprocess.run(["bash", "-euc", words], cwd=checkout, env=environment, check=True)


def test_in_place_try_hands_its_arguments_to_pocket_run(checkout):
    python(checkout)
    script(checkout / ".venv/bin/pocket", 'printf "[%s]" "$@"; exit 7')
    stamp(checkout, "base")
    done = call(checkout, "try", "turn on the torch", "--json")
    assert (done.returncode, done.stdout, done.stderr) == (7, "[run][turn on the torch][--json]", "")
    done = call(checkout, "try")
    assert done.stdout == "[run][wake me at half past seven tomorrow and call it morning run]"


def test_another_constraint_sets_up_again(checkout):
    python(checkout)
    script(checkout / ".venv/bin/pocket", "exit 7")
    stamp(checkout, "base")
    with (checkout / "constraints.txt").open("a", encoding="utf-8") as file:
        file.write("colorama==0.4.6\n")
    done = call(checkout, "try")
    assert (done.returncode, done.stderr.startswith("A C++ compiler is missing.")) == (1, True)


def test_check_passes_lint_types_layers_and_tests_in_this_order(checkout):
    python(checkout)
    for name in ("ruff", "mypy", "lint-imports", "pytest"):
        script(checkout / ".venv/bin" / name, f'echo {name} "$@"')
    stamp(checkout, "check")
    done = call(checkout, "check", "tests/device")
    lines = ["ruff check .", "ruff format --check .", "mypy", "lint-imports", "pytest tests/device"]
    assert (done.returncode, done.stdout.split("\n")[:-1]) == (0, [line.strip() for line in lines])


@pytest.mark.parametrize("broken", ["ruff", "mypy", "lint-imports", "pytest"])
def test_check_fails_with_any_of_them(checkout, broken):
    python(checkout)
    for name in ("ruff", "mypy", "lint-imports", "pytest"):
        script(checkout / ".venv/bin" / name, f"exit {3 if name == broken else 0}")
    stamp(checkout, "check")
    assert call(checkout, "check").returncode == 3
