"""pass@k and pass^k over several attempts of each task.

pass@k: how likely one of k attempts passes; pass^k: how likely all k do. Both are estimated without bias from n
attempts and averaged over tasks (a Skill task counts once under each routing). Tasks with fewer valid attempts than k
are left out of that k and counted.
"""

from collections.abc import Sequence

from evalkit.result import Result
from evalkit.statistics import pass_at_k, pass_hat_k, proportion
from runtime.contract import Json


def pass_figures(results: Sequence[Result]) -> Json:
    """`pass_at_k` and `pass_hat_k` by k, with intervals clustered by family; empty for single attempts."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        if result.verdict.valid:
            groups.setdefault((result.task_id, result.routing), []).append(result)
    most = max((result.attempt + 1 for result in results), default=0)
    if most < 2:
        return {}
    at, hat, short = {}, {}, {}
    for k in range(1, most + 1):
        counted = [group for group in groups.values() if len(group) >= k]
        families = [group[0].family for group in counted]
        tried = [(len(group), sum(one.verdict.success for one in group)) for group in counted]
        at[str(k)] = proportion([pass_at_k(n, c, k) for n, c in tried], families).model_dump(mode="json")
        hat[str(k)] = proportion([pass_hat_k(n, c, k) for n, c in tried], families).model_dump(mode="json")
        short[str(k)] = len(groups) - len(counted)
    return {"attempts": most, "pass_at_k": at, "pass_hat_k": hat, "tasks_with_too_few_attempts": short}
