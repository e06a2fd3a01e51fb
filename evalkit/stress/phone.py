"""A provider, or a phone, with trouble between it and the executor.

    call -> own name -> an event from outside? -> a fault instead? -> the provider -> a wrong value? -> other words

The trouble of one attempt is shared by the phone and what stands beside it, and drawn call by call.
"""

from collections.abc import Sequence
from random import Random

from evalkit.stress.data import with_wrong_value
from evalkit.stress.events import Happening, happening, without
from evalkit.stress.options import Stress
from evalkit.stress.scramble import names_of
from runtime.contract import (
    Deadline,
    ErrorCode,
    Evidence,
    Failure,
    Observation,
    Phone,
    StateDiff,
    ToolCall,
    ToolProvider,
    ToolSpec,
    WorldSpec,
    digest_of,
)

FAULTS = (
    (ErrorCode.TIMEOUT, "the phone did not answer in time; nothing was done. Try again."),
    (ErrorCode.OFFLINE, "the phone can't be reached at the moment; nothing was done. Try again."),
)


class Trouble:
    """What befalls one attempt."""

    def __init__(self, stress: Stress, seed: str, offered: Sequence[ToolSpec]) -> None:
        """`offered`: all tools of all providers, by their own names."""
        self.stress = stress
        self.names = names_of(tuple(tool.name for tool in offered)) if stress.scramble else None
        self.calls = 0
        self.happened: list[Happening] = []
        self._seed = seed
        self._event_at = self.draw("event", 0).randint(1, 2) if stress.events else 0

    def draw(self, *key: object) -> Random:
        """A generator for one question, the same in every process."""
        return Random(digest_of([self._seed, *map(str, key)]))

    def fault(self) -> Failure | None:
        """The fault that the current call meets."""
        dice = self.draw("fault", self.calls)
        if dice.random() >= self.stress.faults:
            return None
        code, message = dice.choice(FAULTS)
        return Failure(code=code, message=message, details={"landed": "no"})

    def distorted(self, seen: Observation) -> Observation:
        """A result with a wrong value, where the dice say so."""
        dice = self.draw("data", self.calls)
        wrong = seen.ok and dice.random() < self.stress.wrong_data
        return seen.model_copy(update={"data": with_wrong_value(seen.data, dice)}) if wrong else seen

    def happens(self, phone: Phone) -> None:
        """Let the event happen before its call."""
        if self.calls == self._event_at:
            self.happened += happening(phone, self.draw("event", 1))


class StressedProvider:
    """A tool provider in trouble."""

    def __init__(self, inner: ToolProvider, trouble: Trouble) -> None:
        self._provider, self._trouble = inner, trouble

    @property
    def opens_tools(self) -> bool:
        """Whether its results open tools: those of Skills do."""
        return bool(getattr(self._provider, "opens_tools", False))

    def tools(self) -> Sequence[ToolSpec]:
        """The tools as they are shown."""
        return self._trouble.stress.shown(self._provider.tools())

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Run one call, or let it fail."""
        trouble = self._trouble
        trouble.calls += 1
        self._before()
        if (failure := trouble.fault()) is not None:
            return Observation(call_id=call.id, failure=failure)
        own = trouble.names.call(call) if trouble.names else call
        seen = trouble.distorted(self._provider.execute(own, deadline, idempotency_key))
        return trouble.names.observation(seen) if trouble.names else seen

    def _before(self) -> None:
        """What happens before a call."""


class StressedPhone(StressedProvider):
    """A phone in trouble; its diff leaves out what came from outside."""

    def __init__(self, inner: Phone, trouble: Trouble) -> None:
        super().__init__(inner, trouble)
        self._inner = inner

    def _before(self) -> None:
        self._trouble.happens(self._inner)

    def reset(self, world: WorldSpec) -> None:
        """Put the phone into a state."""
        self._inner.reset(world)

    def snapshot(self) -> str:
        """Remember the state."""
        return self._inner.snapshot()

    def restore(self, handle: str) -> None:
        """Go back to a remembered state."""
        self._inner.restore(handle)

    def diff(self, since: str) -> StateDiff:
        """What the calls changed: an event's own rows are left out as long as nobody touched them."""
        return without(self._inner.diff(since), self._trouble.happened)

    def read_back(self, call: ToolCall, observation: Observation) -> Evidence | None:
        """The phone's own word on a write."""
        names = self._trouble.names
        return self._inner.read_back(names.call(call) if names else call, observation)

    def close(self) -> None:
        """Close the phone."""
        self._inner.close()
