"""The one file of the runtime that knows the other rooms: it opens a phone, an embedder and a planner by name.

Everything it hands out stands behind a Protocol of the contract. What a caller brings along (a phone of its own, a
scripted planner, another user) takes the place of what the settings name.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from runtime.arguments import near
from runtime.assemble import Assembler, ContextLimits
from runtime.config import Settings, memory_file, trace_file
from runtime.contract import (
    SEARCH_MEMORY,
    Approver,
    Database,
    Digests,
    Effect,
    Embedder,
    Json,
    MemoryManager,
    Phone,
    Planner,
    Schema,
    Screen,
    SkillProvider,
    StateDiff,
    ToolProvider,
    ToolSpec,
    TraceSink,
    User,
    UserError,
    WorldSpec,
)
from runtime.digests import harness_digest
from runtime.eta import load_eta
from runtime.executor import Executor
from runtime.guard import AllowAll, EffectGuard
from runtime.planner.checkpoints import FOLDER as CHECKPOINTS
from runtime.planner.settings import cache_folder, home_folders
from runtime.recall import Recall, Vectors
from runtime.rooms import Rooms
from runtime.trace import TraceReader, TraceStore
from runtime.users import NoUser

if TYPE_CHECKING:
    from memory.service import MemoryService
    from runtime.planner.tokens import Vocabulary
    from runtime.subagents import ScreenAgent


def _sandbox(world: WorldSpec, serial: str, approver: Approver | None) -> Phone:
    from device.sandbox.sandbox import Sandbox

    return Sandbox(world)


def _android(world: WorldSpec, serial: str, approver: Approver | None) -> Phone:
    from device.android.phone import AndroidPhone

    phone = AndroidPhone(serial, approver)
    try:
        phone.reset(world)
    except BaseException:
        phone.close()
        raise
    return phone


OWNERS = {"user", "workspace", "capture"}
"""Settings of the memory that shape no context."""
BACKENDS: dict[str, Callable[[WorldSpec, str, Approver | None], Phone]] = {"sandbox": _sandbox, "android": _android}
"""Phones by name."""


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

    @property
    def beside(self) -> tuple[ToolProvider, ...]:
        """What offers tools beside the phone."""
        return tuple(provider for provider in (self.memory, self.skills) if provider is not None)

    def serving(self, phone: Phone, user: User, approver: Approver | None = None) -> Rooms:
        """The same rooms around another phone, user and approver: one planner serves many tasks."""
        guard = EffectGuard(approver or AllowAll(), self.settings.guard.ask - asked_by(phone))
        agent = open_screen_agent(self.settings, phone, self.rooms.trace)
        beside = self.beside if agent is None else (*self.beside, agent)
        return replace(self.rooms, executor=Executor(phone, guard, user, beside))

    def snapshot(self) -> tuple[str, str]:
        """Remember the state of phone and memory."""
        return self.phone.snapshot(), self.memory.snapshot() if self.memory is not None else ""

    def diff(self, since: tuple[str, str]) -> StateDiff:
        """Net change of phone and memory since a snapshot."""
        diff = self.phone.diff(since[0])
        return diff if self.memory is None else diff.plus(self.memory.diff(since[1]))


def world_of(settings: Settings) -> WorldSpec:
    """The world that the settings describe."""
    clock = settings.phone.clock or datetime.now().isoformat(timespec="minutes")
    if clock[:4].isdigit() and not "1970" <= clock[:4] <= "2100":
        raise UserError(f"`phone.clock` is `{clock}`; a phone's year lies between 1970 and 2100.")
    return WorldSpec(clock=clock, seed=settings.phone.seed)


def open_phone(backend: str, world: WorldSpec, serial: str = "", approver: Approver | None = None) -> Phone:
    """A phone in the state of `world`. An unknown backend is a `UserError`. `serial` says which connected phone, and
    `approver` answers for one that asks by itself before what can't be taken back."""
    if backend not in BACKENDS:
        known = ", ".join(f"`{name}`" for name in BACKENDS)
        raise UserError(f"there is no backend `{backend}`{near(backend, list(BACKENDS)) or '.'} Use one of {known}.")
    return BACKENDS[backend](world, serial, approver)


def open_database(path: Path | None, schema: Schema, read_only: bool = False) -> Database:
    """A file of the project's one SQLite factory, which the memory room keeps."""
    from memory.sqlite import open_database as opened

    return opened(path, schema, read_only)


def sqlite_found() -> tuple[str, bool]:
    """Version and module of the SQLite in use, and whether it has the fix of the WAL-reset bug."""
    from memory.sqlite import module, safe

    version: str = module().sqlite_version
    return f"{version} from {module().__name__.partition('.')[0]}", safe(version)


def open_traces() -> TraceStore:
    """The traces, for writing."""
    return TraceStore(trace_file(), open_database)


def read_traces() -> TraceReader:
    """The traces, for reading; a `UserError` where there are none yet."""
    return TraceReader(trace_file(), open_database)


def open_embedder() -> Embedder:
    """The embedder in the package."""
    from memory.embedder import MiniLmEmbedder

    return MiniLmEmbedder()


def open_recall(embedder: Embedder | None = None) -> Recall:
    """Tool recall whose vectors are kept in the cache folder."""
    return Recall(embedder or open_embedder(), open_database, _kept)


def _kept(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    from memory.embedder import cached_embeddings

    return cached_embeddings(embedder, texts, cache_folder() / "embeddings")


def open_memory(settings: Settings, embedder: Embedder, phone: Phone) -> MemoryManager:
    """The memory that the settings name; it takes its time from the phone where that has a clock."""
    from memory.manager import UserMemory

    return UserMemory(service=_service(settings, embedder, lambda: clock_of(phone)))


def open_service(settings: Settings) -> "MemoryService":
    """The memory that the settings name, for a person at a terminal; its embedder is loaded when it is needed."""
    if memory_file(settings) is None:
        raise UserError("`memory.file` is `:memory:`, of which nothing outlives a command. Name a file, or unset it.")
    return _service(settings, open_embedder(), datetime.now)


def _service(settings: Settings, embedder: Embedder, clock: Callable[[], datetime]) -> "MemoryService":
    from memory.access.access import device_access
    from memory.house import House, Reach
    from memory.service import MemoryService

    file, owner = memory_file(settings), (settings.memory.user, settings.memory.workspace)
    if file is None:
        return MemoryService(None, embedder, clock, access=device_access(*owner))
    reach = Reach(
        roots=home_folders(),
        caches=(cache_folder(),),
        checkpoints=(CHECKPOINTS,),
        sinks=lambda: (open_traces(),),
        tokens=_planner_ids,
    )
    return House(file, embedder, clock, user=owner[0], workspace=owner[1], reach=reach)


def _planner_ids(text: str) -> Sequence[int]:
    """Token ids of a text in the embedded planner's vocabulary."""
    return _vocabulary().encode(text)


@lru_cache(maxsize=1)
def _vocabulary() -> "Vocabulary":
    from runtime.planner.embedded import base_file
    from runtime.planner.tokens import vocabulary_of

    return vocabulary_of(base_file())[0]


def open_skills(known: Callable[[], Iterable[str]]) -> SkillProvider:
    """Loaders of the package's Skills; `known` gives the names of the tools that are offered beside them."""
    from skills.loaders import SkillLoaders

    return SkillLoaders(known=known)


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
        specs += open_skills(lambda: [spec.name for spec in specs]).tools()
    phone.close()
    return specs, notes


def connected_phones() -> list[tuple[str, str, bool, str]]:
    """What a connected phone needs on this machine, and which are attached: name, what was found, right, fix."""
    from device.android.checks import checks

    return checks()


def embedder_problems() -> list[str]:
    """What is wrong with the embedder's files, a sentence each."""
    from memory.embedder import MODEL_FOLDER, problems, read_manifest

    return list(problems(read_manifest(MODEL_FOLDER), MODEL_FOLDER))


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
    trace: TraceSink | None = None,
    recall: Recall | None = None,
    memory: MemoryManager | None = None,
    skills: SkillProvider | None = None,
) -> Iterator[Opened]:
    """All rooms, opened in the order in which the cheap ones can fail first; what is opened here is closed here."""
    eta = load_eta(settings.context.eta)
    store = None if trace is not None else open_traces()
    phone_in_use = phone if phone is not None else _opened_phone(settings, world, approver)
    planner_in_use = planner if planner is not None else open_named_planner(settings)
    recall = recall or open_recall()
    remembers = memory or (open_memory(settings, recall.embedder, phone_in_use) if settings.memory.use else None)
    loads = skills or (open_skills(lambda: _names(phone_in_use, remembers)) if settings.skills.use else None)
    sink: TraceSink = trace if trace is not None else store  # type: ignore[assignment]
    agent = open_screen_agent(settings, phone_in_use, sink)
    beside: list[ToolProvider] = [provider for provider in (remembers, loads, agent) if provider is not None]
    guard = EffectGuard(approver or AllowAll(), settings.guard.ask - asked_by(phone_in_use))
    executor = Executor(phone_in_use, guard, user or NoUser(), beside)
    recall.warm(executor.offered())
    clock = (lambda: spoken_clock(phone_in_use)) if settings.context.now else None
    rooms = Rooms(
        planner=planner_in_use,
        assembler=Assembler(
            planner_in_use,
            recall,
            eta,
            limits_of(settings, planner_in_use),
            memory=remembers if settings.memory.inject else None,
            clock=clock,
            pinned=(SEARCH_MEMORY,) if remembers is not None else (),
        ),
        executor=executor,
        trace=sink,
        result_chars=settings.context.result_chars,
        digests=Digests(
            harness=harness_digest(eta, shaping(settings)), sampling=getattr(planner_in_use, "sampling", {})
        ),
        settings=settings.model_dump(mode="json"),
        memory=remembers if settings.memory.capture else None,
    )
    try:
        yield Opened(rooms, phone_in_use, recall, settings, remembers, loads, agent)
    finally:
        if agent is not None:
            agent.close()
        if memory is None and remembers is not None:
            remembers.close()
        if planner is None:
            planner_in_use.close()
        if phone is None:
            phone_in_use.close()
        if store is not None:
            store.close()


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


def _opened_phone(settings: Settings, world: WorldSpec | None, approver: Approver | None) -> Phone:
    """A phone that asks by itself refuses what it asks about where nobody is there to answer."""
    return open_phone(settings.phone.backend, world or world_of(settings), settings.phone.serial, approver)


def asked_by(phone: Phone) -> frozenset[Effect]:
    """Effects that the phone itself has agreed to by its approver; nobody is asked twice."""
    return frozenset(getattr(phone, "asks", ()))


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
    )


def _names(*providers: ToolProvider | None) -> list[str]:
    return [spec.name for provider in providers if provider is not None for spec in provider.tools()]


def shaping(settings: Settings) -> dict[str, object]:
    """The settings that shape contexts and stops; those of memory and Skills where they are in use."""
    used = {name for name in ("memory", "skills", "screen") if getattr(settings, name).use}
    return settings.model_dump(mode="json", include={"budget", "context", "guard", *used}, exclude={"memory": OWNERS})


def clock_of(phone: Phone) -> datetime:
    """The phone's time; the machine's where it has no clock of its own."""
    now = getattr(phone, "now", None)
    return now if isinstance(now, datetime) else datetime.now()


def spoken_clock(phone: Phone) -> str:
    """The phone's time in words, `Monday 2 March 2026, 09:00`; nothing where the phone has no clock of its own."""
    now = getattr(phone, "now", None)
    return f"{now:%A} {now.day} {now:%B %Y, %H:%M}" if isinstance(now, datetime) else ""
