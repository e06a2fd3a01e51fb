"""What tasks cost: worlds that differ, phones that live on, and the oracle's pass."""

import json

import pytest

from device.sandbox.sandbox import Sandbox
from device.sandbox.world import forget_worlds
from evalkit.bench import tasks as bench
from evalkit.bench.frame import Order
from evalkit.bench.many_phones import CALLS, live, main, world_number
from evalkit.bench.processes import in_child
from runtime.config import Settings
from runtime.contract import Domain, Policy, SetupError, TaskSpec, TaskView, WorldSpec
from runtime.contract.tasks import CallCheck, Outcome

LIGHT = {"name": "control_flashlight", "arguments": {"action": "enable"}}
NOTED = {"name": "search_user_memory", "arguments": {"query": "tea"}}


def task(number: int, world: WorldSpec, *gold: dict[str, object]) -> TaskSpec:
    called = Outcome(checks=(CallCheck(calls=(LIGHT,)),))
    return TaskSpec(
        id=f"t{number}",
        view=TaskView(request="light please"),
        world=world,
        policy=Policy(outcomes=(called,)),
        gold=(*gold, {"finish": "Done."}),
        family="light",
        domain=Domain.INPUT,
    )


def test_lives_are_different_worlds_that_the_phone_alone_can_live():
    seeded = WorldSpec(seed=3)
    tasks = [
        task(1, seeded, LIGHT),
        task(2, seeded, LIGHT, LIGHT),
        task(3, WorldSpec(seed=3, memories=({"id": "m1", "content": "likes tea", "category": "food"},)), LIGHT),
        task(4, WorldSpec(seed=4), LIGHT),
        task(5, WorldSpec(seed=5), NOTED),
    ]
    lives = bench.lives_of(tasks)
    assert [(life["world"]["seed"], life["gold"]) for life in lives] == [(3, [LIGHT]), (4, [LIGHT])]


def test_no_two_worlds_are_alike():
    worlds = [WorldSpec(), WorldSpec(denied=frozenset({"camera"}))]
    made = [world_number(number, worlds) for number in range(6)]
    assert made[:2] == worlds
    assert made[3].facts == ({"table": "notes", "id": "lap_001", "content": "Written on lap 1"},)
    assert made[3].denied == {"camera"}
    assert len({world.model_dump_json() for world in made}) == 6


def test_phones_stay_alive_with_their_calls():
    lives = [{"world": WorldSpec(seed=seed).model_dump(mode="json"), "gold": [LIGHT]} for seed in (1, 2)]
    phones, made, worked = live(lives, 3)
    assert (len(phones), made, worked) == (3, 3 * CALLS, 3 * CALLS)
    assert [len(phone.log) for phone in phones] == [CALLS] * 3
    assert [phone.log[0].tool for phone in phones] == ["control_flashlight"] * 3


def test_the_child_tells_what_it_held(tmp_path):
    given, out = tmp_path / "lives.jsonl", tmp_path / "out.json"
    given.write_text(json.dumps({"world": {"seed": 1}, "gold": [LIGHT]}) + "\n")
    main(str(given), "2", str(out))
    assert json.loads(out.read_text()) == {"alive": 2, "calls": 10, "worked": 10}


def test_the_oracle_passes_over_all_tasks_and_names_what_it_fails(monkeypatch):
    wrong = task(2, WorldSpec(), {"name": "control_flashlight", "arguments": {"action": "disable"}})
    monkeypatch.setattr(bench, "tasks_of", lambda _: [task(1, WorldSpec(), LIGHT), wrong])
    told = bench.replay(Order(Settings(), suites=("core",)))
    assert (told["tasks_replayed"], told["oracle_passed"], told["oracle_failed"]) == (2, 1, ["t2"])
    assert (told["calls_replayed"], told["replayed_suites"]) == (2, ["core"])


def test_a_limit_takes_tasks_from_all_over(monkeypatch):
    monkeypatch.setattr(bench, "tasks_of", lambda _: [task(number, WorldSpec(), LIGHT) for number in range(7)])
    assert bench.replay(Order(Settings(), limit=2))["tasks_replayed"] == 2


def test_a_child_that_fails_says_why():
    with pytest.raises(SetupError, match=r"`many_phones` failed in the bench: .*no file here"):
        in_child(["sh", "-c", "echo no file here >&2; exit 3"], "many_phones")


def test_a_world_that_was_forgotten_is_built_alike():
    first = Sandbox(WorldSpec(seed=9))
    forget_worlds()
    assert Sandbox(WorldSpec(seed=9)).frozen().tables == first.frozen().tables
