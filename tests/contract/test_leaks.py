"""Nobody receives more than is theirs: values of a policy cross neither to harness and planner nor to a phone.

A task is planted with words that stand nowhere else, one in every text of its policy and gold. An episode is run, and
everything that was serialised on the way is searched for them.
"""

import json
import re

from memory.sqlite import open_database
from runtime.assemble import Assembler
from runtime.contract import (
    BehaviourCheck,
    CallCheck,
    Domain,
    Outcome,
    Policy,
    RowPattern,
    StateCheck,
    TaskSpec,
    TaskView,
    WorldSpec,
)
from runtime.dialect import signature
from runtime.eta import load_eta
from runtime.executor import Executor
from runtime.guard import AllowAll, EffectGuard
from runtime.harness import run_episode
from runtime.planner.scripted import ScriptedPlanner
from runtime.recall import Recall
from runtime.rooms import Labels, Rooms
from runtime.trace import TraceStore
from runtime.users import ScriptedUser
from runtime.wiring import open_phone


class Sentinels:
    """Words that stand nowhere else."""

    def __init__(self):
        self.words = []

    def __call__(self):
        self.words.append(f"xq{len(self.words):03d}zv")
        return self.words[-1]


def planted(secret):
    """A task whose every policy text is a sentinel."""
    outcomes = (
        Outcome(checks=(CallCheck(calls=({"name": secret(), "arguments": {secret(): secret()}},)),), note=secret()),
        Outcome(
            checks=(
                StateCheck(
                    required=(
                        RowPattern(table=secret(), change="insert", where={secret(): secret()}, values={"a": secret()}),
                    ),
                    allowed=(RowPattern(table=secret(), change="delete"),),
                ),
            )
        ),
        Outcome(checks=(BehaviourCheck(ends=frozenset({"asked"}), mentions=((secret(),),), tried=(secret(),)),)),
    )
    policy = Policy(outcomes=outcomes, answer_contains=(secret(),), user_answers=("to half past six",))
    gold = ({"name": secret(), "arguments": {"title": secret()}}, {"finish": secret()})
    return TaskSpec(
        id="t1",
        view=TaskView(request="move my alarm"),
        world=WorldSpec(seed=3),
        policy=policy,
        gold=gold,
        family=secret(),
        domain=Domain.TIME,
        source=secret(),
        parents=(secret(),),
    )


class Listening(ScriptedPlanner):
    """Keeps everything that it was given."""

    def __init__(self, script):
        super().__init__(script)
        self.heard = []

    def decide(self, context, deadline):
        self.heard += [context.text, json.dumps(list(context.messages)), *(signature(tool) for tool in context.exposed)]
        self.heard += [tool.model_dump_json() for tool in context.exposed]
        return super().decide(context, deadline)


class Overheard:
    """A phone that notes what it is told."""

    def __init__(self, phone):
        self.phone, self.heard = phone, []

    def reset(self, world):
        self.heard.append(world.model_dump_json())
        self.phone.reset(world)

    def execute(self, call, deadline, idempotency_key=""):
        self.heard += [call.model_dump_json(), idempotency_key]
        return self.phone.execute(call, deadline, idempotency_key)

    def __getattr__(self, name):
        return getattr(self.phone, name)


class FixedEmbedder:
    """Every text points the same way; words alone order the tools."""

    identity, dimension = "fixed", 2

    def embed(self, texts):
        import numpy as np

        return np.tile(np.array([[1.0, 0.0]], np.float32), (len(texts), 1))


def test_no_value_of_a_policy_crosses(tmp_path):
    secret = Sentinels()
    task = planted(secret)
    assert len(secret.words) == 18
    phone = Overheard(open_phone("sandbox", WorldSpec()))
    phone.reset(task.world)
    recall = Recall(FixedEmbedder(), open_database)
    shown = next(tool.name for tool in recall.rank(task.view, phone.tools()) if not tool.parameters.get("required"))
    planner = Listening([{"ask": "to when?"}, {"name": shown, "arguments": {}}, {"finish": "ok"}])
    store = TraceStore(tmp_path / "traces.sqlite3", open_database)
    executor = Executor(phone, EffectGuard(AllowAll()), ScriptedUser(task.policy.user_answers))
    rooms = Rooms(planner, Assembler(planner, recall, load_eta()), executor, store)
    episode = run_episode(task.view, rooms, labels=Labels(task_id=task.id))
    store.close()
    files = [path.read_bytes().decode("latin-1") for path in tmp_path.iterdir()]
    crossed = [*planner.heard, *phone.heard, episode.model_dump_json(), task.view.model_dump_json(), *files]
    assert len(planner.heard) > 3 and len(phone.heard) > 1 and any("to half past six" in text for text in planner.heard)
    found = {word for text in crossed for word in re.findall(r"xq\d{3}zv", text)}
    assert found == set()


def test_the_sweep_would_find_a_leak():
    secret = Sentinels()
    task = planted(secret)
    assert set(re.findall(r"xq\d{3}zv", task.model_dump_json())) == set(secret.words)


def test_view_and_world_have_no_place_for_a_policy():
    named = set(TaskView.model_fields) | set(WorldSpec.model_fields)
    assert named.isdisjoint({"policy", "gold", "outcomes", "answer_contains", "user_answers", "family", "pattern"})
