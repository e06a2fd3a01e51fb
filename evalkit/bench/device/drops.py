"""The line breaks at a byte of a session, for many bytes: nothing may hang, nothing may happen twice, and what is
reported must be so.

rehearsal: how many bytes a session has -> bytes from a seed (one in ten in a session that also brings uiautomator2's
file to the phone, which is larger than everything else together) -> for each: the phone anew, the session, the line cut
once after so many bytes of either direction -> each step's reports, how often it took effect on the phone

A step whose report says "not done" is done again, as a planner does; one that is unknown is not. So a wrong "not done"
shows as a repeated effect.
"""

import time
from collections import Counter
from random import Random

from device.android.errors import BridgeFailure
from device.android.phone import AndroidPhone
from evalkit.bench.device.journal import Journal
from evalkit.bench.device.session import STEPS, Reported, Step, reported
from evalkit.bench.device.stand import Stand, stand
from evalkit.bench.frame import Order
from evalkit.commands.common import watch
from runtime.contract import Deadline, InfrastructureError, Json, WorldSpec

DROPS, PUSHING = 100, 10
CALL_SECONDS = 20.0
"""Deadline of one call."""
GRACE_SECONDS = 0.5
"""What a call may take beyond it before it counts as hanging."""
ATTEMPTS = 3
BACK_SECONDS = 30.0
SETTLE_SECONDS = 0.1
"""Between the last answer and the count, so that a command on its way arrives."""


def drops(order: Order) -> Json:
    """`--limit` is a number of drops."""
    journal = Journal("drops", min(order.limit or DROPS, DROPS))
    left = journal.left()
    if left:
        with stand() as place:
            size = journal.fact("bytes", lambda: {"usual": rehearsed(place, False), "pushing": rehearsed(place, True)})
            for number in watch(left):
                pushing = number % PUSHING == 0
                at = Random(number).randrange(size["pushing" if pushing else "usual"])
                journal.add(number, one_drop(place, at, pushing))
    return summary(journal.outcomes())


def summary(outcomes: list[Json]) -> Json:
    """Counts over all drops, and the first problems in words."""
    steps = [step for outcome in outcomes for step in outcome["steps"]]
    reports = [report for step in steps for report in step["reports"]]
    return {
        "hangs": sum(step["hung"] for step in steps) + sum(outcome["hung"] for outcome in outcomes),
        "repeats": sum(step["count"] > 1 for step in steps),
        "unreported": sum(not fits(step) for step in steps),
        "drops": sum(outcome["dropped"] for outcome in outcomes),
        "session_bytes": [min(outcome["bytes"] for outcome in outcomes), max(outcome["bytes"] for outcome in outcomes)],
        "dropped_in": dict(Counter(step["step"] for step in steps if step["said"])),
        "steps": len(steps),
        "reports": {name: reports.count(name) for name in ("done", "not done", "unknown")},
        "unknown_and_done": sum(step["reports"][-1] == "unknown" and step["count"] == 1 for step in steps),
        "longest_call_s": max((step["seconds"] for step in steps), default=0.0),
        "drop_problems": [step for step in steps if step["hung"] or step["count"] > 1 or not fits(step)][:5],
    }


def fits(step: Json) -> bool:
    """Whether every report is one of three words, and the last one is what the phone says."""
    last = step["reports"][-1]
    known = all(report in ("done", "not done", "unknown") for report in step["reports"])
    return known and (last == "unknown" or step["count"] == (1 if last == "done" else 0))


def rehearsed(place: Stand, pushing: bool) -> int:
    """Bytes of a session without a drop."""
    begun = one_drop(place, None, pushing)
    if not all(step["reports"] == ["done"] and step["count"] == 1 for step in begun["steps"]):
        raise InfrastructureError(f"the session fails without a drop: {begun}")
    return int(begun["bytes"])


def one_drop(place: Stand, at: int | None, pushing: bool) -> Json:
    """One session; `at`: the byte at which the line breaks; `pushing`: uiautomator2's file is not on the phone yet."""
    place.control.clear()
    place.control.ask("kill_agent")
    place.control.reset(WorldSpec())
    place.wait(Deadline(BACK_SECONDS))
    phone = place.phone()
    if not pushing:
        phone.agent.ready(Deadline(BACK_SECONDS))
        phone.agent.close()
    before = place.control.ask("passed")
    if at is not None:
        place.control.fault("drop_at", bytes=at)
    steps = [played(place, phone, step, number, at or 0) for number, step in enumerate(STEPS)]
    passed = place.control.ask("passed") - before
    start = time.monotonic()
    phone.close()
    hung = time.monotonic() - start > CALL_SECONDS + GRACE_SECONDS
    return {"at": at, "steps": steps, "bytes": passed, "hung": hung, "dropped": at is not None and passed > at}


def played(place: Stand, phone: AndroidPhone, step: Step, number: int, at: int) -> Json:
    """One step until it is no more "not done", and what the phone says of it then."""
    mark = f"{1000 + number}{at % 1000:03d}"
    reports: list[Reported] = []
    said: list[str] = []
    longest = 0.0
    step.ready(place.control, mark)
    while len(reports) < ATTEMPTS and (not reports or reports[-1] == "not done"):
        start = time.monotonic()
        seen = step.act(phone, mark, Deadline(CALL_SECONDS))
        longest = max(longest, time.monotonic() - start)
        reports.append(reported(seen))
        if seen.failure is not None:
            said.append(seen.failure.message[:200])
            _back(place)
    time.sleep(SETTLE_SECONDS if said else 0.0)
    return {
        "step": step.name,
        "reports": reports,
        "count": step.count(place.control, mark),
        "seconds": round(longest, 2),
        "hung": longest > CALL_SECONDS + GRACE_SECONDS,
        "said": said,
    }


def _back(place: Stand) -> None:
    try:
        place.wait(Deadline(BACK_SECONDS))
    except BridgeFailure as failure:
        raise InfrastructureError(f"the phone did not come back after a drop: {failure.message}") from None
