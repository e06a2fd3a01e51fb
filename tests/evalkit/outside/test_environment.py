import pytest
import typer
from typer.testing import CliRunner

from evalkit.cli import app
from evalkit.outside.cli import _finish, sample
from evalkit.outside.environment import Kind, requirements_of
from runtime.cli.root import main
from runtime.contract import CancelToken
from tests.evalkit.outside.conftest import environment


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize("command", ["bfcl", "agentdojo", "setup"])
def test_every_command_has_help_with_an_example(command):
    shown = CliRunner().invoke(app, ["outside", command, "--help"])
    assert shown.exit_code == 0
    assert f"Example: pocket eval outside {command}" in shown.stdout


def test_a_missing_environment_is_one_line_with_the_setup_command(tmp_path, capsys):
    assert main(["eval", "outside", "bfcl"]) == 2
    folder = tmp_path / "home" / "data" / "outside" / "bfcl"
    expected = f"pocket: No environment for bfcl at `{folder}`. Run `pocket eval outside setup bfcl`.\n"
    assert capsys.readouterr().err == expected


def test_a_folder_of_ones_own_stands_in_the_setup_command(tmp_path, capsys):
    assert main(["eval", "outside", "agentdojo", "--env", str(tmp_path / "mine")]) == 2
    assert f"Run `pocket eval outside setup agentdojo --env {tmp_path / 'mine'}`." in capsys.readouterr().err


def test_a_package_that_is_missing_there_is_named(tmp_path, capsys):
    import sys

    folder = environment(tmp_path / "bare", f'exec "{sys.executable}" -S "$@"')
    assert main(["eval", "outside", "bfcl", "--env", str(folder)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"pocket: `bfcl_eval` can't be imported in `{folder}`. Run `pocket eval outside setup bfcl")
    assert said.count("\n") == 1


def test_setup_installs_the_pins_without_their_dependencies(tmp_path, capsys):
    folder = environment(tmp_path / "e", f'echo "$@" > "{tmp_path}/said"')
    assert main(["eval", "outside", "setup", "bfcl", "--env", str(folder)]) == 0
    said = (tmp_path / "said").read_text()
    pins = requirements_of(Kind.BFCL)
    assert said == f"-m pip install --quiet --disable-pip-version-check --no-deps --requirement {pins}\n"
    assert capsys.readouterr().out == f"bfcl is ready in `{folder}`\n"


def test_a_failed_setup_is_one_line(tmp_path, capsys):
    folder = environment(tmp_path / "e", "echo first >&2; echo no such version >&2; exit 3")
    assert main(["eval", "outside", "setup", "agentdojo", "--env", str(folder)]) == 2
    assert capsys.readouterr().err.endswith("`python -m pip install` failed: no such version\n")


@pytest.mark.parametrize(("kind", "package"), [(Kind.BFCL, "bfcl-eval"), (Kind.AGENTDOJO, "agentdojo")])
def test_every_requirement_is_pinned(kind, package):
    lines = [line for line in requirements_of(kind).read_text().splitlines() if not line.startswith("#")]
    assert lines[0].startswith(f"{package}==")
    assert all(line.count("==") == 1 for line in lines)


def test_a_sample_reaches_over_all_categories():
    assert sample(tuple(range(8)), 4) == [0, 2, 4, 6]
    assert sample(tuple(range(3)), 5) == [0, 1, 2]


def test_an_interrupt_is_130(capsys):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(typer.Exit) as ended:
        _finish({"n": 1}, cancel, json=True)
    assert ended.value.exit_code == 130
    assert capsys.readouterr().out == '{\n  "n": 1\n}\n'
