"""The vocabulary that serves, opened once, and a few tools."""

from collections.abc import Iterator

import pytest

from device.sandbox.sandbox import Sandbox
from runtime.contract import ToolSpec
from runtime.planner.embedded import base_file
from runtime.planner.tokens import Vocabulary, vocabulary_of


@pytest.fixture(scope="session")
def vocabulary() -> Iterator[Vocabulary]:
    found, engine = vocabulary_of(base_file())
    yield found
    engine.close()


@pytest.fixture(scope="session")
def specs() -> dict[str, ToolSpec]:
    return {spec.name: spec for spec in Sandbox().tools()}
