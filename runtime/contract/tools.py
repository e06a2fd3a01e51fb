"""What a tool is, to whoever plans with it: a name, a schema, its effects."""

from enum import StrEnum

from pydantic import Field

from runtime.contract.base import Json, Record, StableSet

SEARCH_MEMORY = "search_user_memory"
"""The tool whose results show which memories a planner looked for."""
SKILL_PREFIX = "skill__"
"""Begins the name of every tool that loads a Skill; the slug follows, with `_` for `-`."""
MCP_PREFIX = "mcp__"
"""Begins the name of every tool of an MCP server: `mcp__SERVER__TOOL`."""


class Domain(StrEnum):
    """The 13 domains of MobilePA-Bench (Table 2 of that paper)."""

    AUDIO = "Audio & Entertainment"
    APPS = "Apps & Storage"
    DISPLAY = "Display & Sound"
    SYSTEM = "System Settings"
    TIME = "Time Management"
    ASSISTANT = "AI Assistant"
    CALLS = "Calls & Communication"
    NETWORK = "Network & Connectivity"
    TRAVEL = "Travel & Lifestyle"
    DEVICES = "Devices & Cross-device"
    INPUT = "Input & Interaction"
    UTILITIES = "Utilities & Productivity"
    SECURITY = "Security & Privacy"


class Effect(StrEnum):
    """What a call may do to the world; the guard and the admission of tasks read this."""

    READ = "read"
    WRITE = "write"
    SEND = "send"
    PAY = "pay"
    DELETE = "delete"
    INSTALL = "install"
    GRANT = "grant"
    POWER = "power"


class ToolHints(Record):
    """The hints of the Model Context Protocol, under their own names."""

    read_only: bool = False
    """Changes nothing."""
    destructive: bool = False
    """May remove what can't be brought back."""
    idempotent: bool = False
    """The same call twice leaves the same state as once."""
    open_world: bool = False
    """Reaches beyond the phone."""


class ToolSpec(Record):
    """One exposed tool."""

    name: str
    """Unique among the exposed tools; `[a-z][a-z0-9_]*`."""
    domain: Domain
    """One of the 13."""
    description: str
    """One short sentence: what the planner reads."""
    parameters: Json
    """JSON Schema (an object schema) of the arguments. A property may carry `x-spoken`: the kind of value that may be
    passed as said and is normalised by the provider (`time`, `date`, `duration`, `amount`, `contact`, ...)."""
    effects: StableSet[Effect] = frozenset({Effect.READ})
    """All that the tool can do, over all its actions."""
    action_effects: dict[str, StableSet[Effect]] = Field(default_factory=dict)
    """Effects by value of the argument `action`, where they differ (`query` only reads)."""
    permissions: tuple[str, ...] = ()
    """Permissions that the phone must have granted."""
    hints: ToolHints = ToolHints()
    """MCP-style hints."""
    examples: tuple[str, ...] = ()
    """Example phrasings, for recall only; the planner never sees them."""

    def effects_of(self, arguments: Json) -> frozenset[Effect]:
        """The effects of one call with these arguments."""
        return self.action_effects.get(str(arguments.get("action")), self.effects)
