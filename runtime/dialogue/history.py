"""Dialogues as the traces hold them: each episode of one is labelled `chat:ID:NUMBER`.

A request whose process was killed is there with the steps that it had finished. An episode whose words were erased is
not shown again.
"""

from dataclasses import dataclass

from runtime.contract import Episode, UserError
from runtime.dialogue.conversation import LABEL
from runtime.trace import TraceReader


@dataclass(frozen=True)
class Kept:
    """One dialogue of the traces."""

    name: str
    """Its id."""
    runs: tuple[str, ...]
    """Run ids, oldest first."""
    first: str
    """The first request."""
    last_at: str
    """When the last request began, UTC."""


def kept(reader: TraceReader) -> list[Kept]:
    """All dialogues, the latest first."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for label, run, request, at in reader.labelled(f"{LABEL}:"):
        found.setdefault(label.split(":")[1], []).append((run, request, at))
    dialogues = [Kept(name, tuple(run for run, *_ in runs), runs[0][1], runs[-1][2]) for name, runs in found.items()]
    return sorted(dialogues, key=lambda one: one.last_at, reverse=True)


def find(reader: TraceReader, start: str) -> Kept:
    """The dialogue whose id begins with `start`; `last` is the latest. None or several are a `UserError`."""
    known = kept(reader)
    found = known[:1] if start == "last" else [one for one in known if one.name.startswith(start)]
    if len(found) != 1:
        what = "no dialogue" if not found else "several dialogues"
        raise UserError(f"`{start}` names {what}. See `pocket chat --list`; `last` is the latest.")
    return found[0]


def episodes(reader: TraceReader, one: Kept) -> list[Episode]:
    """Its episodes that still have their words."""
    found = [reader.episode(run) for run in one.runs]
    return [episode for episode in found if episode.trainable != "none" and episode.view.request.strip()]
