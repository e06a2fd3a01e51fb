"""The phone's shell: quoting, lists, redirections, substitution; what is quoted never runs."""

import asyncio
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.handset.handset import Handset
from device.handset.shell.interpreter import run_script
from device.handset.shell.io import ERR, OUT, Io
from device.handset.shell.registry import commands


def run(script: str, phone: Handset | None = None, data: bytes = b"") -> tuple[int, str, str]:
    io = Io.holding(data)

    async def work() -> int:
        return await run_script(phone or Handset(), script, io)

    status = asyncio.run(work())
    return status, io.taken(OUT).decode(), io.taken(ERR).decode()


@pytest.mark.parametrize(
    ("script", "out"),
    [
        ("echo a   b", "a b\n"),
        ("echo 'a   b'", "a   b\n"),
        ('echo "a $HOME b"', "a / b\n"),
        ("echo '$HOME' \\$HOME", "$HOME $HOME\n"),
        ("false; echo $?", "1\n"),
        ("true && echo yes || echo no", "yes\n"),
        ("false && echo yes || echo no", "no\n"),
        ("X=5; echo $X ${X} ${Y:-none}", "5 5 none\n"),
        ("X=5 true; echo [$X]", "[]\n"),
        ("echo $(echo in; echo ner)", "in ner\n"),
        ("echo `echo tick`", "tick\n"),
        ('echo "$(echo "a  b")"', "a  b\n"),
        ("(cd /sdcard; pwd); pwd", "/sdcard\n/\n"),
        ("{ echo a; echo b; } | grep b", "b\n"),
        ("echo one > /sdcard/t; echo two >> /sdcard/t; cat /sdcard/t", "one\ntwo\n"),
        ("nosuch 2> /dev/null; echo $?", "127\n"),
        ("echo a # comment", "a\n"),
        ("! false; echo $?", "0\n"),
        ("echo $'a\\tb'", "a\tb\n"),
        ("printf '%s-%s\\n' a b c d", "a-b\nc-d\n"),
        ("cat < /system/build.prop", "ro.build.version.release=15\n"),
        ("sh -c 'echo inner; exit 4'; echo $?", "inner\n4\n"),
        ("echo ''; echo \"\" x", "\n x\n"),
        ("if=1; echo $if", "1\n"),
    ],
)
def test_scripts(script, out):
    assert run(script)[1] == out


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo 'open", "/system/bin/sh: no closing quote\n"),
        ("echo a &&", "/system/bin/sh: syntax error: unexpected 'EOF'\n"),
        ("echo )", "/system/bin/sh: syntax error: unexpected ')'\n"),
        ("nosuch", "/system/bin/sh: nosuch: inaccessible or not found\n"),
        ("if true; then echo x; fi", "/system/bin/sh: syntax error: unexpected 'if'\n"),
    ],
)
def test_what_can_not_run_is_said(script, said):
    status, out, err = run(script)
    assert (out, err) == ("", said)
    assert status != 0


def test_standard_input_reaches_a_filter():
    assert run("grep -i b | wc -l", data=b"a\nB\nb\n")[1] == "2\n"


@given(st.text(st.characters(blacklist_characters="\0", blacklist_categories=("Cs",)), max_size=60))
def test_a_quoted_value_arrives_whole_and_runs_nothing(text):
    phone = Handset()
    status, out, _ = run(f"printf %s {shlex.quote(text)}", phone)
    assert (status, out) == (0, text)
    assert [words[0] for words in phone.commands] == ["printf"]


@given(st.text(alphabet="a;|&$()`'\"\\ <>\n#{}!*~=", max_size=30))
def test_no_script_breaks_the_shell(text):
    status, _, _ = run(text)
    assert 0 <= status <= 255


def test_every_command_names_its_source_and_versions():
    for name, command in commands().items():
        assert "/" in command.source, name
        assert command.android[:1].isdigit(), name
