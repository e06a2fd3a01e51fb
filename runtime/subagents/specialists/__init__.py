"""The specialists: each is a tool with a typed task, the phone's tools that it may use, and a procedure."""

from collections.abc import Container

from runtime.subagents.specialists.automation import AUTOMATION
from runtime.subagents.specialists.base import Specialist
from runtime.subagents.specialists.gui import GUI
from runtime.subagents.specialists.picture import PICTURE
from runtime.subagents.specialists.practice import PRACTICE
from runtime.subagents.specialists.search import SEARCH

SPECIALISTS: tuple[Specialist, ...] = (GUI, SEARCH, AUTOMATION, PICTURE, PRACTICE)
"""In the order in which they are offered."""


def staff(here: Container[str]) -> list[Specialist]:
    """Those whose work can be done with the tools that are here."""
    return [one for one in SPECIALISTS if one.tools[0] in here]


__all__ = ["SPECIALISTS", "Specialist", "staff"]
