import pytest

from device.sandbox.sandbox import Sandbox
from evalkit.policies import policy_of
from runtime.contract import Domain, TaskSpec, TaskView, WorldSpec


@pytest.fixture
def phone():
    return Sandbox()


@pytest.fixture
def make(phone):
    """A task from a gold."""

    def task(*gold, request="do it", facts=(), denied=(), mentions=(), unavailable=(), **fields):
        world = WorldSpec(facts=tuple(facts), denied=frozenset(denied))
        return TaskSpec(
            id=fields.pop("id", "t/1"),
            view=TaskView(request=request, unavailable=frozenset(unavailable)),
            world=world,
            policy=policy_of(gold, world, phone, mentions),
            gold=gold,
            family=fields.pop("family", "family"),
            domain=Domain.TIME,
            **fields,
        )

    return task


def call(name, **arguments):
    return {"name": name, "arguments": arguments}
