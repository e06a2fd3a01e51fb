"""Practice dialogue: a scene is played with the user, line by line, and what was reached is brought back."""

from runtime.contract import Ask, Json
from runtime.subagents.by_procedure import Outcome, Procedure, blocked, call, failed
from runtime.subagents.specialists.base import TEXT, Specialist, spec

TOOL = "scenario_dialogue_agent"
TURNS = 12
"""Most replies of the user."""


def work(arguments: Json, here: frozenset[str]) -> Procedure:
    """Open the scene, pass lines on until all goals are reached or the turns are over, and end it."""
    opened = yield call(TOOL, action="start", scenario=arguments["scene"], language=arguments.get("language"))
    if failed(opened) or not isinstance(opened, dict):
        return blocked(opened)
    line = str(opened["line"])
    said = [line]
    for _ in range(TURNS):
        answer = yield Ask(question=line)
        heard = yield call(TOOL, action="reply", text=str(answer))
        if failed(heard) or not isinstance(heard, dict):
            return blocked(heard)
        line = str(heard["line"])
        said += [str(answer), line]
        if len(heard["reached"]) == heard["goals"]:
            break
    report = yield call(TOOL, action="end")
    if failed(report) or not isinstance(report, dict):
        return blocked(report)
    missed = f", missed {', '.join(report['missed'])}" if report["missed"] else ""
    artifacts = (("report", {key: report[key] for key in ("score", "reached", "missed", "turns")}), ("lines", said))
    return Outcome(True, f"score {report['score']}{missed}", artifacts)


PRACTICE = Specialist(
    spec(
        "ask_practice_agent",
        "Play a scene with the user, for practice.",
        {
            "scene": {**TEXT, "maxLength": 80, "description": "Which scene: restaurant, hotel, airport, ..."},
            "language": {**TEXT, "maxLength": 40, "description": "Spoken in it."},
        },
        ("scene",),
        ("practise a restaurant visit in French with me", "play the whole check-in at the airport with me"),
        writes=True,
    ),
    (TOOL,),
    work,
    steps=2 * TURNS + 4,
)
