"""`pocket bench gui`: each task with every step chosen by the outer planner, and delegated, on one software phone.

    task -> world -> episode with the step tool     -> verdict, seconds, tokens
         -> world -> episode with the screen agent  -> verdict, seconds, tokens      (they take turns in being first)

Both sides run in the real harness: recall of 15 tools among which the side's own stands, the real context, executor and
read-back; results are shown whole. Tokens are what each decision was given and wrote, as an endpoint counts them; those
that were new to its cache stand beside. Setting up and judging are not on the clock. What was measured before Ctrl-C is
kept, and the same command goes on.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from evalkit.android.phone import StagedPhone
from evalkit.android.rig import open_phones
from evalkit.android.screen_tool import SPEC as STEP_SPEC
from evalkit.android.screen_tool import ScreenTool
from evalkit.bench.device.journal import ROOT, Journal
from evalkit.bench.frame import Bench, Figure, Order
from evalkit.bench.gui.outer import LedPlanner, Oracle, open_led
from evalkit.bench.gui.tasks import GuiTask, gui_tasks
from evalkit.commands.common import watch
from evalkit.verify import CoreVerifier
from runtime.assemble import Assembler
from runtime.config import Settings
from runtime.contract import Episode, Json, Planner, ToolProvider, ToolSpec, digest_of
from runtime.eta import load_eta
from runtime.executor import Executor
from runtime.guard import AllowAll, EffectGuard
from runtime.harness import run_episode
from runtime.rooms import Rooms
from runtime.subagents import SPEC, ScreenAgent
from runtime.trace import Untraced
from runtime.users import NoUser
from runtime.wiring import Opened, limits_of, open_named_planner, open_rooms

STEPS, SECONDS, RESULT_CHARS = 20, 300.0, 2400
"""Of an episode; longest result: the screens of the software phone are shown whole."""
SIDES = ("direct", "delegated")
ORACLE = "oracle"


@dataclass(frozen=True, slots=True)
class Ran:
    """One side of one task."""

    success: bool
    """The verdict."""
    seconds: float
    """Wall time of the episode."""
    deciding: float
    """Of it, the outer planner's."""
    tokens: int
    """Given to the outer planner and written by it, over its decisions."""
    read: int
    """Of them, new to its cache, and written."""
    decisions: int
    """Of the outer planner."""
    stop: str
    """How it ended."""
    why: tuple[str, ...] = ()
    """Checks that failed."""


def gui(order: Order) -> Json:
    """`--limit` is a number of tasks; `--planner`: `oracle` on the embedded model, or one that chooses for itself."""
    tasks, settings = gui_tasks(order.limit), _settings(order.settings)
    journal = journal_of(tasks, settings)
    if left := journal.left():
        _measure(tasks, left, settings, journal)
    made_by = journal.fact("made_by", dict)
    outcomes = [{side: Ran(**values) for side, values in one.items()} for one in journal.outcomes()]
    return {**made_by, **summary(tasks, {task.task.id: one for task, one in zip(tasks, outcomes, strict=True)})}


def journal_of(tasks: Sequence[GuiTask], settings: Settings) -> Journal:
    """What was measured already of the same tasks, under the same settings and code; else an empty one."""
    code = [file.read_text(encoding="utf-8") for file in sorted((ROOT / "runtime" / "subagents").glob("*.py"))]
    asked = [[task.task.digest(), *task.steps, task.handover] for task in tasks]
    mark = {"of": digest_of([code, asked, settings.model_dump(mode="json")])}
    journal = Journal("gui", len(tasks))
    if journal.fact("of", lambda: mark) != mark:
        journal.outcomes()  # nobody else may write it until here
        journal.path.unlink(missing_ok=True)
        journal = Journal("gui", len(tasks))
        journal.fact("of", lambda: mark)
    return journal


def _measure(tasks: Sequence[GuiTask], left: Sequence[int], settings: Settings, journal: Journal) -> None:
    """Both sides of each task that is left, kept as they come."""
    planner: Planner = open_led(settings.planner) if settings.planner.use == ORACLE else open_named_planner(settings)
    try:
        with (
            open_phones(1) as (staged,),
            open_rooms(settings, phone=staged, planner=planner, trace=Untraced()) as opened,
        ):
            stands = {side: _stand(side, staged, opened, planner) for side in SIDES}
            made_by = {"outer_planner": planner.identity, "agent": stands["delegated"].agent}
            journal.fact("made_by", lambda: made_by)
            for side, stand in stands.items():  # starts helpers and fills caches; left out
                run(tasks[left[0]], side, stand, planner)
            for number in watch(left):
                order = SIDES if number % 2 == 0 else SIDES[::-1]
                journal.add(number, {side: asdict(run(tasks[number], side, stands[side], planner)) for side in order})
    finally:
        planner.close()


@dataclass(frozen=True)
class Stand:
    """The rooms of one side."""

    staged: StagedPhone
    """The phone that both share."""
    rooms: Rooms
    """With the side's tool beside the phone."""
    agent: str
    """Who chooses on the screen."""


def _settings(settings: Settings) -> Settings:
    context = settings.context.model_copy(update={"result_chars": RESULT_CHARS})
    return settings.model_copy(update={"context": context})


def _stand(side: str, staged: StagedPhone, opened: Opened, planner: Planner) -> Stand:
    agent = ScreenAgent(staged) if side == "delegated" else None
    provider: ToolProvider = agent or ScreenTool(staged)
    spec: ToolSpec = SPEC if agent else STEP_SPEC
    limits = limits_of(opened.settings, planner)
    assembler = Assembler(planner, opened.recall, load_eta(opened.settings.context.eta), limits, pinned=(spec.name,))
    executor = Executor(staged, EffectGuard(AllowAll(), ()), NoUser(), (provider,))
    rooms = replace(opened.rooms, planner=planner, assembler=assembler, executor=executor)
    return Stand(staged, rooms, agent.chooser.identity if agent else "the outer planner")


def run(task: GuiTask, side: str, stand: Stand, planner: Planner) -> Ran:
    """One side of one task, from its world to its verdict."""
    staged = stand.staged
    staged.prepare(task.task)
    start = staged.snapshot()
    if isinstance(planner, LedPlanner):
        planner.oracle = Oracle(task.steps if side == "direct" else (task.handover,))
    engine = getattr(planner, "engine", None)
    if engine is not None:
        engine.keep(0)
    budget = task.task.view.budget.model_copy(update={"steps": STEPS, "seconds": SECONDS})
    view = task.task.view.model_copy(update={"tools": None, "budget": budget})
    clock = time.perf_counter()
    episode = run_episode(view, stand.rooms)
    seconds = time.perf_counter() - clock
    verdict = CoreVerifier().judge(task.task.policy, episode, staged.diff(start))
    why = tuple(check.name for check in verdict.checks if not check.passed)
    return _ran(episode, seconds, verdict.success, why)


def _ran(episode: Episode, seconds: float, success: bool, why: tuple[str, ...]) -> Ran:
    usages = [step.decision.usage for step in episode.steps]
    tokens = sum(usage.prompt_tokens + usage.output_tokens for usage in usages)
    return Ran(
        success=success,
        seconds=round(seconds, 3),
        deciding=round(sum(step.decision.seconds for step in episode.steps), 3),
        tokens=tokens,
        read=tokens - sum(usage.cached_tokens for usage in usages),
        decisions=len(usages),
        stop=episode.stop.value,
        why=why,
    )


def summary(tasks: Sequence[GuiTask], found: dict[str, dict[str, Ran]]) -> Json:
    """Figures over all tasks, over those that can be done, and over those that are blocked: at the first step, where
    nothing is left to save, or on the way.
    """
    every = list(found.values())
    blocked = [found[task.task.id] for task in tasks if task.blocked]
    at_once = [found[task.task.id] for task in tasks if task.blocked and len(task.steps) == 1]
    done = [found[task.task.id] for task in tasks if not task.blocked]
    failed = [
        {"task": name, "side": side, "stop": ran.stop, "why": list(ran.why)}
        for name, sides in found.items()
        for side, ran in sides.items()
        if not ran.success
    ]
    return {
        **_figures(every),
        "n": len(every),
        "done_cases": {"n": len(done), **_figures(done)},
        "blocked_cases": {"n": len(blocked), **_figures(blocked)},
        "blocked_at_once": {"n": len(at_once), **_figures(at_once)},
        "blocked_midway": {
            "n": len(blocked) - len(at_once),
            **_figures([one for one in blocked if one not in at_once]),
        },
        "failed": failed,
        "tasks": {
            name: {side: [ran.success, ran.seconds, ran.tokens, ran.decisions] for side, ran in sides.items()}
            for name, sides in found.items()
        },
    }


def _figures(pairs: Sequence[dict[str, Ran]]) -> Json:
    if not pairs:
        return {}
    direct, delegated = ([pair[side] for pair in pairs] for side in SIDES)
    success = {side: 100 * sum(pair[side].success for pair in pairs) / len(pairs) for side in SIDES}
    return {
        "success_diff": round(abs(success["delegated"] - success["direct"]), 2),
        "success_direct": round(success["direct"], 2),
        "success_delegated": round(success["delegated"], 2),
        "time_ratio": _ratio((ran.seconds for ran in delegated), (ran.seconds for ran in direct)),
        "outer_token_ratio": _ratio((ran.tokens for ran in delegated), (ran.tokens for ran in direct)),
        "outer_read_ratio": _ratio((ran.read for ran in delegated), (ran.read for ran in direct)),
        "seconds_direct": round(sum(ran.seconds for ran in direct), 1),
        "seconds_delegated": round(sum(ran.seconds for ran in delegated), 1),
        "deciding_direct": round(sum(ran.deciding for ran in direct), 1),
        "deciding_delegated": round(sum(ran.deciding for ran in delegated), 1),
        "outer_tokens_direct": sum(ran.tokens for ran in direct),
        "outer_tokens_delegated": sum(ran.tokens for ran in delegated),
        "decisions_direct": sum(ran.decisions for ran in direct),
        "decisions_delegated": sum(ran.decisions for ran in delegated),
    }


def _ratio(above: Iterable[float], below: Iterable[float]) -> float | None:
    total = sum(below)
    return round(sum(above) / total, 4) if total else None


GUI = Bench(
    name="gui",
    title="The screen: every step chosen by the outer planner, and the goal handed over.",
    parts={"gui": gui},
    figures=(
        Figure("success_diff", "points between the two sides", 2.0),
        Figure("time_ratio", "seconds, delegated over step by step", 0.70),
        Figure("outer_token_ratio", "tokens of the outer planner, the same", 0.30),
        Figure("success_direct", "per cent, step by step"),
        Figure("success_delegated", "per cent, delegated"),
        Figure("n", "tasks"),
    ),
)
