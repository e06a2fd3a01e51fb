"""The suite `android` by the oracle on one software phone: what broken parsers and read-backs are shown by.

No recall and no planner: each gold is played over the bridge and judged. A second witness that disagrees is a failure
too, because what was read is then not what the phone holds; so is a call that worked and is reported as failed.
"""

from collections.abc import Generator, Sequence

from evalkit.agents import Agent, oracle
from evalkit.android.phone import StagedPhone
from evalkit.android.rig import open_phones
from evalkit.android.screen_tool import ScreenTool
from evalkit.rehearsal import rehearse
from evalkit.verify import CoreVerifier
from runtime.contract import Deadline, Episode, Observation, TaskSpec, ToolCall, ToolSpec, Verdict, WorldSpec


class WithScreen(StagedPhone):
    """A staged phone whose screen is a tool beside its own, for golds that are played without a harness."""

    def __init__(self, staged: StagedPhone) -> None:
        super().__init__(staged.phone, staged.control)
        self._screen = ScreenTool(staged)
        self._task: TaskSpec | None = None

    def tools(self) -> Sequence[ToolSpec]:
        """The phone's and the screen's."""
        return (*self.phone.tools(), *self._screen.tools())

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Run one call where it belongs."""
        if call.name in {spec.name for spec in self._screen.tools()}:
            return self._screen.execute(call, deadline, idempotency_key)
        return super().execute(call, deadline, idempotency_key)

    def reset(self, world: WorldSpec) -> None:
        """Take the state of a world, or of the task that is played."""
        if self._task is not None and self.control is None:
            task, self._task = self._task, None
            self.prepare(task)
            self._task = task
        else:
            super().reset(world)

    def judged(self, task: TaskSpec, agent: Agent) -> tuple[Verdict, tuple[str, ...]]:
        """The verdict on an agent, and what the witness said otherwise."""
        self._task = task
        try:
            episode, diff = rehearse(task, agent, self)
            witness = (*self.witness, *refused(episode))
            self.clean()
        finally:
            self._task = None
        return CoreVerifier().judge(task.policy, episode, diff), witness


def refused(episode: Episode) -> tuple[str, ...]:
    """Calls of a gold that the phone took and the bridge reports as failed: what it read back is then not so."""
    seen = [one for step in episode.steps for one in step.observations]
    return tuple(f"reported as failed: {one.failure.message[:120]}" for one in seen if one.failure is not None)


def passed(task: TaskSpec, phone: WithScreen) -> bool:
    """Whether the gold of a task passes, and nobody says otherwise."""
    try:
        verdict, witness = phone.judged(task, oracle(task))
    except Exception:  # whatever a broken bridge raises, its task did not pass
        return False
    return verdict.success and verdict.valid and not witness


def outcomes(first: Sequence[str] = (), split: str = "test") -> Generator[tuple[str, bool], None, None]:
    """Each task's id and whether it passed, those of `first` before the others; the phone ends with the generator."""
    from evalkit.suites import load_suite

    tasks = {task.id: task for task in load_suite("android", split).tasks}
    order = [*(name for name in first if name in tasks), *(name for name in tasks if name not in first)]
    with open_phones(1) as (staged,):
        phone = WithScreen(staged)
        for name in order:
            yield name, passed(tasks[name], phone)
