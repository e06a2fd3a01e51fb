"""Runs an episode again on the sandbox: the same world and settings, the same decisions, answers and approvals.

1. The world is the one that the trace holds. What ran on the same phone before (earlier requests of a dialogue) is
   played first.
2. Decisions are the recorded ones, or with `--planner` that planner's; a refusal of the guard is repeated as recorded,
   questions get the recorded answers.
3. Nothing outside is touched: memories are kept for the replay alone, hooks don't run, and what MCP servers or the
   screen agent answered then is answered again from the recording.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pydantic import ValidationError

from runtime.config import IN_MEMORY, HooksSection, McpSection, ScreenSection, Settings
from runtime.confirm import calls_of
from runtime.contract import (
    Ask,
    CancelToken,
    ContextView,
    Deadline,
    Decision,
    Domain,
    Effect,
    Episode,
    ErrorCode,
    Json,
    Observation,
    ParseError,
    Phone,
    Stop,
    ToolCall,
    ToolProvider,
    ToolSpec,
    User,
    UserError,
    WorldSpec,
    canonical_json,
)
from runtime.executor import Executor
from runtime.harness import run_episode
from runtime.planner.plain import ModelFree
from runtime.rooms import Labels, Rooms
from runtime.trace import TraceReader, Untraced
from runtime.trace.difference import Replayed, compare
from runtime.trace.masking import Masking
from runtime.trace.secrets import MASK, Secrets
from runtime.users import ScriptedUser
from runtime.wiring import open_rooms

UNKNOWN = (
    "episode `{run}` does not say in which world it began, so it can't be run again. Tasks: `pocket eval replay`; "
    "else run the request again."
)
NEVER_RAN = (ErrorCode.UNKNOWN_TOOL, ErrorCode.REFUSED_BY_GUARD)
"""Failures of calls that no provider saw."""


class RecordedPlanner(ModelFree):
    """Decides what was decided; after that it cancels, as there is nothing more to do."""

    def __init__(self, episode: Episode, cancel: CancelToken) -> None:
        self.identity = episode.digests.planner or "recorded"
        self._decisions = deque(step.decision for step in episode.steps)
        self._cancel = cancel

    def decide(self, context: ContextView, deadline: Deadline) -> Decision:
        """The next decision of the recording."""
        if self._decisions:
            return self._decisions.popleft()
        self._cancel.cancel()
        return Decision(actions=(ParseError(message="the recording ends here", raw=""),))


class RecordedGuard:
    """Refuses the calls that were refused, for the same reason."""

    def __init__(self, episode: Episode) -> None:
        self._said: dict[str, deque[str | None]] = defaultdict(deque)
        for call, seen in calls_of(episode.steps):
            refused = seen.failure is not None and seen.failure.code is ErrorCode.REFUSED_BY_GUARD
            self._said[_key(call)].append(seen.failure.message if refused and seen.failure is not None else None)

    def check(self, call: ToolCall, spec: ToolSpec, deadline: Deadline) -> str | None:
        """What was said of this call."""
        said = self._said[_key(call)]
        return said.popleft() if said else None


class RecordedTools:
    """Answers the tools that are not here (MCP servers, the screen agent) as they answered then."""

    def __init__(self, episode: Episode, here: Iterable[str]) -> None:
        known = set(here)
        shown = (name for segment in episode.segments for name in segment.exposed)
        self._seen: dict[str, deque[Observation]] = defaultdict(deque, {name: deque() for name in {*shown} - known})
        for call, seen in calls_of(episode.steps):
            never_ran = seen.failure is not None and seen.failure.code in NEVER_RAN
            if call.name not in known and not never_ran:
                self._seen[call.name].append(seen)
        # an episode keeps no effects: a success that is a reason against it was a write
        reasons = then.reasons if (then := episode.confirmation) is not None else ()
        self._wrote = {call.name for call, seen in calls_of(episode.steps)
                       if seen.ok and any(reason.startswith(f"`{call.name}` ") for reason in reasons)}  # fmt: skip

    def tools(self) -> Sequence[ToolSpec]:
        """Those that were shown or called: a call that was refused then is refused, not unknown."""
        return [ToolSpec(name=name, domain=Domain.UTILITIES, description="As recorded.", parameters={"type": "object"},
                         effects=frozenset({Effect.WRITE if name in self._wrote else Effect.READ}))
                for name in sorted(self._seen)]  # fmt: skip

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """The next recorded answer."""
        seen = self._seen[call.name]
        return seen.popleft() if seen else Observation(call_id=call.id)


def replayed(reader: TraceReader, run_id: str, planner: str | None) -> Replayed:
    """Play an episode again and compare."""
    then, header = reader.episode(run_id), reader.header(run_id)
    if "world" not in header:
        raise UserError(UNKNOWN.format(run=run_id))
    settings, notes = _settings(header, run_id, planner), _notes(header)
    world = WorldSpec.model_validate(header["world"])
    with open_rooms(settings, world=world, planner=None if planner else NobodyDecides(), trace=Untraced()) as opened:
        for earlier in header.get("after", ()):
            _play(reader.episode(earlier), opened.rooms, opened.phone, opened.beside, None)
        now = _play(then, opened.rooms, opened.phone, opened.beside, planner)
    if MASK in then.model_dump_json():
        notes.append("secrets are masked in the trace: the replay used the mask in their place")
    now = Masking(Secrets(), header.get("secret_fields")).episode(now)
    ended = then.stop not in (Stop.CANCELLED, Stop.INFRASTRUCTURE) or planner is not None
    found = compare(then, now, decisions=planner is not None, outcome=ended)
    found.notes = notes
    return found


def _play(then: Episode, rooms: Rooms, phone: Phone, beside: Sequence[ToolProvider], planner: str | None) -> Episode:
    cancel = CancelToken()
    here = [spec.name for provider in (phone, *beside) for spec in provider.tools()]
    executor = Executor(phone, RecordedGuard(then), _user(then), (*beside, RecordedTools(then, here)))
    rooms = replace(rooms, executor=executor, memory=None)
    if planner is None:
        rooms = replace(rooms, planner=RecordedPlanner(then, cancel))
        shown = {name for segment in then.segments for name in segment.exposed}
        specs = tuple(spec for spec in executor.offered() if spec.name in shown)
        task = then.view.model_copy(update={"tools": specs, "budget": then.view.budget.model_copy(
            update={"tools": max(1, len(specs))})})  # fmt: skip
    else:
        task = then.view
    return run_episode(task, rooms, Deadline(None, cancel), Labels(then.task_id, then.group, then.attempt))


class NobodyDecides(ModelFree):
    """Lays contexts where the decisions come from a recording."""

    identity = "recorded"

    def decide(self, context: ContextView, deadline: Deadline) -> Decision:
        """Never asked."""
        return Decision(actions=(ParseError(message="nobody decides", raw=""),))


def _settings(header: Json, run_id: str, planner: str | None) -> Settings:
    """The settings of then, with nothing that reaches outside."""
    try:
        then = Settings.model_validate(header["settings"])
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UserError(f"episode `{run_id}` was run by another version: its setting `{place}` is unknown.") from None
    memory = then.memory.model_copy(update={"file": IN_MEMORY, "capture": False})
    phone = then.phone.model_copy(update={"backend": "sandbox", "serial": ""})
    chosen = then.planner if planner is None else then.planner.model_copy(update={"use": planner})
    return then.model_copy(update={"memory": memory, "phone": phone, "planner": chosen, "hooks": HooksSection(),
                                   "mcp": McpSection(), "screen": ScreenSection()})  # fmt: skip


def _notes(header: Json) -> list[str]:
    settings, notes = header["settings"], list[str]()
    if (backend := settings["phone"]["backend"]) != "sandbox":
        notes.append(f"it ran on `{backend}`; the sandbox has other apps, people and things")
    if settings.get("agents", {}).get("use"):
        notes.append("what sub-agents brought back is the recording's; a planner that decides anew is not offered them")
    if settings["memory"]["use"]:
        notes.append("the memory began empty; what was remembered then is not there")
    return notes


def _user(then: Episode) -> User:
    answers: list[str] = []
    for step in then.steps:
        if any(isinstance(action, Ask) for action in step.decision.actions):
            answers += [part.text for seen in step.observations if not seen.call_id for part in seen.parts
                        if part.kind == "text"]  # fmt: skip
    return ScriptedUser(answers)


def _key(call: ToolCall) -> str:
    return canonical_json([call.name, call.arguments])
