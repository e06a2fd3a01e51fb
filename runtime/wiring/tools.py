"""What is offered beside the phone: Skills, hooks, the screen agent; and the list of all tools."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, cast

from runtime.assemble import Assembler
from runtime.config import Settings, mcp_file
from runtime.contract import (
    CallHook,
    Guard,
    Json,
    Phone,
    Planner,
    Screen,
    SkillProvider,
    ToolProvider,
    ToolSpec,
    TraceSink,
    User,
)
from runtime.planner.settings import data_folder
from runtime.wiring.phones import open_phone, world_of
from runtime.wiring.stores import read_traces

if TYPE_CHECKING:
    from runtime.mcp.provider import McpTools
    from runtime.mcp.records import Limits
    from runtime.subagents import ScreenAgent
    from runtime.subagents.crew import Crew
    from skills.desk import Desk


def open_desk() -> "Desk":
    """The Skills of the package and those that the user has installed."""
    from skills.desk import Desk

    return Desk(data_folder() / "skills")


def open_skills(settings: Settings, known: Callable[[], Iterable[str]]) -> SkillProvider:
    """Loaders of the Skills that are offered; `known` gives the names of the tools that are offered beside them."""
    from skills.loaders import SkillLoaders

    return SkillLoaders(open_desk().skills(settings.skills.shelves), known)


def open_hooks(settings: Settings) -> tuple[CallHook, ...]:
    """What is run around every call: what follows a failure, the conditions of Skills, the user's programs."""
    from runtime.hooks import CommandHook
    from runtime.recovery import Recovery

    own, skills = settings.hooks, settings.skills
    hooks: list[CallHook] = [Recovery(settings.recovery.corrections)] if settings.recovery.use else []
    hooks += [open_desk().checks(skills.shelves, skills.guidance)] if skills.checks else []
    hooks += [CommandHook(own.before, "before", own.seconds)] if own.before else []
    return (*hooks, *([CommandHook(own.after, "after", own.seconds)] if own.after else []))


def open_screen_agent(settings: Settings, phone: Phone, trace: TraceSink | None = None) -> "ScreenAgent | None":
    """The agent that works on the phone's screen; None where it is off, or where the phone has no screen to work on."""
    if not settings.screen.use or not (hasattr(phone, "observe") and hasattr(phone, "act")):
        return None
    from runtime.subagents import PlannedChooser, ScreenAgent, WordsChooser

    name = settings.screen.planner

    def opened() -> Planner:
        from runtime.planner import open_planner

        return open_planner(name, settings.planner)

    chooser = WordsChooser() if name == "words" else PlannedChooser(opened, name)
    return ScreenAgent(cast(Screen, phone), chooser, trace, settings.screen.steps)


def open_crew(
    settings: Settings,
    phone: Phone,
    guard: Guard,
    user: User,
    beside: Sequence[ToolProvider],
    hooks: Sequence[CallHook],
    lay: Assembler,
    trace: TraceSink,
) -> "Crew | None":
    """The sub-agents; None where they are off. `lay` lends recall and instructions to their contexts."""
    if not settings.agents.use:
        return None
    from runtime.subagents.crew import Crew

    return Crew(phone, guard, user, beside, hooks, lay, trace, settings.agents.seconds, read_traces)


def open_mcp(settings: Settings) -> "McpTools | None":
    """The accepted tools of the user's MCP servers; None where they are off. No server runs before it is called."""
    if not settings.mcp.use:
        return None
    from runtime.mcp.book import ServerBook
    from runtime.mcp.provider import McpTools

    return McpTools(ServerBook(mcp_file()).servers(), mcp_limits(settings))


def accepted_tools() -> dict[str, ToolSpec]:
    """The tools of the user's MCP servers by name, as accepted, whether or not runs are offered them."""
    from runtime.mcp.book import ServerBook
    from runtime.mcp.schemas import specs_of

    servers = ServerBook(mcp_file()).servers()
    return {name: spec for server in servers for name, (spec, _) in specs_of(server)[0].items()}


def mcp_limits(settings: Settings) -> "Limits":
    """What one server may take."""
    from runtime.mcp.records import Limits

    own = settings.mcp
    return Limits(seconds=own.seconds, connect_seconds=own.connect_seconds, result_bytes=own.result_bytes)


def every_tool(settings: Settings) -> list[ToolSpec]:
    """All tools for which guidance is compiled: what a run may offer, less the loaders of Skills."""
    wide = {"memory": settings.memory.model_copy(update={"use": True}),
            "mcp": settings.mcp.model_copy(update={"use": False}),
            "skills": settings.skills.model_copy(update={"use": False}),
            "agents": settings.agents.model_copy(update={"use": False})}  # fmt: skip
    return offered_tools(settings.model_copy(update=wide))


def offered_tools(settings: Settings) -> list[ToolSpec]:
    """All tools that a run under these settings offers; nothing of the user's is opened."""
    return offered_with_notes(settings)[0]


def offered_with_notes(settings: Settings) -> tuple[list[ToolSpec], dict[str, Json]]:
    """The same, with what a connected phone says about each of its tools: since when, what it needs, its proof."""
    phone = open_phone(settings.phone.backend, world_of(settings), settings.phone.serial)
    specs = list(phone.tools())
    notes: dict[str, Json] = phone.notes() if hasattr(phone, "notes") else {}
    if settings.memory.use:
        from memory.tools import SPECS

        specs += SPECS
    if settings.skills.use:
        specs += open_skills(settings, lambda: [spec.name for spec in specs]).tools()
    if settings.agents.use:
        from runtime.subagents.specialists import staff

        specs += [one.spec for one in staff({spec.name for spec in specs})]
    if (mcp := open_mcp(settings)) is not None:
        specs += mcp.tools()
    phone.close()
    return specs, notes
