"""All rooms of a run, opened and closed together."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from runtime.assemble import Assembler, ContextLimits
from runtime.config import ChatSection, SectionsSection, Settings, eta_folder
from runtime.contract import (
    SEARCH_MEMORY,
    Approver,
    Digests,
    MemoryManager,
    Phone,
    Planner,
    SkillProvider,
    StateDiff,
    ToolProvider,
    ToolSpec,
    TraceSink,
    User,
    WorldSpec,
)
from runtime.digests import harness_digest
from runtime.eta import Eta
from runtime.eta.book import EtaBook
from runtime.executor import Executor
from runtime.guard import AllowAll, EffectGuard, Policy
from runtime.recall import Recall
from runtime.rooms import Rooms
from runtime.users import NoUser
from runtime.wiring.phones import asked_by, open_phone, spoken_clock, world_of
from runtime.wiring.stores import open_memory, open_recall, open_traces
from runtime.wiring.tools import open_crew, open_desk, open_hooks, open_mcp, open_screen_agent, open_skills

if TYPE_CHECKING:
    from runtime.mcp.provider import McpTools
    from runtime.subagents import ScreenAgent


OWNERS = {"user", "workspace", "capture"}
"""Settings of the memory that shape no context."""


@dataclass(frozen=True)
class Opened:
    """Open rooms with what stands behind them."""

    rooms: Rooms
    """For `run_episode`."""
    phone: Phone
    """The phone, in the state of its world."""
    recall: Recall
    """The tool recall; its vectors outlive an episode."""
    settings: Settings
    """In force."""
    memory: MemoryManager | None = None
    """The memory, where `memory.use` is on or one was brought along."""
    skills: SkillProvider | None = None
    """The Skills, where `skills.use` is on or some were brought along."""
    agent: "ScreenAgent | None" = None
    """The screen agent, where `screen.use` is on and the phone has a screen."""
    servers: "McpTools | None" = None
    """The tools of MCP servers, where `mcp.use` is on."""

    @property
    def beside(self) -> tuple[ToolProvider, ...]:
        """What offers tools beside the phone."""
        return tuple(one for one in (self.memory, self.skills, self.servers) if one is not None)

    def serving(self, phone: Phone, user: User, approver: Approver | None = None) -> Rooms:
        """The same rooms around another phone, user and approver: one planner serves many tasks."""
        guard = EffectGuard(approver or AllowAll(), self.settings.guard.ask - asked_by(phone))
        beside: list[ToolProvider] = list(self.beside)
        agent = open_screen_agent(self.settings, phone, self.rooms.trace)
        beside += [agent] if agent is not None else []
        hooks, lay = self.rooms.executor.hooks, self.rooms.assembler
        crew = open_crew(self.settings, phone, guard, user, self.beside, hooks, lay, self.rooms.trace)
        beside += [crew] if crew is not None else []
        executor = Executor(phone, guard, user, beside, self.rooms.executor.hooks)
        return replace(self.rooms, executor=executor, world=None)

    def snapshot(self) -> tuple[str, str]:
        """Remember the state of phone and memory."""
        return self.phone.snapshot(), self.memory.snapshot() if self.memory is not None else ""

    def began(self) -> tuple[str, str]:
        """The state in which a phone was that a run goes on with; memory as it is now."""
        here = self.snapshot()
        return getattr(self.phone, "first", here[0]), here[1]

    def diff(self, since: tuple[str, str]) -> StateDiff:
        """Net change of phone and memory since a snapshot."""
        diff = self.phone.diff(since[0])
        return diff if self.memory is None else diff.plus(self.memory.diff(since[1]))


def open_named_planner(settings: Settings) -> Planner:
    """The planner that `planner.use` names."""
    from runtime.planner import open_planner

    return open_planner(settings.planner.use, settings.planner)


@contextmanager
def open_rooms(
    settings: Settings,
    *,
    world: WorldSpec | None = None,
    phone: Phone | None = None,
    planner: Planner | None = None,
    user: User | None = None,
    approver: Approver | None = None,
    policy: Policy | None = None,
    trace: TraceSink | None = None,
    recall: Recall | None = None,
    memory: MemoryManager | None = None,
    skills: SkillProvider | None = None,
) -> Iterator[Opened]:
    """All rooms, opened in the order in which the cheap ones can fail first; what is opened here is closed here, also
    where a later one can't be opened."""
    with ExitStack() as borrowed:
        book = EtaBook(eta_folder())
        eta = book.current(settings.context.eta)
        sink = trace if trace is not None else borrowed.enter_context(closing(open_traces()))
        if phone is None:
            world = world or world_of(settings)
            phone = open_phone(settings.phone.backend, world, settings.phone.serial, approver)
            borrowed.callback(phone.close)
        if planner is None:
            planner = open_named_planner(settings)
            borrowed.callback(planner.close)
        recall = recall or open_recall()
        if memory is None and settings.memory.use:
            memory = borrowed.enter_context(closing(open_memory(settings, recall.embedder, phone)))
        if skills is None and settings.skills.use:
            skills = open_skills(settings, partial(_names, phone, memory))
        agent, servers = open_screen_agent(settings, phone, sink), open_mcp(settings)
        for one in (agent, servers):
            if one is not None:
                borrowed.callback(one.close)
        beside: list[ToolProvider] = [each for each in (memory, skills, agent, servers) if each is not None]
        guard = EffectGuard(approver or AllowAll(), settings.guard.ask - asked_by(phone), policy)
        hooks, answers = open_hooks(settings), user or NoUser()
        lay = Assembler(planner, recall, eta)
        crew = open_crew(settings, phone, guard, answers, tuple(beside), hooks, lay, sink)
        beside += [crew] if crew is not None else []
        executor = Executor(phone, guard, answers, beside, hooks)
        recall.warm(executor.offered())
        offered = [spec for spec in executor.offered() if spec not in (crew.tools() if crew is not None else ())]
        assembler, digests = _assembly(settings, planner, recall, memory, phone, offered, eta, book)
        rooms = Rooms(
            planner=planner,
            assembler=assembler,
            executor=executor,
            trace=sink,
            result_chars=settings.context.result_chars,
            digests=digests,
            settings=settings.model_dump(mode="json"),
            phone=getattr(phone, "id", ""),
            world=world.model_dump(mode="json") if world is not None else None,
            memory=memory if settings.memory.capture else None,
        )
        yield Opened(rooms, phone, recall, settings, memory, skills, agent, servers)


def _assembly(settings: Settings, planner: Planner, recall: Recall, memory: MemoryManager | None, phone: Phone,
              offered: Sequence[ToolSpec], eta: Eta, book: EtaBook) -> tuple[Assembler, Digests]:  # fmt: skip
    """What lays out the contexts, and the digests of what shapes them; `offered`: the tools that guidance is about."""
    domains = book.domains() if settings.context.domains else {}
    adapter = open_desk().adapter(offered, settings.skills.shelves) if settings.skills.guidance else None
    told = [*([adapter.digest] if adapter is not None else ()), *(one.digest for one in domains.values())]
    assembler = Assembler(
        planner,
        recall,
        eta,
        limits_of(settings, planner),
        adapter=adapter,
        memory=memory if settings.memory.inject else None,
        clock=partial(spoken_clock, phone) if settings.context.now else None,
        pinned=(SEARCH_MEMORY,) if memory is not None else (),
        domains=domains,
    )
    harness = harness_digest(eta, shaping(settings, " ".join(told)), recall.identity)
    return assembler, Digests(harness=harness, sampling=getattr(planner, "sampling", {}))


def _names(*providers: ToolProvider | None) -> list[str]:
    return [spec.name for provider in providers if provider is not None for spec in provider.tools()]


def limits_of(settings: Settings, planner: Planner) -> ContextLimits:
    """The sizes that hold for every context; a planner may say with how many likely tools it was trained."""
    likely = settings.context.likely
    return ContextLimits(
        output_tokens=settings.planner.max_output_tokens,
        steps_tokens=settings.context.steps_tokens,
        memory_items=settings.context.memory_items,
        memory_chars=settings.memory.result_chars,
        skill_chars=settings.skills.result_chars,
        likely=getattr(planner, "likely", 0) if likely is None else likely,
        profile_items=settings.memory.profile,
        tokens={part: limit for part, limit in settings.sections if limit is not None},
    )


def shaping(settings: Settings, guidance: str = "") -> dict[str, object]:
    """The settings that shape contexts and stops; those of memory, Skills, hooks and screen where they are in use.

    `guidance` holds the digests of Skill guidance and of domains' instructions in use. What is off counts for nothing.
    """
    skills = settings.skills
    used = {"memory": settings.memory.use, "skills": skills.use or skills.guidance or skills.checks,
            "hooks": bool(settings.hooks.before or settings.hooks.after), "screen": settings.screen.use,
            "mcp": settings.mcp.use, "sections": settings.sections != SectionsSection(),
            "chat": settings.chat != ChatSection(), "recovery": settings.recovery.use,
            "agents": settings.agents.use}  # fmt: skip
    include = {"budget", "context", "guard", *(name for name, one in used.items() if one)}
    off = {"context": set() if settings.context.domains else {"domains"}}
    shaped = settings.model_dump(mode="json", include=include, exclude={"memory": OWNERS, **off})
    return shaped | ({"guidance": guidance} if guidance else {})
