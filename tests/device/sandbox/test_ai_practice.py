"""The speaking coach and the role play."""

import pytest

from runtime.contract import WorldSpec


def test_a_practice_with_its_score(phone):
    phone.call("speaking_coach_agent", action="start", topic="solar power", exercise="presentation")
    assert phone.diff_since_last_call()["coach_sessions/coach_001"] == {
        "id": "coach_001", "topic": "solar power", "exercise": "presentation", "language": "English",
        "state": "open", "score": 0,
    }  # fmt: skip
    # six words, one filler, none said twice: 100 - 15 - 2 * 4
    seen = phone.call("speaking_coach_agent", action="speak", text="um solar panels turn light into")
    assert (seen.data["turn"]["score"], seen.data["advice"]) == (77, "leave out the 1 filler")
    phone.call("speaking_coach_agent", action="speak", text="they work well on every roof that sees daylight")
    report = {"topic": "solar power", "turns": 2, "score": 88, "fillers": 1, "passed": True}
    assert phone.call("speaking_coach_agent", action="report").data == report
    phone.call("speaking_coach_agent", action="end")
    assert phone.diff_since_last_call() == {"coach_sessions/coach_001": {"state": ("open", "ended"), "score": (0, 88)}}


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [({}, ["topic", "exercise"]), ({"topic": "tides"}, ["exercise"]), ({"exercise": "interview"}, ["topic"])],
)
def test_the_coach_needs_a_complete_handoff(phone, arguments, missing):
    seen = phone.call("speaking_coach_agent", action="start", **arguments)
    assert (seen.failure.status, seen.failure.details["missing"]) == (400, missing)


def test_the_coach_has_one_session(phone):
    assert phone.call("speaking_coach_agent", action="report").failure.status == 404
    given = {"action": "start", "topic": "tides", "exercise": "conversation"}
    assert phone.call("speaking_coach_agent", **given, language="Klingon").failure.status == 400
    phone.call("speaking_coach_agent", **given, language="mandarin")
    assert phone.diff_since_last_call()["coach_sessions/coach_001"]["language"] == "Chinese"
    assert phone.call("speaking_coach_agent", **given).failure.status == 409
    assert phone.call("speaking_coach_agent", action="speak").failure.status == 400
    assert phone.call("speaking_coach_agent", action="end").failure.status == 409


def test_a_scene_is_played(phone):
    seen = phone.call("scenario_dialogue_agent", action="start", scenario="ordering at a restaurant", language="French")
    assert (seen.data["partner"], seen.data["line"]) == ("waiter", "Bonsoir, combien de personnes ?")
    seen = phone.call("scenario_dialogue_agent", action="reply", text="Une table pour deux, s'il vous plaît")
    assert seen.data == {"line": "Voici votre table. Que désirez-vous ?", "reached": ["table"], "goals": 3}
    seen = phone.call("scenario_dialogue_agent", action="reply", text="Il fait beau")
    assert seen.data["line"] == "Voici votre table. Que désirez-vous ?"
    seen = phone.call("scenario_dialogue_agent", action="end")
    assert (seen.data["score"], seen.data["turns"], seen.data["missed"]) == (33, 2, ["order", "bill"])
    assert phone.diff_since_last_call() == {"dialogue_sessions/dialogue_001": {"state": ("open", "ended")}}


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ({"action": "start"}, 400),
        ({"action": "start", "scenario": "moon base"}, 404),
        ({"action": "start", "scenario": "hotel", "language": "Dutch"}, 400),
        ({"action": "reply", "text": "hello"}, 404),
        ({"action": "end"}, 404),
    ],
)
def test_what_a_scene_needs(phone, arguments, status):
    assert phone.call("scenario_dialogue_agent", **arguments).failure.status == status


def test_one_scene_at_a_time(phone):
    phone.call("scenario_dialogue_agent", action="start", scenario="hotel check-in")
    assert phone.call("scenario_dialogue_agent", action="start", scenario="doctor").failure.status == 409
    assert phone.call("scenario_dialogue_agent", action="reply").failure.status == 400


def test_practice_needs_the_microphone(phone):
    phone.reset(WorldSpec(denied=frozenset({"microphone"})))
    assert phone.call("scenario_dialogue_agent", action="end").failure.status == 403
    assert phone.call("speaking_coach_agent", action="end").failure.status == 403
