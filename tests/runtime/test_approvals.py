"""Rules over effects, tools and arguments; for how long an answer holds; what no general agreement covers."""

import io
import json
import multiprocessing

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from runtime.cli import approvals
from runtime.cli.root import _translated
from runtime.contract import Approver, Deadline, Effect, SetupError, UserError
from runtime.guard import (
    AgreeBeforehand,
    AllowAll,
    DenyAll,
    EffectGuard,
    InteractiveApprover,
    Policy,
    Rule,
    RuleBook,
    Verdict,
)

NEVER = Deadline.never()
DELETE = frozenset({Effect.DELETE})


class Asked(Approver):
    """Counts the questions and says yes."""

    def __init__(self, agrees=True):
        self.questions, self.agrees = [], agrees

    def approve(self, question, deadline):
        self.questions.append(question)
        return self.agrees


class Terminal(io.StringIO):
    """Typed lines."""

    def isatty(self):
        return True


def guard_of(*rules, approver=None):
    policy = Policy()
    for rule in rules:
        policy.book.add(rule)
    return EffectGuard(approver or Asked(), policy=policy)


def outcome(guard, call, spec):
    """What became of a call: ran, asked (and agreed) or refused."""
    asked = len(guard.approver.questions)
    refusal = guard.check(call, spec, NEVER)
    return "refused" if refusal else "asked" if len(guard.approver.questions) > asked else "ran"


def rule(verdict, tool="*", effects=(), **arguments):
    return Rule(verdict=verdict, tool=tool, effects=frozenset(effects), arguments=arguments)


@pytest.mark.parametrize(
    ("rules", "became"),
    [
        ([], "asked"),
        ([rule("allow", "delete_note", DELETE)], "ran"),
        ([rule("allow", "delete_note", DELETE, title="milk*")], "ran"),
        ([rule("allow", "delete_note", DELETE, title="tax*")], "asked"),
        ([rule("deny", effects=DELETE)], "refused"),
        ([rule("deny", "delete_*", title="MILK  list")], "refused"),
        ([rule("allow", "delete_note", DELETE), rule("deny", "delete_*")], "refused"),  # a deny counts wherever
        ([rule("ask"), rule("allow", "delete_note", DELETE)], "ran"),  # the closer one
        ([rule("allow", "delete_note", DELETE), rule("ask", "delete_note", DELETE, title="milk*")], "asked"),
        ([rule("allow", "delete_note", DELETE), rule("ask", "delete_note", DELETE)], "asked"),  # equally close
        # an allow covers a grave effect only where it names the tool and the effect
        ([rule("allow")], "asked"),
        ([rule("allow", "delete_note")], "asked"),
        ([rule("allow", "delete_*", DELETE)], "asked"),
        ([rule("allow", "delete_note", {Effect.WRITE})], "asked"),
    ],
)
def test_which_rule_counts(phone, tool_call, rules, became):
    assert outcome(guard_of(*rules), tool_call("delete_note", title="milk list"), phone.specs[1]) == became


def test_a_rule_may_ask_about_or_forbid_what_is_not_asked_about_by_itself(phone, tool_call):
    lamp, call = phone.specs[0], tool_call("control_lamp", action="on", room="bedroom")
    assert outcome(guard_of(), call, lamp) == "ran"
    assert outcome(guard_of(rule("ask", "control_lamp", room="bed*")), call, lamp) == "asked"
    assert outcome(guard_of(rule("deny", effects={Effect.WRITE})), call, lamp) == "refused"
    query = tool_call("control_lamp", action="query", room="bedroom")
    assert outcome(guard_of(rule("deny", effects={Effect.WRITE})), query, lamp) == "ran"


def test_the_refusal_names_the_rule_and_the_next_step(phone, tool_call):
    guard = guard_of(rule("deny", "delete_note"))
    refusal = guard.check(tool_call("delete_note", title="milk"), phone.specs[1], NEVER)
    assert refusal == (
        f"a rule of the user (`{guard.policy.book.rules()[0].id}`) forbids this: `delete_note` would delete "
        "(title = 'milk'). Do not repeat it; finish or ask what to do instead."
    )


def typed(monkeypatch, *lines):
    monkeypatch.setattr("sys.stdin", Terminal("".join(line + "\n" for line in lines)))


def test_complaint_approval_fatigue_an_answer_holds_as_long_as_was_said(phone, tool_call, monkeypatch, tmp_path):
    """Once is once; `t` lasts for the request and not longer; `a` outlives the process, for that call alone."""
    shown = io.StringIO()
    policy = Policy(RuleBook(tmp_path / "approvals.jsonl"))
    guard = EffectGuard(InteractiveApprover(Console(file=shown, width=200), policy), policy=policy)
    milk, tea, spec = tool_call("delete_note", title="milk"), tool_call("delete_note", title="tea"), phone.specs[1]

    def agreed(call, *lines, of=guard):
        typed(monkeypatch, *lines)
        return of.check(call, spec, NEVER) is None

    assert agreed(milk, "y") and not agreed(milk)
    assert agreed(milk, "t") and agreed(tea) and agreed(milk)
    policy.new_request()
    assert not agreed(tea)
    assert agreed(milk, "a") and agreed(milk) and not agreed(tea)
    later = Policy(RuleBook(tmp_path / "approvals.jsonl"))  # another process
    guard = EffectGuard(InteractiveApprover(Console(file=shown), later), policy=later)
    assert agreed(milk, of=guard) and not agreed(tea, of=guard)
    assert "every `delete_note`, until this request is done" in shown.getvalue()


def test_what_pays_is_agreed_to_call_by_call(phone, tool_call, monkeypatch):
    policy, shown = Policy(), io.StringIO()
    guard = EffectGuard(InteractiveApprover(Console(file=shown, width=200), policy), policy=policy)
    typed(monkeypatch, "t")
    assert guard.check(tool_call("pay_bill", bill="rent", count=1), phone.specs[2], NEVER) is None
    typed(monkeypatch)
    assert guard.check(tool_call("pay_bill", bill="rent", count=1), phone.specs[2], NEVER) is None
    assert guard.check(tool_call("pay_bill", bill="rent", count=2), phone.specs[2], NEVER) is not None
    assert "t: exactly this call, until this request is done" in shown.getvalue()


def test_never_is_for_good(phone, tool_call, monkeypatch):
    policy = Policy()
    guard = EffectGuard(InteractiveApprover(Console(file=io.StringIO()), policy), policy=policy)
    typed(monkeypatch, "never")
    assert guard.check(tool_call("delete_note", title="milk"), phone.specs[1], NEVER) is not None
    typed(monkeypatch, "y")
    refusal = guard.check(tool_call("delete_note", title="milk"), phone.specs[1], NEVER)
    assert "a rule of the user" in refusal


def test_an_agreement_ends_when_the_tool_changes(phone, tool_call, monkeypatch):
    policy = Policy()
    guard = EffectGuard(InteractiveApprover(Console(file=io.StringIO()), policy), policy=policy)
    typed(monkeypatch, "a")
    call, spec = tool_call("delete_note", title="milk"), phone.specs[1]
    assert guard.check(call, spec, NEVER) is None
    assert guard.check(call, spec.model_copy(update={"examples": ("bin it",)}), NEVER) is None
    changed = spec.model_copy(update={"description": "Delete a note and all that is like it."})
    assert guard.check(call, changed, NEVER) is not None


def test_a_value_with_a_star_that_was_agreed_to_is_no_pattern(phone, tool_call, monkeypatch):
    policy = Policy()
    guard = EffectGuard(InteractiveApprover(Console(file=io.StringIO()), policy), policy=policy)
    typed(monkeypatch, "a")
    assert guard.check(tool_call("delete_note", title="*"), phone.specs[1], NEVER) is None
    assert guard.check(tool_call("delete_note", title="milk"), phone.specs[1], NEVER) is not None


@pytest.mark.parametrize("effect", [Effect.PAY, Effect.DELETE, Effect.GRANT, Effect.INSTALL])
def test_yes_never_covers_pay_delete_grant_or_install(make_spec, tool_call, effect):
    asked = Asked(agrees=False)
    for effects in ({effect}, {effect, Effect.POWER}):
        spec = make_spec("act", {}, effects=frozenset(effects))
        assert EffectGuard(AgreeBeforehand(asked)).check(tool_call("act"), spec, NEVER) is not None
    assert len(asked.questions) == 2


def test_yes_covers_what_can_be_mended(make_spec, tool_call):
    spec = make_spec("act", {}, effects=frozenset({Effect.POWER}))
    assert EffectGuard(AgreeBeforehand(DenyAll())).check(tool_call("act"), spec, NEVER) is None


def test_the_question_is_made_of_facts_and_long_values_say_what_is_missing(phone, tool_call):
    asked = Asked()
    guard = EffectGuard(asked)
    guard.check(tool_call("delete_note", title="a" * 500 + "END"), phone.specs[1], NEVER)
    facts = asked.questions[0].facts
    assert facts.startswith("`delete_note` would delete (title = 'aaa") and facts.endswith("END').")
    assert "345 characters left out" in facts  # 505 with its quotes, 160 of them shown


def test_without_a_policy_the_guard_asks_as_before(phone, tool_call):
    assert EffectGuard(AllowAll()).check(tool_call("pay_bill"), phone.specs[2], NEVER) is None


names = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30)


@given(st.lists(st.builds(Rule, verdict=st.sampled_from(Verdict), tool=names, arguments=st.dictionaries(names, names),
                          effects=st.frozensets(st.sampled_from(Effect)), why=names), max_size=6))  # fmt: skip
def test_the_book_keeps_what_it_was_given(tmp_path_factory, rules):
    path = tmp_path_factory.mktemp("book") / "approvals.jsonl"
    kept = [RuleBook(path).add(one) for one in rules]
    assert RuleBook(path).rules() == kept
    for one in kept[::2]:
        RuleBook(path).remove(one.id)
    assert RuleBook(path).rules() == kept[1::2]


def test_the_book_is_private_and_two_processes_lose_nothing(tmp_path):
    path = tmp_path / "data" / "approvals.jsonl"
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.map(add_some, [path, path])
    assert len(RuleBook(path).rules()) == 20
    assert path.stat().st_mode & 0o777 == 0o600


def add_some(path):
    for _ in range(10):
        RuleBook(path).add(Rule(verdict=Verdict.ASK, tool="x"))


@pytest.mark.parametrize(
    ("line", "message"),
    [("{", "line 2 is no JSON"), ('{"verdict": "maybe"}', "line 2: field `verdict`"),
     ('{"verdict": "deny", "tol": "x"}', "line 2: field `tol`")],
)  # fmt: skip
def test_a_damaged_book_names_line_and_field(tmp_path, line, message):
    path = tmp_path / "approvals.jsonl"
    path.write_text('{"verdict": "ask", "tool": "x"}\n' + line + "\n")
    with pytest.raises(SetupError, match=message):
        RuleBook(path).rules()


def pocket(*args):
    from runtime.cli import root

    return root.main(list(args))


def test_the_command_adds_lists_and_removes(home, capsys):
    assert pocket("approvals", "add", "deny", "--tool", "manage_*", "--effect", "delete", "--json") == 0
    added = json.loads(capsys.readouterr().out)
    assert pocket("approvals", "list", "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed == {"asked": ["delete", "grant", "install", "pay", "power"], "rules": [added]}
    assert (added["verdict"], added["tool"], added["effects"]) == ("deny", "manage_*", ["delete"])
    assert pocket("approvals", "remove", added["id"]) == 0
    capsys.readouterr()
    assert pocket("approvals", "list") == 0
    assert "no rules yet" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("allow",), "an `allow` of everything is none of the rules. Give `--tool` or `--effect`."),
        (("allow", "--effect", "pay"), "an `allow` with `pay` needs `--tool NAME` without `*`."),
        (("allow", "--tool", "manage_alarn"), "there is no tool `manage_alarn`; did you mean `manage_alarm`"),
        (("deny", "--tool", "manage_alarm", "--argument", "titel=x"), "`manage_alarm` has no argument `titel`"),
        (("deny", "--argument", "title"), "`--argument title` has no value. Write `--argument title=milk`."),
    ],
)
def test_a_rule_that_can_not_be(home, capsys, args, message):
    assert pocket("approvals", "add", *args) == 2
    assert message in capsys.readouterr().err


def test_an_agreement_says_what_it_does_not_cover(home, capsys):
    assert pocket("approvals", "add", "allow", "--tool", "manage_alarm") == 0
    said = "what it does with delete is still asked about; a rule with --effect delete covers that\n"
    assert capsys.readouterr().err == said
    assert pocket("approvals", "add", "allow", "--tool", "manage_alarm", "--effect", "delete") == 0
    assert capsys.readouterr().err == ""


def test_an_unknown_id(home):
    with pytest.raises(UserError, match="there is no rule `ap_1`"):
        approvals._book().remove("ap_1")
    assert _translated(UserError("x")) == 2


def ran(home, capsys, *args):
    script = [{"name": "manage_alarm", "arguments": {"action": "delete", "title": "Wake up"}}, {"finish": "Gone."}]
    (home / "script.json").write_text(json.dumps(script))
    code = pocket("run", "delete my alarm", "--planner", f"scripted:{home / 'script.json'}", "--json", *args)
    return code, json.loads(capsys.readouterr().out)


def test_a_run_deletes_by_a_rule_and_never_by_yes(home, capsys):
    code, report = ran(home, capsys, "--yes")
    assert (code, report["changes"], report["calls"][0]["error"]) == (1, [], "refused_by_guard")
    assert pocket("approvals", "add", "allow", "--tool", "manage_alarm", "--effect", "delete") == 0
    capsys.readouterr()
    code, report = ran(home, capsys)
    assert (code, [change["key"] for change in report["changes"]]) == (0, ["alarm_001"])
