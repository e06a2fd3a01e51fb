"""One request, served at the terminal: open the rooms, run the episode, show the outcome."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from rich.console import Console
from rich.table import Table
from rich.text import Text

from runtime.cli.live import Shown, Watched, cost_of, end_lines, used_tokens
from runtime.config import Settings, approvals_file
from runtime.confirm import calls_of
from runtime.contract import (
    CancelToken,
    Deadline,
    Episode,
    Evidence,
    InfrastructureError,
    Json,
    Observation,
    StateDiff,
    Stop,
    TaskView,
    ToolCall,
    TraceSink,
)
from runtime.guard import AgreeBeforehand, InteractiveApprover, Policy, RuleBook
from runtime.harness import refuse_bad_request, resume_episode, run_episode
from runtime.recall import Recall
from runtime.trace import GOES_ON, Earlier, TraceStore
from runtime.users import InteractiveUser
from runtime.visible import visible
from runtime.wiring import kept_phone, open_rooms


@dataclass(frozen=True)
class Served:
    """The outcome of one request."""

    report: Json
    """What `--json` prints."""
    confirmed: bool
    """The confirmation."""
    interrupted: bool
    """Ended by Ctrl-C."""


def serve(
    request: str,
    settings: Settings,
    *,
    console: Console,
    agree: bool,
    interruptible: Callable[[CancelToken], AbstractContextManager[None]],
    earlier: Earlier | None = None,
    recall: Recall | None = None,
) -> Served:
    """Carry out `request` under `settings`; `earlier`: go on with that run, under its own settings."""
    task = TaskView(request=request, budget=settings.budget)
    refuse_bad_request(task)
    policy = Policy(RuleBook(approvals_file()))
    asks = InteractiveApprover(console, policy)
    approver = AgreeBeforehand(asks) if agree else asks
    cancel = CancelToken()
    user = InteractiveUser(console)
    with (
        kept_phone(settings, earlier) as phone,
        open_rooms(
            settings,
            world=phone.world if phone is not None else None,
            phone=phone,
            approver=approver,
            user=user,
            policy=policy,
            recall=recall,
        ) as opened,
    ):
        rooms = opened.rooms
        sink = _sink(rooms.trace, earlier)
        live = replace(rooms, planner=Watched(rooms.planner, console), trace=Shown(sink, console))
        before = opened.began() if earlier else opened.snapshot()
        until = Deadline(None, cancel)
        with interruptible(cancel):
            episode = resume_episode(earlier, live, until) if earlier else run_episode(task, live, until)
        diff, unread = _difference(lambda: opened.diff(before))
        if phone is not None and episode.stop not in GOES_ON:
            phone.forget()
    show_outcome(console, episode, diff, unread)
    confirmed = episode.confirmation is not None and episode.confirmation.confirmed
    return Served(report_of(episode, diff, unread), confirmed, episode.stop is Stop.CANCELLED)


def _sink(trace: TraceSink, earlier: Earlier | None) -> TraceSink:
    """Where the run is written: behind what it had written before, where it goes on."""
    return trace.going_on(earlier) if earlier is not None and isinstance(trace, TraceStore) else trace


def _difference(read: Callable[[], StateDiff]) -> tuple[StateDiff | None, str]:
    """The net change; None and the reason where the phone is gone by then: what was done is shown all the same."""
    try:
        return read(), ""
    except InfrastructureError as error:
        return None, str(error)


def show_outcome(console: Console, episode: Episode, diff: StateDiff | None, unread: str = "") -> None:
    """Net change, or why it was not read; read-back; how it ended."""
    if diff is None:
        console.print(Text(visible(f"what changed on the phone is not known: {unread}"), style="red"))
    else:
        console.print(diff_table(diff) if diff.changes else Text("nothing changed on the phone", style="dim"))
    for call, seen in calls_of(episode.steps):
        if seen.evidence is not None:
            console.print(Text(visible(_read_back(call, seen, seen.evidence)), style="dim"))
    for line in end_lines(episode, f"  trace {episode.id}"):
        console.print(line)


def diff_table(diff: StateDiff) -> Table:
    """A line for each column that changed."""
    table = Table(title="changed on the phone", title_justify="left", box=None, header_style="dim")
    for heading in ("row", "column", "before", "after"):
        table.add_column(heading)
    for change in diff.changes:
        before, after = change.before or {}, change.after or {}
        for column in dict.fromkeys((*before, *after)):
            old, new = before.get(column), after.get(column)
            if old != new and (new not in (None, "", []) or old not in (None, "", [])):
                table.add_row(_cell(f"{change.table} {change.key}"), column, _cell(old), _cell(new))
    return table


def _cell(value: object) -> Text:
    return Text("" if value is None else visible(str(value)))


def _read_back(call: ToolCall, seen: Observation, evidence: Evidence) -> str:
    """What was read back after a call; of a handoff also what it took."""
    if (cost := cost_of(seen)) is None:
        return f"read back after {call.name}: {evidence.source}: {_rows(evidence)}"
    wrote = _rows(evidence) if evidence.facts.get("rows") else "it wrote nothing"
    return f"handed to {call.name}: {wrote} ({cost}; pocket trace show {evidence.source})"


def _rows(evidence: Evidence) -> str:
    rows = [_row(row) for row in evidence.facts.get("rows", [])]
    return "; ".join(rows) if rows else str(evidence.facts)


def _row(row: Json) -> str:
    if row["row"] is None:
        return f"{row['key']} is gone"
    return ", ".join(f"{name} {value}" for name, value in row["row"].items() if value not in (None, "", []))


def report_of(episode: Episode, diff: StateDiff | None, unread: str = "") -> Json:
    """The outcome as data; `changes` is null, and `unread` says why, where the phone could not be read at the end."""
    word = episode.confirmation
    return {
        "id": episode.id,
        "request": episode.view.request,
        "confirmed": word is not None and word.confirmed,
        "reasons": list(word.reasons) if word is not None else [],
        "stop": str(episode.stop),
        "detail": episode.stop_detail,
        "calls": [_call(call, seen) for call, seen in calls_of(episode.steps)],
        "changes": None if diff is None else [change.model_dump(mode="json") for change in diff.changes],
        **({"unread": unread} if unread else {}),
        "steps": len(episode.steps),
        "seconds": round(episode.timing.seconds, 3),
        "overhead_s": [round(step.overhead_s, 5) for step in episode.steps],
        "planner": episode.digests.planner,
        **used_tokens(episode.steps),
    }


def _call(call: ToolCall, seen: Observation) -> Json:
    return {
        "name": call.name,
        "arguments": call.arguments,
        "executed": None if seen.call is None else seen.call.arguments,
        "error": None if seen.failure is None else str(seen.failure.code),
        "result": seen.data,
        "read_back": None if seen.evidence is None else seen.evidence.facts,
    }
