"""Sub-agents: a planner hands a local goal to one, and gets back *done* or *blocked*, each with what shows it."""

from runtime.subagents.goal import SPEC, Goal
from runtime.subagents.moves import Act, Blocked, Chooser, Done, Event, View
from runtime.subagents.planned import PlannedChooser
from runtime.subagents.screen_agent import ScreenAgent
from runtime.subagents.words_chooser import WordsChooser

__all__ = [
    "SPEC",
    "Act",
    "Blocked",
    "Chooser",
    "Done",
    "Event",
    "Goal",
    "PlannedChooser",
    "ScreenAgent",
    "View",
    "WordsChooser",
]
