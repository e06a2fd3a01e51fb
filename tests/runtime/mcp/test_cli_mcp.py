"""`pocket mcp` by its commands: a real server is accepted, used in a run, changes, and is accepted again."""

import json
import shutil

import pytest

from runtime.cli.root import main
from runtime.config import mcp_file
from runtime.mcp.book import ServerBook
from runtime.mcp.records import Server, pin


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


def _book(*tools):
    """A server of which these tools were accepted; it is never started."""
    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    pinned = tuple(pin(name, {"description": f"To {name}.", "inputSchema": schema}) for name in tools)
    ServerBook(mcp_file()).put(Server(name="files", command=("/no/such/program",), tools=pinned))


def test_without_servers_it_says_how_to_add_one(pocket):
    for word in ("list", "check"):
        assert pocket("mcp", word) == (0, "no servers yet: pocket mcp add NAME -- COMMAND\n", "")


def test_a_tool_that_only_reads_is_said_to_afterwards_and_no_server_is_started(pocket):
    _book("listNotes", "look", "write")
    code, out, _ = pocket("mcp", "accept", "files", "--read", "mcp__files__listnotes", "--read", "look", "--json")
    assert (code, json.loads(out)["reads"]) == (0, ["listNotes", "look"])
    effects = [tool["effects"] for tool in json.loads(pocket("mcp", "list", "--json")[1])[0]["tools"]]
    assert effects == [["read"], ["read"], ["delete", "send", "write"]]
    code, _, err = pocket("mcp", "accept", "files", "--read", "wrote")
    assert (code, err) == (2, "pocket: the server has no tool `wrote`; did you mean `write`?\n")


def test_an_agreement_to_a_tool_ends_with_what_was_agreed_to(pocket):
    _book("write")
    allow = ("approvals", "add", "allow", "--tool", "mcp__files__write", "--effect", "delete")
    assert (pocket(*allow)[0], pocket(*allow)[2]) == (0, "")
    assert "over" not in pocket("approvals", "list")[1]
    assert pocket("mcp", "accept", "files", "--read", "write")[0] == 0
    listed = pocket("approvals", "list")[1]
    assert listed.count("allow, over") == 2
    said = "over: `mcp__files__write` is gone or another than it was when you agreed; remove the rule and add it anew\n"
    assert listed.count(said) == 1


def test_a_tool_that_is_off_says_how_it_is_shown(pocket):
    _book("write")
    said = "pocket: `mcp__files__write` belongs to an MCP server, whose tools are off. Add `--set mcp.use=true`.\n"
    assert pocket("tools", "mcp__files__write") == (2, "", said)
    assert pocket("tools", "mcp__files__write", "--set", "mcp.use=true")[0] == 0
