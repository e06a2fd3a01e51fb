"""Does the android suite notice a broken bridge? One parser or read-back is changed at a time, in a process of its own.

mutants.toml -> for each: mutant.py plays the suite with the oracle until a task fails -> who noticed, and who survived

The unchanged bridge is played first: where it fails tasks, a failure of a changed one would prove nothing.
"""

import json
import subprocess
import sys

from evalkit.bench.device.journal import Journal
from evalkit.bench.device.mutant import mutants
from evalkit.bench.frame import Bench, Figure, Order
from evalkit.commands.common import watch
from runtime.contract import Json, SetupError

SECONDS = 3600.0
"""Longest run of the suite."""


def survivors(order: Order) -> Json:
    """`--limit` is a number of changes, from the first on."""
    wanted = mutants()[: order.limit]
    journal = Journal("mutants", len(wanted))
    left = journal.left()
    if left:
        whole = journal.fact("unchanged", lambda: _played(""))
        for number in watch(left):
            journal.add(number, {"mutant": wanted[number]["name"], **_played(wanted[number]["name"]), "whole": whole})
    return summary(journal.outcomes())


def summary(outcomes: list[Json]) -> Json:
    """Who noticed what; a suite that fails unchanged notices nothing."""
    failing = set(outcomes[0]["whole"]["failed"]) if outcomes else set()
    noticed = {one["mutant"]: next((task for task in one["failed"] if task not in failing), "") for one in outcomes}
    return {
        "mutants_survived": sum(not task for task in noticed.values()),
        "mutants": len(outcomes),
        "tasks": outcomes[0]["whole"]["tasks"] if outcomes else 0,
        "failed_unchanged": len(failing),
        "noticed_by": noticed,
        "tasks_played": {one["mutant"]: one["tasks"] for one in outcomes},
    }


def _played(name: str) -> Json:
    command = [sys.executable, "-m", "evalkit.bench.device.mutant", name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    try:
        found: Json = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        last = (done.stderr.strip().splitlines() or ["nothing was said"])[-1]
        if done.returncode == 0 or not name:
            raise SetupError(f"the suite could not be played: {last}") from None
        return {"failed": [f"the suite could not be played: {last[:200]}"], "tasks": 0}
    return found


DEVICE_MUTANTS = Bench(
    name="device --mutants",
    title="The android suite against a bridge with one parser or read-back broken.",
    parts={"mutants": survivors},
    figures=(
        Figure("mutants_survived", "changes that no task of the suite noticed", 0),
        Figure("mutants", "changes that were tried", 20, "at_least"),
        Figure("failed_unchanged", "tasks that fail without a change", 0),
    ),
)
