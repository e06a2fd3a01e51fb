"""The one file of the runtime that knows the other rooms: it opens a phone, an embedder and a planner by name.

Everything it hands out stands behind a Protocol of the contract. What a caller brings along (a phone of its own, a
scripted planner, another user) takes the place of what the settings name.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from runtime.arguments import near
from runtime.assemble import Assembler, ContextLimits
from runtime.config import Settings, trace_file
from runtime.contract import (
    Approver,
    Digests,
    Embedder,
    Phone,
    Planner,
    TraceSink,
    User,
    UserError,
    WorldSpec,
)
from runtime.digests import harness_digest
from runtime.eta import load_eta
from runtime.executor import Executor
from runtime.guard import AllowAll, EffectGuard
from runtime.planner.settings import cache_folder
from runtime.recall import Recall, Vectors
from runtime.rooms import Rooms
from runtime.trace import TraceStore
from runtime.users import NoUser


def _sandbox(world: WorldSpec) -> Phone:
    from device.sandbox.sandbox import Sandbox

    return Sandbox(world)


BACKENDS: dict[str, Callable[[WorldSpec], Phone]] = {"sandbox": _sandbox}
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

    def serving(self, phone: Phone, user: User, approver: Approver | None = None) -> Rooms:
        """The same rooms around another phone, user and approver: one planner serves many tasks."""
        guard = EffectGuard(approver or AllowAll(), self.settings.guard.ask)
        return replace(self.rooms, executor=Executor(phone, guard, user))


def world_of(settings: Settings) -> WorldSpec:
    """The world that the settings describe."""
    clock = settings.phone.clock or datetime.now().isoformat(timespec="minutes")
    return WorldSpec(clock=clock, seed=settings.phone.seed)


def open_phone(backend: str, world: WorldSpec) -> Phone:
    """A phone in the state of `world`. An unknown backend is a `UserError`."""
    if backend not in BACKENDS:
        known = ", ".join(f"`{name}`" for name in BACKENDS)
        raise UserError(f"there is no backend `{backend}`{near(backend, list(BACKENDS)) or '.'} Use one of {known}.")
    return BACKENDS[backend](world)


def open_embedder() -> Embedder:
    """The embedder in the package."""
    from memory.embedder import MiniLmEmbedder

    return MiniLmEmbedder()


def open_recall(embedder: Embedder | None = None) -> Recall:
    """Tool recall whose vectors are kept in the cache folder."""
    return Recall(embedder or open_embedder(), _kept)


def _kept(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    from memory.embedder import cached_embeddings

    return cached_embeddings(embedder, texts, cache_folder() / "embeddings")


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
) -> Iterator[Opened]:
    """All rooms, opened in the order in which the cheap ones can fail first; what is opened here is closed here."""
    eta = load_eta(settings.context.eta)
    store = None if trace is not None else TraceStore(trace_file())
    phone_in_use = phone if phone is not None else open_phone(settings.phone.backend, world or world_of(settings))
    planner_in_use = planner if planner is not None else open_named_planner(settings)
    recall = recall or open_recall()
    recall.warm(phone_in_use.tools())
    limits = ContextLimits(
        output_tokens=settings.planner.max_output_tokens,
        steps_tokens=settings.context.steps_tokens,
        memory_items=settings.context.memory_items,
    )
    clock = (lambda: spoken_clock(phone_in_use)) if settings.context.now else None
    rooms = Rooms(
        planner=planner_in_use,
        assembler=Assembler(planner_in_use, recall, eta, limits, clock=clock),
        executor=Executor(phone_in_use, EffectGuard(approver or AllowAll(), settings.guard.ask), user or NoUser()),
        trace=trace if trace is not None else store,  # type: ignore[arg-type]
        result_chars=settings.context.result_chars,
        digests=Digests(
            harness=harness_digest(eta, shaping(settings)), sampling=getattr(planner_in_use, "sampling", {})
        ),
        settings=settings.model_dump(mode="json"),
    )
    try:
        yield Opened(rooms, phone_in_use, recall, settings)
    finally:
        if planner is None:
            planner_in_use.close()
        if phone is None:
            phone_in_use.close()
        if store is not None:
            store.close()


def shaping(settings: Settings) -> dict[str, object]:
    """The settings that shape contexts and stops."""
    return settings.model_dump(mode="json", include={"budget", "context", "guard"})


def spoken_clock(phone: Phone) -> str:
    """The phone's time in words, `Monday 2 March 2026, 09:00`; nothing where the phone has no clock of its own."""
    now = getattr(phone, "now", None)
    return f"{now:%A} {now.day} {now:%B %Y, %H:%M}" if isinstance(now, datetime) else ""
