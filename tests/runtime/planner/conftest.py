"""A small context over the frozen layout, a few tools, and the base model opened once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from runtime.contract import Domain, Json, ToolSpec
from runtime.dialect import signature
from runtime.layout import Piece, open_assistant, static_pieces, system_pieces, text_of, turn_pieces


@dataclass
class View:
    """A `ContextView` that tests write by hand."""

    pieces: list[Piece] = field(default_factory=list)
    static_pieces: int = 0
    segment: int = 0
    exposed: Sequence[ToolSpec] = ()
    messages: list[Json] = field(default_factory=list)

    @property
    def text(self) -> str:
        return text_of(self.pieces)


def spec(name: str, required: Sequence[str] = (), **properties: Json) -> ToolSpec:
    schema = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    return ToolSpec(name=name, domain=Domain.TIME, description=f"What {name} does.", parameters=schema)


ALARM = spec(
    "manage_alarm",
    ["action"],
    action={"type": "string", "enum": ["create", "delete"]},
    time={"type": "string", "x-spoken": "time"},
    label={"type": "string"},
    snooze={"type": "integer", "minimum": 1, "maximum": 30},
    loud={"type": "boolean"},
)
LIGHT = spec("control_flashlight", ["action"], action={"type": "string", "enum": ["enable", "disable"]})


def view_of(request: str, tools: Sequence[ToolSpec] = (ALARM, LIGHT), eta: str = "You plan for a phone.") -> View:
    static = static_pieces(eta)
    system = system_pieces({"tools": "\n".join(signature(tool) for tool in tools)})
    pieces = [*static, *system, *turn_pieces("user", request), *open_assistant()]
    messages: list[Json] = [{"role": "system", "content": eta}, {"role": "user", "content": request}]
    return View(pieces, len(static), 0, tools, messages)


@pytest.fixture(scope="session")
def base() -> Path:
    from runtime.planner.embedded import base_file

    return base_file()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """No test touches the user's folders."""
    monkeypatch.setenv("POCKET_HOME", str(tmp_path / "home"))
    yield tmp_path / "home"
