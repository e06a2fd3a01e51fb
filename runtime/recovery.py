"""What follows a failure: one correction that something supports, then another tool or a question.

    failed -> the same tool again: once, with what the failure names changed, or after something else was read
           -> a third try, or the same call while nothing has changed: it does not run, and says what would be valid
    three results running that failed or were empty, across names -> said beside the last one

1. What may pass by itself (`timeout`, `offline`, `internal`) may be called again as it was: that is its correction.
2. A success of the tool, or an answer of the user, ends the matter.
3. All of it is said in results, so a planner sees it: off by default (`recovery.use`), since the shipped one has not
   been trained with it. The loop's own stops (stuck.py) hold either way; *confirmed* is the word of confirm.py alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from runtime.contract import Deadline, ErrorCode, Failure, Json, Observation, ToolCall, ToolSpec, canonical_json

PASSING = frozenset((ErrorCode.TIMEOUT, ErrorCode.OFFLINE, ErrorCode.INTERNAL))
"""Failures that may be gone the next time."""
BARREN = 3
"""Results running without anything in them, from which on it is said."""
NAMED = ("valid", "known", "candidates", "argument", "permission")
"""Details of a failure that say what would be valid."""


@dataclass
class Trouble:
    """What has gone wrong with one tool since it last worked."""

    failures: int = 0
    """How often it failed."""
    last: str = ""
    """Arguments of the last failed call, canonical."""
    code: ErrorCode | None = None
    """Code of that failure."""
    hint: str = ""
    """What would be valid, as that failure said."""
    read_since: bool = False
    """Whether anything was read or done with success since."""


@dataclass
class Episode:
    """What one episode has seen."""

    id: str
    troubles: dict[str, Trouble] = field(default_factory=dict)
    barren: list[str] = field(default_factory=list)
    """Names of the last calls running that gave nothing."""


class Recovery:
    """The contract's `CallHook`; remembers one episode at a time."""

    def __init__(self, corrections: int = 1) -> None:
        """`corrections`: how often a tool may be tried again after it failed."""
        self._corrections = corrections
        self._episode = Episode("")

    def before(self, call: ToolCall, spec: ToolSpec, episode: str, deadline: Deadline) -> Failure | None:
        """Why this call does not run: it was corrected often enough, or nothing supports it."""
        trouble = self._of(episode).troubles.get(call.name)
        if trouble is None or trouble.code is None:
            return None
        details: Json = {"tool": call.name, "failed": trouble.failures}
        if trouble.failures > self._corrections:
            message = (
                f"`{call.name}` has failed {trouble.failures} times, the last with `{trouble.code}`; it did not run "
                f"again.{trouble.hint} Use another tool, or ask the user."
            )
            return Failure(code=ErrorCode.CONFLICT, message=message, details=details)
        same = canonical_json(call.arguments) == trouble.last
        if same and trouble.code not in PASSING and not trouble.read_since:
            message = (
                f"this call of `{call.name}` has just failed with `{trouble.code}`, and nothing has changed since; it "
                f"did not run again.{trouble.hint} Change what the failure names, read the state, or ask the user."
            )
            return Failure(code=ErrorCode.CONFLICT, message=message, details=details)
        return None

    def after(self, call: ToolCall, seen: Observation, episode: str, deadline: Deadline) -> Sequence[Observation]:
        """What is to be said beside a result."""
        now = self._of(episode)
        said = self._failed(now, call, seen.failure) if seen.failure else self._worked(now, call)
        now.barren = [*now.barren, call.name] if _barren(seen) else []
        if len(now.barren) == BARREN:
            names = ", ".join(f"`{name}`" for name in dict.fromkeys(now.barren))
            said = f"{BARREN} results running were failures or empty ({names}). Take another way, or ask the user."
        return (Observation(call_id="", data={"recovery": said}),) if said else ()

    def answered(self, episode: str) -> None:
        """The user has said something: what failed before may be tried anew."""
        self._of(episode).troubles.clear()

    def _of(self, episode: str) -> Episode:
        if self._episode.id != episode:
            self._episode = Episode(episode)
        return self._episode

    def _failed(self, now: Episode, call: ToolCall, failure: Failure) -> str:
        trouble = now.troubles.setdefault(call.name, Trouble())
        trouble.failures += 1
        trouble.last, trouble.code, trouble.read_since = canonical_json(call.arguments), failure.code, False
        trouble.hint = _valid(failure)
        if trouble.failures > self._corrections:
            return f"`{call.name}` is not tried again. Use another tool, or ask the user."
        if failure.code in PASSING:
            return f"`{call.name}` may be called once more as it was; then another tool, or a question."
        return f"one correction of `{call.name}` is left, of what the failure names; then another tool, or a question."

    def _worked(self, now: Episode, call: ToolCall) -> str:
        now.troubles.pop(call.name, None)
        for trouble in now.troubles.values():
            trouble.read_since = True
        return ""


def _valid(failure: Failure) -> str:
    """What would be valid, from the failure's own details."""
    named = {key: failure.details[key] for key in NAMED if failure.details.get(key)}
    return f" It said: {canonical_json(named)[:200]}." if named else ""


def _barren(seen: Observation) -> bool:
    """A failure, or a success that changed nothing and says nothing."""
    return seen.failure is not None or (seen.diff.empty and not any(seen.data.values()))
