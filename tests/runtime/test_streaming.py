"""What a planner writes is shown as it writes it, on a terminal alone, and nothing in it is obeyed there."""

import io

import pytest
from rich.console import Console

from runtime.cli.live import WRITTEN, Tail, Watched, listening
from runtime.contract import Deadline, Decision, Finish
from runtime.planner.plain import ModelFree


class Speaks(ModelFree):
    """Says what it decides, word by word, to whoever listens."""

    identity = "speaks"
    listener = None

    def __init__(self):
        self.heard_by = []

    def decide(self, context, deadline):
        self.heard_by.append(self.listener)
        for word in ("all ", "done"):
            if self.listener is not None:
                self.listener(word)
        return Decision(actions=(Finish(answer="all done"),))


@pytest.mark.parametrize(("terminal", "listens"), [(True, True), (False, False)])
def test_a_planner_is_listened_to_while_it_decides_on_a_terminal(terminal, listens):
    planner, file = Speaks(), io.StringIO()
    watched = Watched(planner, Console(file=file, force_terminal=terminal))
    assert watched.decide(None, Deadline.never()).actions[0].answer == "all done"
    assert [one is not None for one in planner.heard_by] == [listens]
    assert planner.listener is None  # and not afterwards
    assert ("all done" in file.getvalue()) == terminal


def test_the_end_of_a_long_text_is_shown_in_one_line_and_not_obeyed():
    shown = []
    tail = Tail(lambda text: shown.append(text.plain))
    tail("first\n")
    tail("\x1b[31mred")
    tail("x" * WRITTEN)
    assert shown == ["first\\n", "first\\n\\x1b[31mred", "x" * WRITTEN]


def test_a_planner_that_says_nothing_is_let_be():
    with listening(ModelFree(), print):
        pass


def test_listening_ends_also_where_the_planner_fails():
    planner = Speaks()
    with pytest.raises(ValueError, match="broken"), listening(planner, print):
        raise ValueError("broken")
    assert planner.listener is None
