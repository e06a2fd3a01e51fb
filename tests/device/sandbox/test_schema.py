from typing import Any, Literal

import pytest

from device.sandbox.api import Domain, Effect, Json, Number, PhoneNumber, Sandbox, Text, When, tool
from runtime.contract import SetupError


def test_schema_comes_from_the_signature(lab):
    spec = next(spec for spec in lab.tools() if spec.name == "manage_box")
    assert spec.parameters == {
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": ["create", "query", "update", "delete"]},
            "name": {"type": "string", "x-spoken": "text"},
            "level": {"type": "string", "x-spoken": "percent"},
            "date": {"type": "string", "x-spoken": "date"},
            "time": {"type": "string", "x-spoken": "time"},
            "repeat": {"type": "string", "x-spoken": "recurrence"},
            "copies": {"type": "integer"},
        },
        "required": ["action"],
        "additionalProperties": False,
    }
    assert spec.description == "Put, change or take boxes."
    assert spec.permissions == ("boxes",)
    assert spec.examples == ("put a box down",)
    assert spec.domain == "System Settings"


def test_effects_by_action(lab):
    spec = next(spec for spec in lab.tools() if spec.name == "manage_box")
    assert spec.effects == {Effect.WRITE, Effect.READ, Effect.DELETE}
    assert spec.effects_of({"action": "query"}) == {Effect.READ}
    assert spec.effects_of({"action": "create"}) == {Effect.WRITE}
    assert spec.effects_of({"action": "delete"}) == {Effect.DELETE}
    assert (spec.hints.destructive, spec.hints.read_only, spec.hints.open_world) == (True, False, False)
    pay = next(spec for spec in lab.tools() if spec.name == "pay_box")
    assert (pay.effects, pay.hints.open_world) == ({Effect.PAY}, True)
    assert pay.parameters["required"] == ["amount", "to"]


def test_every_plain_and_spoken_type():
    @tool(Domain.TIME, effects=Effect.READ)
    def probe(
        phone: Sandbox, a: str, b: "Number | None" = None, c: float = 1.0, d: bool = False,
        e: When | None = None, f: PhoneNumber | None = None,
    ) -> Json:  # fmt: skip
        """Probe the types."""
        return {}

    assert probe.spec.parameters["properties"] == {
        "a": {"type": "string"},
        "b": {"type": "string", "x-spoken": "number"},
        "c": {"type": "number"},
        "d": {"type": "boolean"},
        "e": {"type": "string", "x-spoken": "moment"},
        "f": {"type": "string", "x-spoken": "phone_number"},
    }
    assert (probe.spec.hints.read_only, probe.spec.hints.idempotent) == (True, True)


def test_a_long_description_is_refused():
    def chatty(phone: Sandbox) -> Json:
        """This line has by far too many words in it."""
        return {}

    with pytest.raises(SetupError, match="first docstring line of `chatty` has 10 words; write 1 to 8"):
        tool(Domain.TIME)(chatty)


def test_an_unknown_type_is_refused():
    def odd(phone: Sandbox, when: list[str]) -> Json:
        """Odd."""
        return {}

    with pytest.raises(SetupError, match="`odd` takes `when` as"):
        tool(Domain.TIME)(odd)


def test_effects_for_an_action_that_is_not_there():
    def odd(phone: Sandbox, action: Literal["a", "b"], name: Text | None = None) -> Json:
        """Odd."""
        return {}

    with pytest.raises(SetupError, match="`odd` has no action `c`"):
        tool(Domain.TIME, effects={"c": Effect.PAY})(odd)


def test_two_tools_of_one_name(lab_parts: Any):
    from types import ModuleType

    from device.sandbox.registry import collect

    def pay_box(phone: Sandbox) -> Json:
        """Another."""
        return {}

    module = ModuleType("second")
    module.one, module.two = lab_parts.tools["pay_box"], tool(Domain.TIME)(pay_box)
    with pytest.raises(SetupError, match="two tools are called `pay_box`; the second is in `second`"):
        collect([module])
