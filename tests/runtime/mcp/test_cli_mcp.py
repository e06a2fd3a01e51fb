"""`pocket mcp` by its commands: a real server is accepted, used in a run, changes, and is accepted again."""

import json
import shutil

import pytest

from runtime.cli.root import main


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("POCKET_MCP__CONNECT_SECONDS", "60")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def pocket(home, capsys):
    """Exit code, output and errors of a command."""

    def run(*words):
        code = main(list(words))
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def test_a_server_from_its_acceptance_to_its_removal(pocket, over_stdio, folder, tmp_path):
    program = over_stdio.command
    code, out, err = pocket("mcp", "add", "stranger", "--read", "weather", "--json", "--", *program)
    assert code == 0, err
    added = json.loads(out)
    assert [(tool["offered_as"], tool["effects"]) for tool in added["tools"]][:2] == [
        ("mcp__stranger__weather", ["read"]),
        ("mcp__stranger__hang", ["delete", "send", "write"]),
    ]
    assert pocket("mcp", "add", "stranger", "--", *program)[0] == 2
    assert "mcp__stranger__weather" in pocket("mcp", "list")[1]

    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"name": "mcp__stranger__weather", "arguments": {"city": "Oslo"}}]))
    code, out, _ = pocket("run", "weather stranger oslo", "--planner", f"scripted:{script}", "--set", "mcp.use=true",
                          "--json")  # fmt: skip
    (call,) = json.loads(out)["calls"]
    assert (code, call["result"]["structured"]) == (0, {"city": "Oslo", "degrees": 12})

    (folder / "changed").touch()
    code, out, _ = pocket("mcp", "check", "--json")
    (found,) = json.loads(out)
    assert (code, found["ok"], found["changed"]) == (1, False, {"weather": ["inputSchema"]})
    assert pocket("mcp", "accept", "stranger")[0] == 0
    assert pocket("mcp", "check")[:2] == (0, "stranger  as accepted\n")
    assert pocket("mcp", "remove", "stranger")[:2] == (0, "removed stranger\n")
    assert json.loads(pocket("mcp", "list", "--json")[1]) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("add", "Big-Name", "--", "x"), "`Big-Name` is no name for a server"),
        (("add", "x"), "a server is a program or an address"),
        (("add", "x", "--url", "http://example.org/mcp"), "is not encrypted"),
        (("add", "x", "--url", "https://me:word@example.org/mcp"), "the address holds a password"),
        (("add", "x", "--url", "file:///etc"), "is no address of a server"),
        (("add", "x", "--header", "Authorization", "--url", "https://x.test"), "names no variable"),
        (("add", "x", "--env", "A=B", "--", "x"), "`A=B` is no name of a variable"),
        (("add", "x", "--", "/no/such/program"), "can't be reached"),
        (("check", "none"), "there is no MCP server `none`; known: none yet"),
    ],
)
def test_wrong_use_is_one_line(pocket, words, said):
    code, out, err = pocket("mcp", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_damaged_book_names_file_and_field(pocket, tmp_path):
    book = tmp_path / "home" / "data" / "mcp.json"
    book.parent.mkdir(parents=True)
    book.write_text('{"version": 1, "servers": [{"name": "x", "digests": 3}]}')
    code, _, err = pocket("mcp", "list")
    assert (code, f"`{book}`: field `servers.0.digests`" in err) == (2, True)
    shutil.rmtree(book.parent)
