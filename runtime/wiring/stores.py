"""What is kept on the disk: traces, the embedder and its vectors, the memory."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from runtime.config import Settings, memory_file, phones_file, trace_file
from runtime.contract import Database, Embedder, Erasable, MemoryManager, Phone, Schema, UserError
from runtime.planner.checkpoints import FOLDER as CHECKPOINTS
from runtime.planner.settings import cache_folder, home_folders
from runtime.prototypes import load_prototypes
from runtime.recall import Recall, Vectors
from runtime.trace import TraceReader, TraceStore
from runtime.wiring.phones import clock_of

if TYPE_CHECKING:
    from device.sandbox.kept import PhoneStore
    from memory.service import MemoryService
    from runtime.planner.tokens import Vocabulary


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


def embedder_problems() -> list[str]:
    """What is wrong with the embedder's files, a sentence each."""
    from memory.embedder import MODEL_FOLDER, problems, read_manifest

    return list(problems(read_manifest(MODEL_FOLDER), MODEL_FOLDER))


def open_recall(embedder: Embedder | None = None, trained: bool = True) -> Recall:
    """Tool recall, its vectors kept in the cache folder; `trained`: with the prototypes of training's phrasings."""
    embedder = embedder or open_embedder()
    return Recall(embedder, open_database, _kept, load_prototypes(embedder.identity) if trained else None)


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
        sinks=_sinks,
        tokens=_planner_ids,
    )
    return House(file, embedder, clock, user=owner[0], workspace=owner[1], reach=reach)


def _sinks() -> tuple[Erasable, ...]:
    """Stores that erase by themselves."""
    return (open_traces(), *([open_phones()] if phones_file().is_file() else []))


def open_phones() -> "PhoneStore":
    """The sandbox phones that are kept until their runs have ended."""
    from device.sandbox.kept import PhoneStore

    return PhoneStore(phones_file(), open_database)


def _planner_ids(text: str) -> Sequence[int]:
    """Token ids of a text in the embedded planner's vocabulary."""
    return _vocabulary().encode(text)


def planner_tokens(text: str) -> int:
    """Tokens of a text in the embedded planner's vocabulary."""
    return len(_planner_ids(text))


@lru_cache(maxsize=1)
def _vocabulary() -> "Vocabulary":
    from runtime.planner.embedded import base_file
    from runtime.planner.tokens import vocabulary_of

    return vocabulary_of(base_file())[0]
