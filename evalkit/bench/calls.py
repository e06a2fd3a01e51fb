"""Calls that succeed, one for each tool and action, read from `calls.toml`: what `pocket bench sandbox` is made of.

calls.toml -> Sample (canonical and as said, with what must come before) -> schedule: every tool equally often,
half of the calls writes -> episodes: as many calls on one phone as succeed there, then a new phone
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import cycle
from typing import Any

from device.sandbox.sandbox import Sandbox
from runtime.contract import Deadline, Effect, Json, SetupError, ToolCall, ToolSpec, WorldSpec

NEVER = Deadline.never()
TALKING = {"table": "multimodal_dialogue", "active": True, "topic": "the garden", "turns": 6}
"""A dialogue over the camera goes on: no tool begins one, and one ends it."""
PHONE = WorldSpec(facts=(TALKING,))
"""What the samples are called on: the default world, full, and `TALKING`."""


@dataclass(frozen=True)
class Sample:
    """One call."""

    name: str
    """`tool.action`, or the tool's name."""
    call: ToolCall
    """With canonical values."""
    said: ToolCall
    """The same as a person says it; equal to `call` where no value can be said in another way."""
    writes: bool
    """Whether it may change the phone."""
    after: tuple[str, ...] = ()
    """Names of the samples that must come before."""


@dataclass
class Episode:
    """Samples that succeed on one phone, one after the other."""

    steps: list[tuple[tuple[Sample, ...], Sample]] = field(default_factory=list)
    """What must come before, and the sample."""


@lru_cache(maxsize=1)
def load_samples() -> dict[str, Sample]:
    """Samples by name, in the order of the file; `SetupError` where the file does not fit the phone's tools."""
    table = tomllib.loads(files("evalkit.bench").joinpath("calls.toml").read_text(encoding="utf-8"))
    specs = {spec.name: spec for spec in Sandbox().tools()}
    if odd := sorted(set(table) ^ set(specs)):
        raise SetupError(f"`evalkit/bench/calls.toml` and the phone disagree about the tool `{odd[0]}`. Correct it.")
    samples = [sample_of(specs[tool], entry) for tool, entries in table.items() for entry in entries]
    return {sample.name: sample for sample in samples}


def sample_of(spec: ToolSpec, entry: str | Json) -> Sample:
    """One entry of the file."""
    values: dict[str, Any] = {"action": entry} if isinstance(entry, str) else dict(entry)
    said, after = values.pop("said", {}), tuple(values.pop("after", ()))
    return Sample(
        name=".".join(part for part in (spec.name, values.get("action")) if part),
        call=ToolCall(id="bench", name=spec.name, arguments=values),
        said=ToolCall(id="bench", name=spec.name, arguments={**values, **said}),
        writes=spec.effects_of(values) != {Effect.READ},
        after=after,
    )


def schedule(samples: Sequence[Sample], rounds: int) -> list[Sample]:
    """`rounds` calls of each tool, half of all calls writes; a tool that does both takes what the others leave."""
    own: dict[str, dict[bool, list[Sample]]] = {}
    for sample in samples:
        own.setdefault(sample.call.name, {True: [], False: []})[sample.writes].append(sample)
    turns = {tool: {kind: cycle(found) for kind, found in kinds.items() if found} for tool, kinds in own.items()}
    only = sum(1 for kinds in turns.values() if set(kinds) == {True})
    both = sum(1 for kinds in turns.values() if len(kinds) == 2)
    share = (len(turns) / 2 - only) / both if both else 0.0
    chosen: list[Sample] = []
    owed = 0.0
    for _ in range(rounds):
        for kinds in turns.values():
            writes = True in kinds
            if len(kinds) == 2:
                owed += share
                writes = owed >= 0.5
                owed -= writes
            chosen.append(next(kinds[writes]))
    return chosen


def episodes(calls: Sequence[Sample], samples: dict[str, Sample]) -> Iterator[Episode]:
    """Cut `calls` into episodes: a call that fails where the phone has come to begins the next one."""
    phone, episode = Sandbox(PHONE), Episode()
    for sample in calls:
        before = tuple(samples[name] for name in sample.after)
        if not _works(phone, before, sample):
            yield episode
            phone, episode = Sandbox(PHONE), Episode()
            if not _works(phone, before, sample):
                raise SetupError(f"the call `{sample.name}` of `evalkit/bench/calls.toml` fails. Correct it.")
        episode.steps.append((before, sample))
    yield episode


def _works(phone: Sandbox, before: Sequence[Sample], sample: Sample) -> bool:
    """Run a call; where it fails, the phone is put back."""
    mark = phone.mark()
    if all(phone.execute(one.call, NEVER).ok for one in (*before, sample)):
        return True
    phone.undo(mark)
    return False
