"""The screen agent on a small fake screen: done with evidence, blocked with a reason, every choice an event."""

from runtime.config import load_settings
from runtime.contract import ErrorCode
from runtime.subagents import Act, Done, ScreenAgent, WordsChooser
from runtime.trace import TraceReader, TraceStore
from runtime.wiring import open_database, open_screen_agent, shaping


class Script(WordsChooser):
    """Plays moves; a function is called with the view."""

    identity = "script@1"

    def __init__(self, *moves):
        super().__init__()
        self.moves = list(moves)

    def begin(self, goal):
        pass

    def choose(self, view, deadline):
        move = self.moves.pop(0)
        return move(view) if callable(move) else move


def test_a_switch_is_found_set_and_shown(screen, asked):
    seen = asked(app="Settings", goal="turn_on", target="Dark theme")
    assert seen.ok and screen.dark
    assert seen.data == {"status": "done", "shows": "switch Dark theme (on)"}
    assert screen.acts == [
        ("open", "Settings"),
        ("tap", "Display & touch, Dark theme, font size"),
        ("tap", "Dark theme (off)"),
    ]
    assert [step["action"] for step in seen.evidence.facts["steps"]] == ["open", "tap", "tap"]
    assert (seen.call.landed, seen.evidence.facts["matches"]) == ("yes", True)


def test_what_is_as_wanted_is_left_alone(screen, asked):
    seen = asked(app="Settings", goal="turn_off", target="Dark theme", where="Display")
    assert seen.data["shows"] == "switch Dark theme (off)"
    assert ("tap", "Dark theme (off)") not in screen.acts


def test_pages_of_the_settings_are_tried_and_left_again(screen, asked):
    seen = asked(app="Settings", goal="turn_on", target="Flux capacitor")
    assert seen.failure.code is ErrorCode.NOT_FOUND
    assert seen.failure.details == {"status": "blocked", "reason": "not_found", "for_a_person": False}
    assert screen.acts.count(("back", "")) == 2
    assert seen.evidence.facts["shown"]


def test_a_tap_without_effect_is_blocked_and_says_so(screen, asked):
    screen.stuck = True
    screen.page = "display"
    seen = asked(ScreenAgent(screen, Script(lambda view: Act("tap", view.elements[1].id), Done(shown="z9"))),
                 app="Settings", goal="turn_on", target="Dark theme")  # fmt: skip
    assert (seen.ok, seen.failure.details["reason"]) == (False, "unproved")


def test_a_sign_in_and_a_permission_are_for_a_person(screen, asked):
    for app, reason in (("Chat", "sign_in"), ("Camera", "permission_dialog")):
        seen = asked(app=app, goal="open", target="Inbox")
        assert seen.failure.code is ErrorCode.PERMISSION_DENIED
        assert seen.failure.details == {"status": "blocked", "reason": reason, "for_a_person": True}
    assert [action for action, _ in screen.acts] == ["open", "open"]
    screen.obstacle = "secure_window"
    assert asked(app="Settings", goal="open", target="x").failure.details["reason"] == "secure_window"


def test_ids_that_are_not_there_never_reach_the_screen(screen, asked):
    script = Script(Act("tap", "z9"), lambda view: Act("type", view.elements[0].id, "x"), Act("tap", "540,300"),
                    Act("open", "a1", "Chat"))  # fmt: skip
    seen = asked(ScreenAgent(screen, script), app="Settings", goal="open", target="x")
    assert screen.acts == []
    assert [step["code"] for step in seen.evidence.facts["steps"]] == ["bad_argument"] * 4
    assert (seen.failure.details["reason"], seen.call.landed) == ("no_effect", "no")


def test_steps_are_bounded(screen, asked):
    script = Script(*[Act("wait")] * 9)
    seen = asked(ScreenAgent(screen, script, steps=3), app="Settings", goal="open", target="x")
    assert (seen.failure.details["reason"], len(screen.acts)) == ("steps", 3)


def test_a_goal_that_is_none_is_refused(screen, asked):
    assert asked(app="Settings", goal="dance", target="x").failure.code is ErrorCode.BAD_ARGUMENT
    assert asked(app="No Such", goal="open", target="x").failure.details["reason"] == "not_found"


def test_each_goal_is_an_episode_of_its_own(screen, asked, tmp_path):
    store = TraceStore(tmp_path / "traces.sqlite3", open_database)
    asked(ScreenAgent(screen, trace=store), app="Settings", goal="turn_on", target="Dark theme")
    asked(ScreenAgent(screen, trace=store), app="Chat", goal="open", target="Inbox")
    store.close()
    reader = TraceReader(tmp_path / "traces.sqlite3", open_database)
    first, second = (reader.episode(one) for one in sorted(reader.ids(), key=lambda one: reader.episode(one).stop))
    assert first.view.request == "In Settings: turn on Dark theme"
    assert [step.decision.actions[0].name for step in first.steps] == ["open", "tap", "tap", "done"]
    assert (first.stop, second.stop) == ("finished", "refused")
    assert second.stop_detail.startswith("sign_in: ")


def test_it_is_offered_where_it_is_wanted_and_there_is_a_screen(screen):
    off, on = load_settings(), load_settings(assignments=["screen.use=true", "screen.steps=7"])
    assert open_screen_agent(off, screen) is None
    assert open_screen_agent(on, object()) is None
    agent = open_screen_agent(on, screen)
    assert ([spec.name for spec in agent.tools()], agent.chooser.identity) == (["work_on_screen"], "words@1")
    other = open_screen_agent(load_settings(assignments=["screen.use=true", "screen.planner=embedded"]), screen)
    assert other.chooser.identity == "embedded"
    assert "screen" in shaping(on) and "screen" not in shaping(off)
