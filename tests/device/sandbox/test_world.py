import subprocess
import sys

import pytest

from device.sandbox.rows.network import Radios, online, set_airplane_mode
from device.sandbox.rows.people import Person
from runtime.contract import UserError, WorldSpec

CALLS = """
from runtime.contract import Deadline, ToolCall, WorldSpec
from device.sandbox.registry import collect
from device.sandbox.rows import apps, network, people, storage
from device.sandbox.sandbox import Sandbox
phone = Sandbox(WorldSpec(seed=7), collect([apps, network, people, storage]))
print(phone.chance("weather", "Paris", "2026-03-03").random(), phone.new_id("contact"))
print(repr(phone.frozen().tables))
"""


def test_the_same_seed_gives_the_same_bytes_in_another_process():
    runs = {
        subprocess.run(
            [sys.executable, "-c", CALLS], capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_the_same_world_gives_the_same_observations(lab_parts):
    from device.sandbox.sandbox import Sandbox
    from runtime.contract import Deadline, ToolCall

    def run(seed: int) -> list[str]:
        phone = Sandbox(WorldSpec(seed=seed), lab_parts)
        arguments = [
            ("manage_box", {"action": "create", "name": "x", "time": "seven tomorrow"}),
            ("pay_box", {"amount": "$5", "to": "mom"}),
            ("manage_box", {"action": "query"}),
            ("break_box", {"how": "broken"}),
        ]
        calls = [ToolCall(id=f"c{n}", name=name, arguments=given) for n, (name, given) in enumerate(arguments)]
        return [phone.execute(call, Deadline.never()).model_dump_json() for call in calls]

    assert run(3) == run(3)
    assert run(3)[1] != run(4)[1]


def test_chances_depend_on_the_question_alone(lab):
    first = lab.chance("weather", "Paris", "2026-03-03").random()
    lab.chance("weather", "Rome", "2026-03-03").random()
    assert lab.chance("weather", "paris", "2026-03-03").random() == first
    assert lab.chance("weather", "Rome", "2026-03-03").random() != first


def test_facts_replace_columns_of_a_default_row_and_plant_new_ones(lab):
    facts = (
        {"table": "contacts", "id": "contact_001", "phone": "+15559999"},
        {"table": "contacts", "id": "contact_020", "name": "Zoe Park"},
        {"table": "radios", "airplane_mode": True},
        {"table": "boxes", "id": "box_009", "name": "green", "tags": ["a", "b"]},
    )
    lab.reset(WorldSpec(facts=facts))
    people = lab.table(Person)
    assert (people.need("contact_001").name, people.need("contact_001").phone) == ("Maria Bennett", "+15559999")
    assert people.need("contact_020").phone == ""
    assert lab.one(Radios).airplane_mode is True
    assert lab.table(lab.catalogue.kinds["boxes"].cls).need("box_009").tags == ("a", "b")
    assert (lab.new_id("contact"), lab.new_id("box")) == ("contact_021", "box_010")
    assert lab.diff(lab.snapshot()).empty


def test_clock_and_seed(lab):
    lab.reset(WorldSpec(clock="2026-12-24T18:30", seed=5))
    assert lab.now.isoformat() == "2026-12-24T18:30:00"
    assert lab.call("manage_box", action="query", date="tomorrow").call.arguments["date"] == "2026-12-25"


@pytest.mark.parametrize(
    ("world", "message"),
    [
        (WorldSpec(clock="noon"), "the clock of the world is `noon`; give a local time such as `2026-03-02T09:00`"),
        (
            WorldSpec(facts=({"table": "contact", "id": "x"},)),
            "table `contact`, which the phone does not have; try contacts",
        ),
        (WorldSpec(facts=({"table": "boxes", "id": "x"},)), "a fact of `boxes` lacks the column `name`; give id, name"),
        (
            WorldSpec(facts=({"table": "boxes", "colour": 1},)),
            "`boxes` has no column `colour`; its columns are id, name",
        ),
        (WorldSpec(facts=({"table": "boxes", "id": "x", "name": "y", "level": "high"},)), "wrong `level`"),
        (
            WorldSpec(denied=frozenset({"flying"})),
            "the world denies `flying`, which no tool needs; permissions are boxes",
        ),
    ],
)
def test_a_world_that_can_not_be(lab, world, message):
    before = lab.call("manage_box", action="create", name="x").data
    with pytest.raises(UserError) as error:
        lab.reset(world)
    assert message in str(error.value)
    assert lab.call("manage_box", action="query").data["boxes"][1:] == before["made"]


def test_a_world_is_never_written_by_its_phones(lab_parts):
    from device.sandbox.sandbox import Sandbox

    one, two = Sandbox(WorldSpec(), lab_parts), Sandbox(WorldSpec(), lab_parts)
    one.table(Person).delete("contact_001")
    assert two.table(Person).get("contact_001") is not None
    one.reset(WorldSpec())
    assert one.table(Person).get("contact_001") is not None


def test_airplane_mode_remembers_what_was_on(lab):
    lab.change(Radios, mobile_data=False, hotspot=True)
    off = set_airplane_mode(lab, on=True)
    assert (off.airplane_mode, off.wifi, off.bluetooth, off.mobile_data, off.hotspot) == (
        True,
        False,
        False,
        False,
        False,
    )
    assert not online(lab)
    back = set_airplane_mode(lab, on=False)
    assert (back.airplane_mode, back.wifi, back.wifi_network, back.bluetooth) == (False, True, "Home", True)
    assert (back.mobile_data, back.hotspot, back.before_airplane) == (False, True, ())
