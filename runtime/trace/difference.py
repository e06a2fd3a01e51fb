"""Where two runs of one request differ: step by step, field by field, in what must be the same.

Times, ids of runs and token counts of a cache are no difference. Where the decisions were taken from the recording they
are not compared, since they can't differ; what the context said is compared only where a planner read it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rich.text import Text

from runtime.contract import Episode, Json
from runtime.trace.secrets import MASK
from runtime.visible import in_one_line

MOST = 50
"""Differences that are named; the others are counted."""
SHOWN = 160
"""Characters of a value."""
OUTCOME = ("stop", "stop_detail", "confirmation")


@dataclass(frozen=True)
class Difference:
    """One place."""

    step: int | None
    """Number of the step, from 0; None: of the whole."""
    where: str
    """Path within it: `observations.0.data.count`."""
    then: Any
    """As recorded."""
    now: Any
    """As it came out."""


@dataclass
class Replayed:
    """What a replay found."""

    run: str
    """Run id of the recording."""
    steps: int
    """Steps that were compared."""
    differences: list[Difference] = field(default_factory=list)
    """The first `MOST`, in order."""
    count: int = 0
    """All of them."""
    notes: list[str] = field(default_factory=list)
    """What could not be as it was."""

    @property
    def same(self) -> bool:
        """Nothing differs."""
        return self.count == 0

    def as_json(self) -> Json:
        """Plain data."""
        return {
            "id": self.run,
            "same": self.same,
            "steps": self.steps,
            "count": self.count,
            "differences": [vars(one) for one in self.differences],
            "notes": self.notes,
        }

    def lines(self) -> Iterator[Text]:
        """For a terminal."""
        for note in self.notes:
            yield Text(note, style="dim")
        if self.same:
            yield Text(f"{self.run}: {self.steps} steps, the same", style="green")
            return
        first = next((one.step for one in self.differences if one.step is not None), None)
        place = "at its end" if first is None else f"from step {first + 1} on"
        yield Text(f"{self.run}: {self.count} differences in {self.steps} steps, {place}", style="red")
        for one in self.differences:
            step = "end" if one.step is None else str(one.step + 1)
            yield Text(f"  {step}  {in_one_line(one.where)}: then {_short(one.then)}, now {_short(one.now)}")
        if self.count > len(self.differences):
            yield Text(f"  ... {self.count - len(self.differences)} more", style="dim")


def compare(then: Episode, now: Episode, *, decisions: bool, outcome: bool = True) -> Replayed:
    """The differences of a replay `now` to the recording `then`; `decisions`: a planner decided anew."""
    before, after = _plain(then, decisions), _plain(now, decisions)
    found = Replayed(then.id, len(before["steps"]))
    if decisions:
        _collect(found, None, "context", before["context"], after["context"])
    for number in range(max(len(before["steps"]), len(after["steps"]))):
        steps = [one["steps"][number] if number < len(one["steps"]) else None for one in (before, after)]
        _collect(found, number, "", *steps)
    if outcome:
        for name in OUTCOME:
            _collect(found, None, name, before[name], after[name])
    return found


def _plain(episode: Episode, decisions: bool) -> Json:
    data = episode.canonical()
    steps = [step for segment in data["segments"] for step in segment["steps"]]
    for step in steps:
        step["actions"] = step.pop("decision")["actions"]
        if not decisions:
            del step["actions"]
        for seen in step["observations"]:
            del seen["parts"]  # the data as text, cut to a size
    context = [segment["prefix"] for segment in data["segments"]]
    return {"steps": steps, "context": context, **{name: data[name] for name in OUTCOME}}


def _collect(found: Replayed, step: int | None, path: str, then: Any, now: Any) -> None:
    for where, one, other in _walk(path, then, now):
        found.count += 1
        if len(found.differences) < MOST:
            found.differences.append(Difference(step, where, one, other))


def _walk(path: str, then: Any, now: Any) -> Iterator[tuple[str, Any, Any]]:
    """The places where two values differ, as deep as they are the same kind of thing."""
    if then == now or MASK in (then, now):  # what was masked can't be compared
        return
    if isinstance(then, dict) and isinstance(now, dict):
        for key in dict.fromkeys((*then, *now)):
            yield from _walk(f"{path}.{key}" if path else str(key), then.get(key), now.get(key))
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for index, (one, other) in enumerate(zip(then, now, strict=True)):
            yield from _walk(f"{path}.{index}" if path else str(index), one, other)
    else:
        yield path, then, now


def _short(value: Any) -> str:
    text = in_one_line(repr(value))
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} ... {len(text) - SHOWN} more characters"
