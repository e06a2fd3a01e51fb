"""What the loop is handed: every room behind its Protocol. `runtime/wiring.py` fills it; tests and evalkit may too."""

from dataclasses import dataclass, field

from runtime.assemble import Assembler
from runtime.contract import Digests, Json, MemoryManager, Planner, TraceSink
from runtime.executor import Executor
from runtime.shown import RESULT_CHARS


@dataclass(frozen=True)
class Rooms:
    """The rooms of one episode after another; one thread uses them at a time."""

    planner: Planner
    """pi_theta."""
    assembler: Assembler
    """H_eta."""
    executor: Executor
    """Routes calls to phone and providers, questions to the user, past the guard."""
    trace: TraceSink
    """Where every step is kept."""
    result_chars: int = RESULT_CHARS
    """Longest text of one observation in the context."""
    digests: Digests = field(default_factory=Digests)
    """What produces the episodes (`runtime/digests.py`)."""
    settings: Json = field(default_factory=dict)
    """The settings in force, saved with each episode."""
    phone: str = ""
    """Id under which the phone's state is kept, so that a run can go on after a kill; empty: it is not."""
    world: Json | None = None
    """The world in which the phone began, saved with each episode; None: it is not known."""
    memory: MemoryManager | None = None
    """Keeps what happened; None: nothing is captured."""


@dataclass(frozen=True)
class Labels:
    """Where an episode belongs, in evaluation and training."""

    task_id: str = ""
    """Task."""
    group: str = ""
    """Attempts of one group are compared with each other."""
    attempt: int = 0
    """Number within the group."""
