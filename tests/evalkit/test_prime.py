from evalkit.prime import primed
from runtime.contract import WorldSpec
from tests.evalkit.conftest import call

DONE = {"finish": ""}


def test_a_switch_that_is_set_already_is_turned_over_first(phone):
    world = primed((call("control_flashlight", action="disable"), DONE), WorldSpec(), phone)
    assert world.facts == ({"table": "flashlight", "on": True},)


def test_a_world_where_the_gold_works_stays(phone):
    world = WorldSpec()
    assert primed((call("control_flashlight", action="enable"), DONE), world, phone) is world


def test_reads_and_denied_worlds_are_left_alone(phone):
    world = WorldSpec(denied=frozenset(("camera",)))
    assert primed((call("take_photo"), DONE), world, phone) is world
    assert primed((call("query_location"), DONE), WorldSpec(), phone) == WorldSpec()
