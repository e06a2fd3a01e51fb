"""What agents without a model reach: floors through the whole harness, and the instrument tried by rehearsal.

1. *Floors*: null, random, read-only, extra-write, drop-one, do-twice, refuser, asker, keyword and the oracle, as any
   planner is run. Their successes are shares of all tasks; the keyword agent's figure is its Overall.
2. *Gold*: the share of tasks whose gold passes when later arguments are read from outputs alone, all tools exposed.
3. *Corrupted*: the Overall of an oracle with 10, 30 and 60% of its calls wrong. An instrument puts them in that order.
"""

from collections.abc import Callable, Iterable, Sequence

from evalkit.agents import Agent, oracle
from evalkit.corrupted import SHARES, corrupted
from evalkit.overall import overall, share
from evalkit.rehearsal import rehearse
from evalkit.result import Result, bare_result
from evalkit.verify import CoreVerifier
from evalkit.whole import Whole
from runtime.contract import Json, TaskSpec

FLOORS = ("null", "random", "read_only", "extra_write", "drop_one", "do_twice", "refuser", "asker", "keyword", "oracle")
"""Planners by name, as `pocket eval run --planner NAME` takes them."""
ABOUT = {
    "null": "finishes at once",
    "random": "three exposed tools with arguments at random",
    "read_only": "exposed reads alone; changes nothing",
    "extra_write": "the gold, and one write that nobody asked for",
    "drop_one": "the gold without one call",
    "do_twice": "every call of the gold twice",
    "refuser": "declines everything",
    "asker": "asks, whatever the request",
    "keyword": "the tool that recall puts first",
    "oracle": "the gold; recall's 15 tools limit it, and every planner",
}
"""What each one does, in a few words."""
SHOWN = ("success", "overall", "tool_use", "memory", "skill", "sub_agent")
"""Of each floor's figures."""


def rehearsed(tasks: Iterable[TaskSpec], cast: Callable[[TaskSpec], Agent]) -> list[Result]:
    """The verdicts on an agent that is cast for each task, with all tools exposed."""
    phone, verifier = Whole(), CoreVerifier()
    results: list[Result] = []
    for task in tasks:
        episode, diff = rehearse(task, cast(task), phone)
        verdict = verifier.judge(task.policy, episode, diff)
        results.append(bare_result(task, verdict, episode.stop.value))
    return results


def instrument(tasks: Sequence[TaskSpec]) -> Json:
    """`gold` and `corrupted`, the latter by percent."""
    gold = rehearsed(tasks, oracle)
    wrong = {f"{100 * part:.0f}": overall(rehearsed(tasks, _at(part))).value for part in SHARES}
    return {
        "gold": share(gold).value,
        "gold_failures": [result.task_id for result in gold if not result.verdict.success][:20],
        "corrupted": wrong,
    }


def _at(part: float) -> Callable[[TaskSpec], Agent]:
    return lambda task: corrupted(task, part)


def floor_figures(results: Sequence[Result]) -> Json:
    """The figures of one floor that are published, with their intervals."""
    from evalkit.score import score

    figures = score(results)
    patterns = [key for key in figures if key.endswith("_success")]
    shown = {key: figures[key] for key in (*SHOWN, *patterns) if figures[key] is not None}
    whole = share(results)
    return {"tasks": figures["tasks"], "all": whole.value, "all_low": whole.low, "all_high": whole.high, **shown}


def headline(name: str, results: Sequence[Result]) -> float | None:
    """The one number of a floor: the keyword agent's Overall, any other's success over all tasks."""
    return overall(results).value if name == "keyword" else share(results).value
