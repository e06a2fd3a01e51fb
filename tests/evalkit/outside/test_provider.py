import pytest

from evalkit.outside.specs import own_names, spec_name, spec_of
from evalkit.outside.wire import OutsideTool
from runtime.contract import Domain, Effect, ErrorCode, InfrastructureError, TextPart
from tests.evalkit.outside.conftest import run, task


@pytest.mark.parametrize(
    ("name", "expected"),
    [("lockDoors", "lock_doors"), ("get_zip", "get_zip"), ("send-money", "send_money"), ("list2Boxes", "list2_boxes")],
)
def test_a_name_gets_into_the_contracts_alphabet(name, expected):
    assert spec_name(name) == expected


def test_two_tools_that_would_share_a_name_are_refused():
    tools = [OutsideTool(name=name, group="g", description="", parameters={}) for name in ("lockDoor", "lock_door")]
    with pytest.raises(InfrastructureError, match="`lock_door` and `lockDoor` would share one name"):
        own_names(tools)


def test_a_spec_has_json_schema_a_domain_and_may_write(bfcl):
    spec = bfcl.specs["Shelf"][0]
    assert spec.name == "put_into"
    assert spec.parameters == {
        "type": "object",
        "properties": {
            "box": {"type": "string"},
            "thing": {"type": "string"},
            "times": {"type": "number", "default": 1},
        },
        "required": ["box", "thing"],
    }
    assert bfcl.specs["Shelf"][2].parameters["properties"] == {"box": {}}
    assert spec.effects == {Effect.READ, Effect.WRITE}
    tool = OutsideTool(name="x", group="TravelAPI", description="d", parameters={})
    assert spec_of(tool).domain == Domain.TRAVEL


def test_an_observation_has_the_toolkits_text_and_the_value(bfcl):
    episode = bfcl.begin(task(bfcl, "multi_turn_base_0"))
    assert run(episode, "add", a=1, b=2.5).data == {"result": 3.5}
    exact = run(episode, "exact", a="1.10")
    assert (exact.parts, exact.data) == ((TextPart(text="{'result': Decimal('1.10')}"),), {"result": "1.10"})
    boxes = run(episode, "list_boxes")
    assert (boxes.parts, boxes.data) == ((TextPart(text="['red', 'blue']"),), {"result": ["red", "blue"]})
    assert run(episode, "label", box="red").data == {"result": "RED"}


@pytest.mark.parametrize(
    ("name", "arguments", "code", "landed"),
    [
        ("lock", {"box": "red"}, ErrorCode.PERMISSION_DENIED, "unknown"),
        ("put_into", {"box": "green", "thing": "x"}, ErrorCode.NOT_FOUND, "unknown"),
        ("put_into", {"thing": "x"}, ErrorCode.BAD_ARGUMENT, "no"),
        ("add", {"a": 1, "b": "x"}, ErrorCode.INTERNAL, "unknown"),
        ("fly", {}, ErrorCode.UNKNOWN_TOOL, "no"),
        ("_load_scenario", {"scenario": {}}, ErrorCode.UNKNOWN_TOOL, "no"),
    ],
)
def test_what_a_tool_raises_is_a_failure_from_the_closed_list(bfcl, name, arguments, code, landed):
    seen = run(bfcl.begin(task(bfcl, "multi_turn_base_0")), name, **arguments)
    assert (seen.failure.code, seen.call.landed) == (code, landed)
    assert seen.failure.message.startswith("Error during execution: ")


def test_a_key_is_applied_once(bfcl):
    episode = bfcl.begin(task(bfcl, "multi_turn_miss_func_0"))
    first = run(episode, "put_into", "k1", box="red", thing="pen")
    again = run(episode, "put_into", "k1", box="red", thing="pen")
    other = run(episode, "put_into", "k2", box="red", thing="pen")
    assert (first.data["count"], again, other.data["count"]) == (1, first, 2)


def test_two_episodes_live_at_once_with_instances_of_their_own(bfcl):
    one, two = (bfcl.begin(task(bfcl, "multi_turn_base_0")) for _ in range(2))
    assert run(one, "put_into", box="red", thing="a").data == run(two, "put_into", box="red", thing="a").data
    assert one.state() == two.state()
    run(one, "put_into", box="blue", thing="a")
    assert one.state()["Shelf"] != two.state()["Shelf"]
    assert one.state()["Sums"] == two.state()["Sums"]


def test_a_held_tool_is_shown_from_its_turn_on(bfcl):
    episode = bfcl.begin(task(bfcl, "multi_turn_miss_func_0"))
    assert [spec.name for spec in episode.tools()] == ["list_boxes", "label", "lock"]
    episode.turn = 1
    assert [spec.name for spec in episode.tools()] == ["put_into", "list_boxes", "label", "lock"]


def test_gold_by_position_gets_its_names(bfcl):
    turns, answer = bfcl.gold(task(bfcl, "multi_turn_base_0"))
    assert [[(call.id, call.name) for call in turn] for turn in turns] == [
        [("0.0", "put_into"), ("0.1", "list_boxes")],
        [("1.0", "add"), ("1.1", "exact"), ("1.2", "label")],
    ]
    assert turns[0][0].arguments == {"box": "red", "thing": "cup", "times": 2}
    assert answer == ""


def test_a_closed_episode_is_gone(bfcl):
    episode = bfcl.begin(task(bfcl, "multi_turn_base_0"))
    episode.close()
    with pytest.raises(InfrastructureError, match="The toolkit's worker failed: KeyError"):
        episode.state()


def test_a_validation_by_the_toolkit_is_told_by_its_class(agentdojo):
    episode = agentdojo.begin(task(agentdojo, "banking/user_task_0"))
    assert run(episode, "fly").failure.code == ErrorCode.UNKNOWN_TOOL
    refused = run(episode, "pay", amount=101)
    assert (refused.failure.code, refused.failure.message) == (ErrorCode.BAD_ARGUMENT, "ValueError: not enough money")
    paid = run(episode, "pay", amount=60)
    assert (paid.data, paid.parts) == ({"amount": 60}, (TextPart(text="- {'amount': 60}"),))
    assert run(episode, "get_balance").data == {"result": 40}
