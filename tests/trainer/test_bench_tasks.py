"""Training tasks of `bench` as exchanges: what stands beside the phone, answers, loads of Skills, the seal of test."""

import json
from random import Random

import pytest

from evalkit.whole import Whole
from memory.sqlite import open_database
from runtime.contract import (
    Budget,
    Domain,
    Json,
    Policy,
    Split,
    TaskSpec,
    TaskView,
    ToolSpec,
    Turn,
    UserError,
    WorldSpec,
)
from runtime.planner.tokens import Vocabulary
from runtime.recall import Recall
from tests.trainer.test_dialogue import WordEmbedder
from trainer.data.bench_tasks import exchange_of, without_unseen
from trainer.data.dialogue import DialogueMaker, offered
from trainer.data.exchange import Exchange
from trainer.data.tokens import DialogueTokenizer

LOAD: Json = {"name": "skill__travel_weather_navigation", "arguments": {"reason": "The request is about flights."}}
FLIGHT: Json = {"name": "query_flight", "arguments": {"flight": "UA 903"}}
SEARCH: Json = {"name": "search_user_memory", "arguments": {"query": "the network of my cabin"}}


@pytest.fixture(scope="module")
def whole() -> Whole:
    return Whole(embedder=WordEmbedder())


@pytest.fixture(scope="module")
def every(whole: Whole) -> dict[str, ToolSpec]:
    return {spec.name: spec for spec in whole.tools()}


def task(*gold: Json, part: str = "tool_use", split: Split = Split.TRAIN, **more: object) -> TaskSpec:
    view = TaskView(request=str(more.get("request", "do it")), turns=more.get("turns", ()), budget=Budget())
    world = WorldSpec(memories=more.get("memories", ()))
    policy = Policy(outcomes=(), user_answers=more.get("answers", ()))
    return TaskSpec(
        id="bench/x", view=view, world=world, policy=policy, gold=gold, family="f", domain=Domain.TRAVEL,
        pattern="answered", part=part, split=split, capabilities=frozenset(),
    )  # fmt: skip


def test_the_answer_of_the_script_follows_the_question(whole: Whole, every: dict[str, ToolSpec]) -> None:
    steps = ({"ask": "Which flight?"}, FLIGHT, {"finish": "Here you go."})
    exchange = exchange_of(task(*steps, answers=("UA 903",)), whole, every, Random(0))
    assert [move.reply for move in exchange.moves] == ["UA 903", None, None]
    assert exchange.tools == {"query_flight"}
    assert '"flight": "UA 903"' in str(exchange.moves[1].response)


def test_a_loaded_skill_opens_its_tools(whole: Whole, every: dict[str, ToolSpec]) -> None:
    exchange = exchange_of(task(LOAD, FLIGHT, {"finish": "Done."}, part="skill"), whole, every, Random(0))
    assert exchange.beside in ("skill", "skill_only")
    assert exchange.tools == {LOAD["name"]}
    assert "query_flight" in exchange.moves[0].opens
    assert not {"search_user_memory"} & set(exchange.moves[0].opens)  # no memory stands beside a Skill task


def test_a_search_shows_what_the_world_remembers(whole: Whole, every: dict[str, ToolSpec]) -> None:
    memories = ({"id": "memory_001", "content": "The network at the user's cabin is NETGEAR-22."},)
    turns = (Turn(role="user", text="about my cabin"), Turn(role="assistant", text="Yes?"))
    one = task(SEARCH, {"finish": "Done."}, part="memory", memories=memories, turns=turns)
    exchange = exchange_of(one, whole, every, Random(0))
    assert exchange.beside == "memory"
    assert exchange.turns == turns
    assert "NETGEAR-22" in str(exchange.moves[0].response)


def test_test_tasks_are_refused(whole: Whole, every: dict[str, ToolSpec]) -> None:
    with pytest.raises(UserError, match="of the split `test`; only training tasks"):
        exchange_of(task(FLIGHT, split=Split.TEST), whole, every, Random(0))


def test_instructions_lose_the_items_that_name_a_tool_which_training_never_sees() -> None:
    text = "# Screen\n\n1. First `adjust_brightness`.\n2. At night it is `manage_dark_mode`;\n   then ask.\n3. Last."
    assert without_unseen(text) == "# Screen\n\n1. First `adjust_brightness`.\n3. Last."


def test_what_is_offered_depends_on_what_stands_beside(every: dict[str, ToolSpec]) -> None:
    names = sorted(every)
    assert not any(name.startswith("skill__") or name.endswith("user_memory") for name in offered(names, ""))
    assert sum(name.endswith("user_memory") for name in offered(names, "memory")) == 4
    assert {name.partition("__")[0] for name in offered(names, "skill_only")} == {"skill"}


def test_a_list_with_memory_pins_the_search_and_opened_tools_are_shown(
    whole: Whole, every: dict[str, ToolSpec], vocabulary: Vocabulary
) -> None:
    skill = exchange_of(task(LOAD, FLIGHT, {"finish": "Done."}, part="skill"), whole, every, Random(0))
    habit = Exchange("as usual", (), beside="memory")
    made = DialogueMaker(
        [skill, habit], every, Recall(WordEmbedder(), open_database), DialogueTokenizer(vocabulary), "Act.", seed=1
    )
    assert all("search_user_memory" in made.exposed_for(habit) for _ in range(20))
    exposed = frozenset([LOAD["name"]])
    shown = made._with_opened(skill, exposed).moves[0].response or ""
    blocks = shown.split("</tool_response>\n<tool_response>")
    opened = json.loads(blocks[1].removesuffix("</tool_response>"))["tools"]
    assert len(opened) == len(skill.moves[0].opens)
    again = made._with_opened(skill, exposed | set(skill.moves[0].opens)).moves[0].response
    assert again == skill.moves[0].response
