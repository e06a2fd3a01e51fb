"""The one place of the runtime that knows the other rooms: it opens a phone, an embedder and a planner by name.

Everything it hands out stands behind a Protocol of the contract. What a caller brings along (a phone of its own, a
scripted planner, another user) takes the place of what the settings name.
"""

from runtime.wiring.kept import kept_phone
from runtime.wiring.phones import (
    BACKENDS,
    asked_by,
    clock_of,
    connected_phones,
    open_phone,
    spoken_clock,
    world_of,
)
from runtime.wiring.rooms import (
    Opened,
    limits_of,
    open_named_planner,
    open_rooms,
    shaping,
)
from runtime.wiring.stores import (
    embedder_problems,
    open_database,
    open_embedder,
    open_memory,
    open_phones,
    open_recall,
    open_service,
    open_traces,
    planner_tokens,
    read_traces,
    sqlite_found,
)
from runtime.wiring.tools import (
    accepted_tools,
    every_tool,
    mcp_limits,
    offered_tools,
    offered_with_notes,
    open_crew,
    open_desk,
    open_hooks,
    open_mcp,
    open_screen_agent,
    open_skills,
)

__all__ = [
    "BACKENDS",
    "Opened",
    "accepted_tools",
    "asked_by",
    "clock_of",
    "connected_phones",
    "embedder_problems",
    "every_tool",
    "kept_phone",
    "limits_of",
    "mcp_limits",
    "offered_tools",
    "offered_with_notes",
    "open_crew",
    "open_database",
    "open_desk",
    "open_embedder",
    "open_hooks",
    "open_mcp",
    "open_memory",
    "open_named_planner",
    "open_phone",
    "open_phones",
    "open_recall",
    "open_rooms",
    "open_screen_agent",
    "open_service",
    "open_skills",
    "open_traces",
    "planner_tokens",
    "read_traces",
    "shaping",
    "spoken_clock",
    "sqlite_found",
    "world_of",
]
