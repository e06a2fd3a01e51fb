"""A digest is the same in every process, whatever order its hash seed gives to sets."""

import os
import subprocess
import sys

from runtime.contract import Domain, Effect, ToolSpec, WorldSpec

PROGRAM = """
from runtime.config import Settings
from runtime.contract import Effect, ToolSpec, WorldSpec, digest_of
from runtime.wiring import shaping
world = WorldSpec(denied=frozenset(("camera", "contacts", "storage", "calls", "payments")))
print(digest_of(Settings().model_dump(mode="json")), digest_of(shaping(Settings())), digest_of(world))
"""


def test_digests_do_not_depend_on_the_hash_seed():
    said = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3", "4")
    }
    assert len(said) == 1


def test_sets_are_sorted_as_json_and_stay_sets_otherwise():
    spec = ToolSpec(
        name="x",
        domain=Domain.INPUT,
        description="X.",
        parameters={"type": "object"},
        effects=frozenset({Effect.WRITE, Effect.DELETE, Effect.READ}),
        action_effects={"a": frozenset({Effect.WRITE, Effect.PAY})},
    )
    shown = spec.model_dump(mode="json")
    assert shown["effects"] == ["delete", "read", "write"]
    assert shown["action_effects"] == {"a": ["pay", "write"]}
    assert spec.model_dump()["effects"] == {Effect.READ, Effect.WRITE, Effect.DELETE}
    assert ToolSpec.model_validate_json(spec.model_dump_json()) == spec
    assert WorldSpec(denied=frozenset("cab")).model_dump_json().count('["a","b","c"]') == 1
