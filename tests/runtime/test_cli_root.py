"""`pocket` itself: help without importing rooms, one line for wrong use, exit codes."""

import json
import sqlite3
import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from runtime.cli import root
from runtime.contract import ErrorCode, ToolFailure

HEAVY = ("numpy", "pydantic", "runtime.contract", "device", "memory", "evalkit", "trainer", "torch", "onnxruntime")


def pocket(*args, **more):
    """The real command in a process of its own."""
    command = [sys.executable, "-m", "runtime.cli.root", *args]
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, **more)


def test_help_imports_no_room():
    code = (
        "import sys; from runtime.cli.root import main; code = main(['--help']);"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "[]\n")
    for command in ("run", "trace", "tools", "doctor"):
        assert f" {command} " in done.stdout


@pytest.mark.parametrize("point", root.Commands(name="x").points().values(), ids=lambda point: point.name)
def test_every_command_has_help_and_an_example(point, capsys):
    assert len(root.first_line(point)) > 10
    assert root.main([point.name, "--help"]) == 0
    shown = capsys.readouterr().out
    command = root.load(point)
    subcommands = getattr(command, "commands", {})
    if not subcommands:
        assert "Example" in shown
    for name in subcommands:
        assert root.main([point.name, name, "--help"]) == 0
        assert "Example" in capsys.readouterr().out, name


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("runn",), "pocket: No such command 'runn'. Did you mean 'run'? See `pocket --help`.\n"),
        (("run",), "pocket: Invalid value: say what the phone should do, or which run goes on (`--resume ID`)."),
        (("run", "x", "--sed", "1"), "pocket: No such option: --sed"),
        (
            ("watch", "--every", "0"),
            "pocket: Invalid value for '--every': Input should be greater than or equal to 1. See ",
        ),
        (("trace", "list", "--limit", "0"), "pocket: Invalid value for '--limit'"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(args, message):
    done = pocket(*args)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(message)


def test_no_command_shows_the_help(capsys):
    assert root.main([]) == 2
    captured = capsys.readouterr()
    assert "Commands" in captured.out + captured.err


def test_a_missing_extra_says_how_to_install_it(monkeypatch, capsys):
    def load(point):
        raise ModuleNotFoundError("No module named 'trl'", name="trl.trainer")

    monkeypatch.setattr(root, "load", load)
    assert root.main(["run", "x"]) == 2
    remedy = "It comes with the extra `trainer`: in the clone, pip install -e '.[trainer]'."
    assert capsys.readouterr().err == f"pocket: `trl` is not installed. {remedy}\n"


def test_words_that_are_no_utf8(capsys):
    assert root.main(["run", "\udcff torch"]) == 2
    assert capsys.readouterr().err.startswith("pocket: '\\udcff torch' is not UTF-8.")


def test_a_data_file_of_another_program(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    (tmp_path / "data").mkdir()
    with sqlite3.connect(tmp_path / "data" / "traces.sqlite3") as other:
        other.execute("CREATE TABLE episodes (name TEXT)")
    assert root.main(["trace", "list"]) == 2
    assert "is a database of another program" in capsys.readouterr().err


def test_a_missing_module_of_no_extra():
    error = ModuleNotFoundError("No module named 'zzz'", name="zzz")
    assert root.missing_module(error).startswith("`zzz` is not installed. Repair the installation")


def test_a_command_whose_room_is_not_there_has_a_line_of_its_own():
    point = EntryPoint("gone", "nowhere.at.all:app", root.GROUP)
    assert root.first_line(point) == "Not installed: `nowhere.at.all:app`."


def test_an_interrupt_is_130(monkeypatch, capsys):
    def load(point):
        raise KeyboardInterrupt

    monkeypatch.setattr(root, "load", load)
    assert root.main(["run", "x"]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_a_defect_keeps_its_traceback(monkeypatch):
    def load(point):
        raise ZeroDivisionError

    monkeypatch.setattr(root, "load", load)
    with pytest.raises(ZeroDivisionError):
        root.main(["run", "x"])


def test_doctor_as_data(home, capsys):
    assert root.main(["doctor", "--json"]) in (0, 1)
    report = json.loads(capsys.readouterr().out)
    names = [one["name"] for one in report["findings"]]
    assert {"python", "llama-cpp-python", "compiler", "sqlite", "embedder", "sandbox", "memory", "adb"} <= set(names)
    assert all(one["right"] or one["fix"] for one in report["findings"])
    assert report["right"] == all(one["right"] for one in report["findings"] if one["required"])


def test_a_phones_failure_outside_a_call_is_one_line(monkeypatch, capsys):
    def load(point):
        raise ToolFailure(ErrorCode.OFFLINE, "the connection to `A1` broke")

    monkeypatch.setattr(root, "load", load)
    assert root.main(["run", "x"]) == 1
    assert capsys.readouterr().err == "pocket: the connection to `A1` broke.\n"
