"""Practising: a coach who listens to what is said, and scenes that are played with the assistant.

1. One session of each kind is open at a time; a handoff opens it, and it ends with a score.
2. The coach's score is counted: fillers cost 15 each, fewer than eight words 4 for each that is missing, and words said
   again half of their share. A scene's score is the share of its goals that were reached.
"""

from typing import Literal

from device.sandbox.api import (
    Domain,
    Effect,
    Json,
    Sandbox,
    Text,
    bad_argument,
    conflict,
    folded,
    not_found,
    tool,
)
from device.sandbox.knowledge import scenes
from device.sandbox.knowledge.speech import LANGUAGES, language
from device.sandbox.rows.agents import CoachSession, CoachTurn, DialogueSession
from device.sandbox.rows.system_settings import Region
from device.sandbox.tools.finding import named

_FILLERS = frozenset(("um", "uh", "er", "erm", "hmm", "like", "basically", "actually"))
_ENOUGH = 8
_GOOD = 80
_IDLE = frozenset(("at", "in", "on", "check", "checking", "visit", "order", "ordering", "scene", "clothes", "for"))


@tool(
    Domain.ASSISTANT,
    permission="microphone",
    effects={"report": Effect.READ},
    phrases=(
        "help me rehearse my presentation on solar power",
        "coach my French pronunciation",
        "I want to train for interview questions about leadership",
        "how did I do with the speaking coach",
        "finish the speaking practice",
        "listen to this sentence and rate how I say it",
    ),
)
def speaking_coach_agent(
    phone: Sandbox,
    action: Literal["start", "speak", "report", "end"],
    topic: Text | None = None,
    exercise: Literal["pronunciation", "presentation", "interview", "conversation"] | None = None,
    language: Text | None = None,
    text: Text | None = None,
) -> Json:
    """Coach for speaking: practice with scores."""
    table = phone.table(CoachSession)
    current = next(iter(table.find(state="open")), None)
    if action == "start":
        if current is not None:
            raise conflict(f"the practice about `{current.topic}` is open; end it first", id=current.id)
        missing = [name for name, value in (("topic", topic), ("exercise", exercise)) if value is None]
        if missing or topic is None or exercise is None:
            raise bad_argument(
                f"`speaking_coach_agent` start needs {' and '.join(f'`{name}`' for name in missing)}",
                argument=missing[0],
                missing=missing,
            )
        made = CoachSession(phone.new_id("coach"), topic, exercise, _spoken(phone, language, LANGUAGES))
        return {"session": table.insert(made), "task": f"speak about {topic}; say it with action speak"}
    if current is None:
        raise not_found("no practice is open; begin one with `speaking_coach_agent` start")
    if action == "speak":
        return _heard(phone, current, text)
    report = _report(phone, current)
    if action == "end":
        report["session"] = table.update(current, state="ended", score=report["score"]).id
    return report


def _spoken(phone: Sandbox, said: str | None, valid: tuple[str, ...]) -> str:
    """The language that is meant, the phone's own by default; 400 for one that is not among the `valid`."""
    found = language(said or phone.one(Region).language)
    if found not in valid:
        raise bad_argument(f"`language` is `{said or phone.one(Region).language}`; it may be {', '.join(valid)}",
                           argument="language", valid=list(valid))  # fmt: skip
    return str(found)


def _heard(phone: Sandbox, session: CoachSession, text: str | None) -> Json:
    """One turn with its score."""
    if text is None:
        raise bad_argument("`speaking_coach_agent` speak needs `text`: what was said", argument="text")
    words = folded(text).split()
    fillers = sum(word in _FILLERS for word in words)
    again = (len(words) - len(set(words))) / max(1, len(words))
    score = max(0, round(100 - 15 * fillers - 4 * max(0, _ENOUGH - len(words)) - 50 * again))
    turn = CoachTurn(phone.new_id("coach_turn"), session.id, text, fillers, score)
    return {"turn": phone.table(CoachTurn).insert(turn), "advice": _advice(fillers, len(words), again)}


def _advice(fillers: int, words: int, again: float) -> str:
    if fillers:
        return f"leave out the {fillers} filler{'s' if fillers > 1 else ''}"
    if words < _ENOUGH:
        return "say a little more"
    return "vary your words" if again > 0.2 else "well said"


def _report(phone: Sandbox, session: CoachSession) -> Json:
    """Scores of a session; 409 while nothing was said."""
    turns = phone.table(CoachTurn).find(session=session.id)
    if not turns:
        raise conflict("nothing was said yet; use action speak with `text`", id=session.id)
    score = round(sum(turn.score for turn in turns) / len(turns))
    fillers = sum(turn.fillers for turn in turns)
    return {"topic": session.topic, "turns": len(turns), "score": score, "fillers": fillers, "passed": score >= _GOOD}


@tool(
    Domain.ASSISTANT,
    permission="microphone",
    phrases=(
        "role-play a restaurant visit in French with me",
        "act as a hotel receptionist so I can practise",
        "let's play checking in at the airport in Spanish",
        "answer the waiter: a table for two please",
        "stop the role play and tell me how I did",
        "pretend to be the interviewer",
    ),
)
def scenario_dialogue_agent(
    phone: Sandbox,
    action: Literal["start", "reply", "end"],
    scenario: Text | None = None,
    language: Text | None = None,
    text: Text | None = None,
) -> Json:
    """Role play of everyday scenes in languages."""
    table = phone.table(DialogueSession)
    current = next(iter(table.find(state="open")), None)
    if action == "start":
        if current is not None:
            raise conflict(f"the scene `{current.scenario}` is being played; end it first", id=current.id)
        name = _scene(scenario)
        spoken = _spoken(phone, language, scenes.LANGUAGES)
        made = table.insert(DialogueSession(phone.new_id("dialogue"), name, spoken))
        return {"session": made, "partner": scenes.SCENES[name].partner, "line": _line(name, spoken)}
    if current is None:
        raise not_found("no scene is being played; begin one with `scenario_dialogue_agent` start")
    if action == "reply":
        return _replied(phone, current, text)
    goals = [goal.name for goal in scenes.SCENES[current.scenario].goals]
    row = table.update(current, state="ended")
    missed = [name for name in goals if name not in row.reached]
    score = round(100 * len(row.reached) / len(goals))
    return {"session": row.id, "turns": row.turns, "score": score, "reached": row.reached, "missed": missed}


def _scene(said: str | None) -> str:
    """The scene that is meant; 400 for none said, 404 with those there are."""
    there = ", ".join(scenes.SCENES)
    if said is None:
        raise bad_argument(f"`scenario_dialogue_agent` start needs `scenario`: {there}", argument="scenario",
                           missing=["scenario"])  # fmt: skip
    found = named(scenes.SCENES, " ".join(word for word in folded(said).split() if word not in _IDLE) or said, str)
    if len(found) != 1:
        raise not_found(f"there is no scene `{said}`; there is {there}", valid=list(scenes.SCENES))
    return found[0]


def _line(name: str, spoken: str) -> str:
    return scenes.SCENES[name].opening[scenes.LANGUAGES.index(spoken)]


def _replied(phone: Sandbox, session: DialogueSession, text: str | None) -> Json:
    """The partner's answer to a reply; a goal that it reaches is kept."""
    if text is None:
        raise bad_argument("`scenario_dialogue_agent` reply needs `text`: what is answered", argument="text")
    goals, words = scenes.SCENES[session.scenario].goals, set(folded(text).split())
    place = scenes.LANGUAGES.index(session.language)
    open_goals = [goal for goal in goals if goal.name not in session.reached]
    hit = next((goal for goal in open_goals if goal.words & words), None)
    reached = session.reached if hit is None else (*session.reached, hit.name)
    row = phone.table(DialogueSession).update(session, reached=reached, turns=session.turns + 1)
    asked = len(goals) - len(open_goals)
    before = goals[asked - 1].lines[place] if asked else _line(session.scenario, session.language)
    return {"line": before if hit is None else hit.lines[place], "reached": row.reached, "goals": len(goals)}
