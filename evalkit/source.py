"""Digest of the code that shapes episodes: results of other code are never taken for this one's.

The version of the distribution is too coarse while code changes between releases. Counted are the Python and data files
of runtime, device, memory and Skills, less what only shows or stores (command line, traces, doctor), and what evalkit
puts between planner and phone: agents, scenes, stress.
"""

import hashlib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

PACKAGES = ("runtime", "device", "memory", "skills", "evalkit")
LEFT_OUT = ("runtime/cli/", "runtime/trace/", "runtime/doctor", "runtime/planner/checkpoints/")
"""Paths that shape no episode; a checkpoint is part of the planner's identity."""
OF_EVALKIT = ("evalkit/agents.py", "evalkit/gold.py", "evalkit/runner.py", "evalkit/scene.py", "evalkit/stress/")
"""What stands between planner and phone in a run; the rest of evalkit judges."""
KINDS = (".py", ".toml")


@lru_cache(maxsize=1)
def source_digest() -> str:
    """First 16 hex digits of SHA-256 over names and contents."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        root = Path(str(files(package)))
        for path in sorted(path for path in root.rglob("*") if path.suffix in KINDS or path.name == "SKILL.md"):
            name = f"{package}/{path.relative_to(root).as_posix()}"
            if not name.startswith(LEFT_OUT) and (package != "evalkit" or name.startswith(OF_EVALKIT)):
                digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
