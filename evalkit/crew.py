"""Who runs attempts: scenes around phones, each with its planner; several at once where there are several phones.

    sandbox   one phone, one planner, one attempt after another
    android   a thread for each phone; agents without a model are one each, a model serves them one by one

A thread keeps its phone, so that everything of one phone is used by one thread alone.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, Literal, TypeVar

from device.sandbox.sandbox import Sandbox
from evalkit.agents import FLOORS
from evalkit.scene import Scene
from evalkit.stress import Stress
from runtime.config import Settings
from runtime.contract import ContextView, Deadline, Decision, Phone, Planner, TraceSink, UserError
from runtime.wiring import Opened, open_recall, open_rooms

M = TypeVar("M")
T = TypeVar("T")
R = TypeVar("R")
Pairs = Generator[tuple[T, R], None, None]
ANDROID, SANDBOX = "android", "sandbox"
MOST = 64
AT_ONCE, AT_ONCE_WITH_A_MODEL = 8, 1
"""Software phones that are started unless a number is given: episodes in turn cost a model what it has cached."""


@dataclass(frozen=True)
class Phones:
    """Which phones a run is on."""

    backend: str = SANDBOX
    """sandbox or android."""
    serials: tuple[str, ...] = ()
    """Connected phones; none: software phones are started."""
    count: int = 0
    """Software phones; 0: as many as suit the planner."""

    def number(self, planner: str) -> int:
        """How many there are."""
        if self.backend == SANDBOX:
            return 1
        usual = AT_ONCE if planner in (*FLOORS, "keyword") else AT_ONCE_WITH_A_MODEL
        return len(self.serials) or self.count or usual

    def checked(self) -> "Phones":
        """Itself; a `UserError` for what can't be."""
        if self.backend not in (SANDBOX, ANDROID):
            raise UserError(f"there is no backend `{self.backend}`; use `{SANDBOX}` or `{ANDROID}`.")
        if self.backend == SANDBOX and (self.serials or self.count > 1):
            raise UserError("`--serial` and `--phones` are for connected phones; add `--backend android`.")
        if not 0 <= self.count <= MOST:
            raise UserError(f"`--phones` is {self.count}; the limit is {MOST}.")
        if self.serials and self.count not in (0, len(self.serials)):
            raise UserError(f"`--phones` is {self.count}, and {len(self.serials)} serials are given; leave one out.")
        return self


@dataclass(frozen=True)
class Member:
    """One phone with its planner."""

    opened: Opened
    """The rooms."""
    scene: Scene
    """Stages attempts on the phone."""
    planner: Planner
    """Decides."""


class Shared:
    """One model for several phones: opened, asked and closed in a thread of its own, one question after another."""

    def __init__(self, planner: Callable[[], Planner]) -> None:
        self._thread = ThreadPoolExecutor(1, "planner")
        self._planner = self._thread.submit(planner).result()
        self.identity, self.context_tokens = self._planner.identity, self._planner.context_tokens
        self.accepts: frozenset[Literal["text", "image"]] = self._planner.accepts

    def count_tokens(self, text: str) -> int:
        """As the model counts."""
        return self._thread.submit(self._planner.count_tokens, text).result()

    def decide(self, context: ContextView, deadline: Deadline) -> Decision:
        """The model's next decision, when it is free."""
        return self._thread.submit(self._planner.decide, context, deadline).result()

    def close(self) -> None:
        """Close the model."""
        self._thread.submit(self._planner.close).result()
        self._thread.shutdown()

    def __getattr__(self, name: str) -> Any:
        """What only some planners have (sampling, likely tools)."""
        return getattr(self._planner, name)


@contextmanager
def open_crew(settings: Settings, asked: Settings, phones: Phones, stress: Stress, planner: Callable[[], Planner],
              trace: TraceSink) -> Iterator[list[Member]]:  # fmt: skip
    """A member for each phone; what is opened is closed with the block.

    `asked` are the settings before those that a suite's tasks need.
    """
    use = settings.planner.use
    with ExitStack() as stack:
        stages = stack.enter_context(_stages(phones, phones.number(use)))
        crew: list[Member] = []
        each = len(stages) == 1 or use in FLOORS
        shared = None if each else Shared(planner)
        if shared is not None:
            stack.callback(shared.close)
        for phone in stages:
            mine = shared or planner()
            if shared is None:
                stack.callback(mine.close)
            recall = open_recall(crew[0].opened.recall.embedder) if crew else None
            opened = stack.enter_context(open_rooms(settings, phone=phone, planner=mine, trace=trace, recall=recall))
            crew.append(Member(opened, Scene(opened, stress, asked), mine))
        yield crew


@contextmanager
def _stages(phones: Phones, count: int) -> Iterator[Sequence[Phone]]:
    if phones.backend == SANDBOX:
        yield [Sandbox()]
        return
    from evalkit.android.rig import open_phones

    with open_phones(count, phones.serials) as staged:
        yield staged


def at_once(work: Callable[[M, T], R | None], jobs: Sequence[T], crew: Sequence[M]) -> Pairs[T, R]:
    """Each job with its result, as they come; ends early where a result is None. One member works in this thread."""
    if len(crew) == 1:
        for job in jobs:
            found = work(crew[0], job)
            if found is None:
                return
            yield job, found
        return
    yield from _threads(work, jobs, crew)


def _threads(work: Callable[[M, T], R | None], jobs: Sequence[T], crew: Sequence[M]) -> Pairs[T, R]:
    waiting: SimpleQueue[T] = SimpleQueue()
    done: SimpleQueue[tuple[T, R] | BaseException | None] = SimpleQueue()
    enough = Event()
    for job in jobs:
        waiting.put(job)

    def serve(member: M) -> None:
        try:
            while not enough.is_set():
                job = waiting.get_nowait()
                found = work(member, job)
                if found is None:
                    enough.set()
                    return
                done.put((job, found))
        except Empty:
            return
        except BaseException as error:
            enough.set()
            done.put(error)
        finally:
            done.put(None)

    threads = [Thread(target=serve, args=(member,), name=f"phone-{number}") for number, member in enumerate(crew)]
    for thread in threads:
        thread.start()
    left = len(threads)
    try:
        while left:
            found = done.get()
            if found is None:
                left -= 1
            elif isinstance(found, BaseException):
                raise found
            else:
                yield found
    finally:
        enough.set()
        for thread in threads:
            thread.join()
