"""Documentation can't drift: every command, subcommand and option has help, and every command stands in the README."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runtime.cli import root

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def leaves(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Every command that does something, with the words that call it."""
    below = getattr(command, "commands", {})
    if not below:
        yield " ".join(words), command
    for name, one in below.items():
        yield from leaves(one, (*words, name))


POINTS = root.Commands(name="pocket").points()
COMMANDS = dict(pair for name, point in POINTS.items() for pair in leaves(root.load(point), ("pocket", name)))


def test_the_commands_are_found():
    assert {"pocket run", "pocket doctor", "pocket tools", "pocket trace list"} <= set(COMMANDS)


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_has_help(words):
    assert len((COMMANDS[words].help or "").strip()) > 10


@pytest.mark.parametrize("words", COMMANDS)
def test_every_parameter_has_help(words):
    without = [parameter.name for parameter in COMMANDS[words].params if not getattr(parameter, "help", None)]
    assert without == []


@pytest.mark.parametrize("words", COMMANDS)
def test_the_readme_mentions_a_command(words):
    assert re.search(rf"\b{words}\b", README), f"say in README.md what `{words}` is for"
