"""Digest of the code that shapes episodes: results of other code are never taken for this one's.

The version of the distribution is too coarse while code changes between releases. Counted are the Python and data files
of runtime, device and memory, less what only shows or stores (command line, traces, doctor).
"""

import hashlib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

PACKAGES = ("runtime", "device", "memory")
LEFT_OUT = ("runtime/cli/", "runtime/trace/", "runtime/doctor", "runtime/planner/checkpoints/")
"""Paths that shape no episode; a checkpoint is part of the planner's identity."""
KINDS = (".py", ".toml")


@lru_cache(maxsize=1)
def source_digest() -> str:
    """First 16 hex digits of SHA-256 over names and contents."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        root = Path(str(files(package)))
        for path in sorted(path for path in root.rglob("*") if path.suffix in KINDS):
            name = f"{package}/{path.relative_to(root).as_posix()}"
            if not name.startswith(LEFT_OUT):
                digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
