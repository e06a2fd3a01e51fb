"""Runs a command and prints what it took, as JSON: exit code, wall and CPU seconds, peak resident memory.

It is a process of its own, because a child's peak counts what its parent held when it was started; so the parent must
hold nearly nothing. For that it imports no package. `python -S child.py COMMAND...`
"""

import json
import resource
import subprocess
import sys
import time


def measured(command: list[str]) -> dict[str, object]:
    """Run `command` to its end."""
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    wall = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes there, in kB elsewhere
    return {
        "code": done.returncode,
        "wall_s": wall,
        "cpu_s": used.ru_utime + used.ru_stime,
        "rss_mb": used.ru_maxrss * unit / 1e6,
        "said": done.stderr[-500:],
    }


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1:])))
