"""Text for the sections that later rooms will fill: Skill guidance, memory evidence, the time.

A trained planner must have seen the layout with and without each section. The lines are true to the form of the
sections and beside the point of the requests.
"""

import json
from random import Random

SHARES = {"skills": 0.15, "memory": 0.2, "now": 0.3}
"""How often a section is there."""
GUIDANCE = (
    "Query first, change only what differs, then check.",
    "Save open work before the phone is powered off.",
    "Stop an active cast before a new one starts.",
    "Leave airplane mode before Bluetooth or a hotspot is turned on.",
    "Ask before money is spent.",
    "When a tool reports a conflict, solve the conflict first.",
    "Read a value back after it was set.",
    "Do not repeat a call that has succeeded.",
)
FACTS = (
    "prefers messages over calls after nine in the evening",
    "works at the office from Monday to Thursday",
    "is allergic to peanuts",
    "keeps the phone silent during meetings",
    "goes running on Saturday mornings",
    "calls the living room the lounge",
    "uses the savings account for travel",
    "likes quiet restaurants near the river",
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def filler_sections(rng: Random) -> dict[str, str]:
    """Some of the sections, at random."""
    sections = {}
    if rng.random() < SHARES["skills"]:
        sections["skills"] = "\n".join(f"- {line}" for line in rng.sample(GUIDANCE, rng.randint(1, 3)))
    if rng.random() < SHARES["memory"]:
        chosen = rng.sample(FACTS, rng.randint(1, 3))
        sections["memory"] = "\n".join(
            json.dumps({"id": f"mem_{rng.randint(1, 999):03d}", "content": f"The user {fact}."}) for fact in chosen
        )
    if rng.random() < SHARES["now"]:
        day, month = rng.randint(1, 28), rng.randint(1, 12)
        clock = f"{rng.randint(0, 23):02d}:{rng.choice((0, 10, 15, 30, 45)):02d}"
        sections["now"] = f"{rng.choice(DAYS)} 2026-{month:02d}-{day:02d} {clock}"
    return sections
