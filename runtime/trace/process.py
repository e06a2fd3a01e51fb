"""Whether the process that wrote an episode still lives: its number alone is given out again, its birth is not.

Linux tells when a process was born (proc(5), field 22 of `stat`: clock ticks since the machine's start) and names the
machine's start (`boot_id`); elsewhere the birth is empty and the number decides.
"""

import os
from pathlib import Path

PROC = Path("/proc")
"""Where Linux tells of its processes."""
BIRTH = 19
"""Place of the birth among the fields after the name, which stands in brackets and may hold spaces."""


def born(pid: int) -> str:
    """When process `pid` was born, as no other process was; empty where the system does not tell or there is none."""
    try:
        fields = (PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
        return f"{(PROC / 'sys/kernel/random/boot_id').read_text().strip()} {fields[BIRTH]}"
    except (OSError, IndexError):
        return ""


def alive(pid: int, birth: str) -> bool:
    """Whether `pid` is the process of this `birth`; one that was written without a birth is told by its number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # another user's process: it lives, and /proc tells its birth all the same
    now = born(pid)
    return not birth or not now or now == birth
