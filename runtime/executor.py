"""Eq. 2: an action meets whoever answers it. A call goes to its provider, a question to the user.

For each call: 1. the tool must be exposed; 2. the arguments must fit its schema; 3. the guard and then every hook must
let it pass; 4. the provider runs it under the key `episode:call`, which is never applied twice; 5. after a write the
phone is read back; 6. hooks may say something beside the result.
A loaded Skill names tools; `opened` gives those that somebody offers and this task has. No other provider opens any.
What fails at 1-3 never reached the phone and says so. A malformed action is answered, never run.
A decision that was under way when its process died is applied `again`: first each call's provider is asked what came of
it; one that remembers no keys can't say, and then a write is reported as unknown and not sent a second time.
"""

import time
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from runtime.arguments import ArgumentCheck, near
from runtime.contract import (
    Ask,
    CallHook,
    Deadline,
    Decision,
    Effect,
    ErrorCode,
    ExecutedCall,
    Failure,
    Guard,
    Json,
    Observation,
    ParseError,
    Phone,
    TextPart,
    ToolCall,
    ToolProvider,
    ToolSpec,
    User,
    canonical_json,
)
from runtime.trace.secrets import MASK

LOADED, UNKNOWN = "loaded_tools", "unknown_tools"
"""Keys of a loaded Skill's data."""


@dataclass
class Waiting:
    """Seconds spent outside the harness: at providers, at the guard's and the user's answers."""

    seconds: float = 0.0
    started: float = field(default=0.0, repr=False)

    def __enter__(self) -> "Waiting":
        self.started = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds += time.perf_counter() - self.started


class Executor:
    """Applies decisions. `providers` are asked in order; the first that offers a name gets its calls."""

    def __init__(
        self,
        phone: Phone,
        guard: Guard,
        user: User,
        providers: Sequence[ToolProvider] = (),
        hooks: Sequence[CallHook] = (),
    ) -> None:
        self.waiting = Waiting()
        self.hooks = tuple(hooks)
        self.served: list[str] = []
        """Run ids of what was done on this phone, where its world is known; oldest first."""
        self._phone, self._guard, self._user = phone, guard, user
        self._providers: tuple[ToolProvider, ...] = (phone, *providers)
        self._check = ArgumentCheck()
        self._routes: dict[str, ToolProvider] = {}
        self._specs: dict[str, ToolSpec] = {}

    def offered(self) -> tuple[ToolSpec, ...]:
        """All tools of all providers, in a stable order; a name that two providers offer is the first one's."""
        specs: dict[str, ToolSpec] = {}
        for provider in self._providers:
            for spec in provider.tools():
                if spec.name not in specs:
                    specs[spec.name] = spec
                    self._routes[spec.name] = provider
        self._specs = specs
        return tuple(specs.values())

    def remind(self, episode: str, observations: Sequence[Observation]) -> None:
        """Tell providers that keep something of an episode what it has seen: it goes on in this process."""
        for provider in self._providers:
            if (remind := getattr(provider, "remind", None)) is not None:
                remind(episode, observations)

    def opened(
        self, observations: Sequence[Observation], unavailable: AbstractSet[str] = frozenset()
    ) -> tuple[list[Observation], tuple[ToolSpec, ...]]:
        """The observations, each load less the tools that can't be called here, and the tools that the loads open."""
        here = {name for name in self._specs if name not in unavailable}
        checked = [_only(seen, here) if self._opens(seen) else seen for seen in observations]
        names = dict.fromkeys(name for seen in checked if self._opens(seen) for name in seen.data[LOADED])
        return checked, tuple(self._specs[name] for name in names)

    def _opens(self, seen: Observation) -> bool:
        """Whether a provider of Skills loaded one."""
        if seen.call is None or not seen.ok or LOADED not in seen.data:
            return False
        return bool(getattr(self._routes.get(seen.call.name), "opens_tools", False))

    def apply(
        self, decision: Decision, exposed: Sequence[ToolSpec], key: str, deadline: Deadline, again: bool = False
    ) -> list[Observation]:
        """One observation for each call or malformed action, and what hooks say; a question's answer.

        Nothing for refuse and finish. `again`: the decision was under way when its process died.
        """
        specs = {spec.name: spec for spec in exposed}
        seen: list[Observation] = []
        beside: list[Observation] = []
        for action in decision.actions:
            if isinstance(action, ToolCall):
                result, *said = self._call(action, specs, key, deadline, again)
                seen.append(result)
                beside += said  # after all results: an endpoint wants the results of parallel calls together
            elif isinstance(action, ParseError):
                seen.append(_failed("", ErrorCode.MALFORMED_CALL, action.message, {"truncated": action.truncated}))
            elif isinstance(action, Ask):
                with self.waiting:
                    answer = self._user.answer(action.question, deadline)
                if answer is not None:
                    self._told_of_answer(key)
                    seen.append(Observation(call_id="", parts=(TextPart(text=answer),)))
        return [*seen, *beside]

    def _told_of_answer(self, episode: str) -> None:
        """Hooks that want to know hear that the user has answered."""
        for hook in self.hooks:
            if (answered := getattr(hook, "answered", None)) is not None:
                answered(episode)

    def _call(
        self, call: ToolCall, specs: Mapping[str, ToolSpec], key: str, deadline: Deadline, again: bool
    ) -> list[Observation]:
        """What came of one call, then what hooks say beside it."""
        seen = self._recovered(call, specs.get(call.name), f"{key}:{call.id}", deadline) if again else None
        if again and seen is None and MASK in canonical_json(call.arguments):
            return [_withheld(call)]
        if seen is None and (stopped := self._stopped(call, specs, key, deadline)) is not None:
            return [stopped]
        if seen is None:
            seen = self._run(call, specs[call.name], f"{key}:{call.id}", deadline)
        with self.waiting:
            return [seen, *(said for hook in self.hooks for said in hook.after(call, seen, key, deadline))]

    def _stopped(
        self, call: ToolCall, specs: Mapping[str, ToolSpec], key: str, deadline: Deadline
    ) -> Observation | None:
        """Why a call does not run; None where it may."""
        spec = specs.get(call.name)
        if spec is None:
            hint = near(call.name, list(specs)) or "."
            message = f"there is no tool `{call.name[:80]}`{hint} Use one of those shown."
            return _failed(call.id, ErrorCode.UNKNOWN_TOOL, message, {"known": sorted(specs)})
        if problem := self._check.problem(spec, call.arguments):
            return _failed(call.id, ErrorCode.BAD_ARGUMENT, *problem)
        with self.waiting:
            refusal = self._guard.check(call, spec, deadline)
        if refusal is not None:
            return _failed(call.id, ErrorCode.REFUSED_BY_GUARD, refusal, {})
        if deadline.cancel.cancelled or deadline.expired:
            return _late(call, deadline)
        for hook in self.hooks:
            with self.waiting:
                failure = hook.before(call, spec, key, deadline)
            if failure is not None:
                return Observation(call_id=call.id, failure=failure)
        return None

    def _recovered(self, call: ToolCall, spec: ToolSpec | None, key: str, deadline: Deadline) -> Observation | None:
        """What came of a call that was under way; None where it did not land, or may be run again as it is."""
        if spec is None or self._check.problem(spec, call.arguments):
            return None
        provider = self._routes[call.name]
        recover = getattr(provider, "recover", None)
        if recover is None:
            return (
                None
                if spec.hints.idempotent or spec.effects_of(call.arguments) <= {Effect.READ}
                else _unknown(call, key)
            )
        with self.waiting:
            seen: Observation | None = recover(call, key, deadline)
            if seen is None:
                return None
            evidence = self._read_back(provider, call, spec, seen)
        return seen.model_copy(update={"call_id": call.id, "evidence": evidence})

    def _run(self, call: ToolCall, spec: ToolSpec, key: str, deadline: Deadline) -> Observation:
        provider = self._routes[call.name]
        before = self.waiting.seconds
        with self.waiting:
            seen = provider.execute(call, deadline, key)
            evidence = self._read_back(provider, call, spec, seen)
        took = self.waiting.seconds - before
        return seen.model_copy(update={"call_id": call.id, "seconds": took, "evidence": evidence})

    def _read_back(self, provider: ToolProvider, call: ToolCall, spec: ToolSpec, seen: Observation) -> object:
        """Evidence after a write: the phone's own word, read apart from the tool's answer."""
        if seen.evidence is not None or not seen.ok or provider is not self._phone:
            return seen.evidence
        return None if spec.effects_of(call.arguments) <= {Effect.READ} else self._phone.read_back(call, seen)


def _only(seen: Observation, here: AbstractSet[str]) -> Observation:
    """A load that names as loaded only the tools that are here, the others as unknown."""
    gone = [name for name in seen.data[LOADED] if name not in here]
    if not gone:
        return seen
    kept = [name for name in seen.data[LOADED] if name in here]
    return seen.model_copy(update={"data": {**seen.data, LOADED: kept, UNKNOWN: [*seen.data.get(UNKNOWN, ()), *gone]}})


def _failed(call_id: str, code: ErrorCode, message: str, details: Json) -> Observation:
    return Observation(call_id=call_id, failure=Failure(code=code, message=message, details=details))


def _unknown(call: ToolCall, key: str) -> Observation:
    """A write that was under way at a provider that can't say what came of it."""
    message = (
        f"the run was broken off while `{call.name}` was under way. It is unknown whether it was done: read the state "
        "before anything is repeated."
    )
    executed = ExecutedCall(name=call.name, arguments=call.arguments, idempotency_key=key, landed="unknown")
    return Observation(call_id=call.id, call=executed, failure=Failure(code=ErrorCode.TIMEOUT, message=message))


def _withheld(call: ToolCall) -> Observation:
    """A call that did not land, and whose arguments are kept nowhere whole."""
    message = (
        f"the run was broken off before `{call.name}` was done, and it held a secret that no trace keeps. It did not "
        "run; ask the user for it."
    )
    return _failed(call.id, ErrorCode.CANCELLED, message, {})


def _late(call: ToolCall, deadline: Deadline) -> Observation:
    if deadline.cancel.cancelled:
        return _failed(call.id, ErrorCode.CANCELLED, f"the run was cancelled before `{call.name}` ran.", {})
    message = f"no time was left for `{call.name}` (`budget.seconds`); it did not run."
    return _failed(call.id, ErrorCode.TIMEOUT, message, {})
