"""What a specialist is made of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from runtime.contract import Domain, Effect, Json, ToolSpec
from runtime.subagents.by_procedure import Procedure

TEXT: Json = {"type": "string", "maxLength": 400}
HINT = "`{a1}` in a text stands for what a handoff before brought back."


@dataclass(frozen=True)
class Specialist:
    """One sub-agent."""

    spec: ToolSpec
    """The tool under which it is handed a task."""
    tools: tuple[str, ...]
    """Tools of the phone and of memory that it may call, and no others."""
    procedure: Callable[[Json, frozenset[str]], Procedure]
    """Begins its work on arguments, with the tools of those that are here."""
    steps: int = 6
    """Most decisions."""

    @property
    def name(self) -> str:
        """Of the tool."""
        return self.spec.name


def spec(
    name: str, said: str, properties: dict[str, Json], required: Sequence[str], examples: Sequence[str], writes: bool
) -> ToolSpec:
    """The tool of a specialist. What can't be taken back is asked about where it is done, in the agent's own calls."""
    return ToolSpec(
        name=name,
        domain=Domain.ASSISTANT,
        description=said,
        parameters={
            "type": "object", "properties": properties, "required": list(required), "additionalProperties": False,
        },
        effects=frozenset((Effect.READ, Effect.WRITE)) if writes else frozenset((Effect.READ,)),
        examples=tuple(examples),
    )  # fmt: skip
