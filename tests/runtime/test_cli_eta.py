"""`pocket eta` and `pocket context` through the command line."""

import json

import pytest

from runtime.cli import root
from runtime.config import load_settings
from runtime.wiring import shaping

REVISED = 'name = "general"\nversion = 2\n[components]\nrole = "You act on a phone."\nend = "Finish."\n'


@pytest.fixture
def pocket(home, capsys):
    """Run the command line; exit code and standard output, as JSON where `--json` is given."""

    def run(*args):
        code = root.main(list(args))
        out = capsys.readouterr().out
        return code, json.loads(out) if "--json" in args and code == 0 else out

    return run


def test_show_lists_and_shows(pocket):
    code, listed = pocket("eta", "show", "--json")
    assert code == 0 and [one["name"] for one in listed][:2] == ["explicit", "general"] and len(listed) == 15
    _, one = pocket("eta", "show", "general", "--json")
    assert (one["version"], one["serves"], one["versions"], one["log"]) == (1, 1, [1], [])
    assert one["components"]["missing"] == "If something needed is missing, ask."
    assert f"187 of 600 characters, in {one['file']}\n" in pocket("eta", "show", "general")[1]
    said = "that is version 1 of general twice; `pocket eta revise general FILE` keeps another\n"
    assert pocket("eta", "diff", "general") == (0, said)


def test_revise_diff_and_rollback(pocket, home):
    (home / "mine.toml").write_text(REVISED)
    assert pocket("eta", "revise", "general", "mine.toml", "--why", "shorter")[0] == 0
    _, told = pocket("eta", "diff", "general", "--json")
    assert (told["from"], told["to"]) == (1, 2)
    assert "+end: Finish." in told["diff"] and "-end: When all is done, finish with a short answer." in told["diff"]
    assert " role: You act on a phone." in told["diff"]
    text = pocket("context", "lamp on", "--planner", "keyword", "--json")[1]["text"]
    assert text.startswith("<|im_start|>system\nYou act on a phone. Finish.\n<tools>")
    assert pocket("eta", "rollback", "general")[0] == 0
    assert pocket("eta", "show", "general", "--json")[1]["serves"] == 1
    code, _ = pocket("eta", "rollback", "general", "--to", "9")
    assert code == 2


def test_the_context_of_a_request_with_tokens_by_part(pocket):
    args = ("context", "wake me at seven", "--planner", "keyword", "--clock", "2026-03-02T09:00", "--json")
    code, shown = pocket(*args)
    assert code == 0 and "manage_alarm(" in shown["text"] and shown["text"].endswith("<|im_start|>assistant\n")
    assert list(shown["sections"]) == ["eta", "tools", "marks", "request"]
    assert sum(shown["sections"].values()) == shown["tokens"]
    assert len(shown["exposed"]) == 15 and shown["cuts"] == [] and shown["evidence"] == []
    more = ("--turn", "hello", "--turn", "Hi.", "--set", "context.now=true", "--set", "context.domains=true")
    _, wider = pocket(*args, *more)
    assert list(wider["sections"]) == ["eta", "domains", "tools", "now", "marks", "turns", "request"]
    assert sum(wider["sections"].values()) == wider["tokens"]
    assert [message["role"] for message in wider["messages"]] == ["system", "user", "assistant", "user"]
    assert "Give times and dates as the user said them." in wider["messages"][0]["content"]
    assert "Give times and dates" in wider["text"]


def test_a_part_keeps_to_its_tokens_and_says_what_was_left_out(pocket):
    args = ("context", "wake me at seven", "--planner", "keyword", "--set", "sections.tools=100", "--json")
    _, shown = pocket(*args)
    assert shown["sections"]["tools"] <= 100
    (cut,) = shown["cuts"]
    assert (cut["what"], cut["limit"]) == ("tools", "sections.tools = 100")
    assert cut["left_out"] == 15 - len(shown["exposed"])
    assert shown["recalled"][0] == "manage_alarm"  # the best stay


def test_a_table_for_people(pocket):
    code, out = pocket("context", "wake me at seven", "--planner", "keyword")
    assert code == 0 and "<tools>" in out and "general instructions" in out and "free for steps" in out


def test_a_request_that_is_none(pocket):
    assert pocket("context", "  ")[0] == 2


def test_what_is_off_shapes_no_digest(home):
    assert shaping(load_settings()) == shaping(load_settings({}, ["memory.profile=3"]))
    shaped = shaping(load_settings())
    assert "sections" not in shaped and "domains" not in shaped["context"]
    assert shaping(load_settings({}, ["sections.turns=50"]))["sections"]["turns"] == 50
    assert shaping(load_settings({}, ["context.domains=true"]))["context"]["domains"] is True
