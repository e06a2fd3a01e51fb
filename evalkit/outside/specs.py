"""A toolkit's tools as ToolSpecs: names that the contract allows, a domain, effects."""

import re
from collections.abc import Iterable

from evalkit.outside.wire import OutsideTool
from runtime.contract import Domain, Effect, InfrastructureError, ToolSpec

DOMAINS: dict[str, Domain] = {
    "GorillaFileSystem": Domain.APPS,
    "MathAPI": Domain.UTILITIES,
    "MessageAPI": Domain.CALLS,
    "TicketAPI": Domain.UTILITIES,
    "TradingBot": Domain.UTILITIES,
    "TravelAPI": Domain.TRAVEL,
    "TwitterAPI": Domain.CALLS,
    "VehicleControlAPI": Domain.DEVICES,
    "banking": Domain.UTILITIES,
    "slack": Domain.CALLS,
    "travel": Domain.TRAVEL,
    "workspace": Domain.UTILITIES,
}
"""The nearest of the 13 domains to each group."""
EFFECTS = frozenset({Effect.READ, Effect.WRITE})
"""Toolkits don't declare effects, so each of their tools may write."""


def spec_name(name: str) -> str:
    """The toolkit's name in the contract's alphabet: `lockDoors` becomes `lock_doors`."""
    return re.sub(r"[^a-z0-9_]", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())


def spec_of(tool: OutsideTool) -> ToolSpec:
    """The ToolSpec of one tool."""
    return ToolSpec(
        name=spec_name(tool.name),
        domain=DOMAINS.get(tool.group, Domain.UTILITIES),
        description=tool.description,
        parameters=tool.parameters,
        effects=EFFECTS,
    )


def own_names(tools: Iterable[OutsideTool]) -> dict[str, str]:
    """The toolkit's name by the contract's name. Raises InfrastructureError where two tools would share one."""
    names: dict[str, str] = {}
    for tool in tools:
        if names.setdefault(spec_name(tool.name), tool.name) != tool.name:
            raise InfrastructureError(f"`{tool.name}` and `{names[spec_name(tool.name)]}` would share one name.")
    return names
