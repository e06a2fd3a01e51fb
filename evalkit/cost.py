"""What a run cost, side by side and never summed: tokens, and seconds of planner, phone and harness.

The price is the caller's; it covers generated tokens alone (thinking included). What was read, the machine that served
and the phone's time are other costs in other units.
"""

from collections.abc import Sequence

from evalkit.result import MISSING, Result
from evalkit.statistics import mean
from runtime.contract import Json

SCOPE = (
    "generated tokens alone, thinking included, at the price given; input tokens, planner, device and harness seconds "
    "stand beside it and are not in it"
)


def cost_figures(results: Sequence[Result], price: float | None = None) -> Json:
    """Means a task over what was run. `price`: of a million output tokens, in whatever currency."""
    ran = [result for result in results if result.verdict.valid and result.stop != MISSING]
    output = mean([result.output_tokens for result in ran])
    cost = None if price is None or output is None else output * 1000 * price / 1e6
    return {
        "output_tokens_mean": output,
        "output_tokens_per_1000_tasks": None if output is None else output * 1000,
        "output_cost_per_1000_tasks": cost,
        "price_per_million_output_tokens": price,
        "cost_scope": SCOPE,
        "input_tokens_mean": mean([result.input_tokens for result in ran]),
        "cached_input_tokens_mean": mean([result.cached_tokens for result in ran]),
        "planner_seconds_mean": mean([result.planner_s for result in ran]),
        "device_seconds_mean": mean([result.device_s for result in ran]),
        "harness_seconds_mean": mean([result.harness_s for result in ran]),
        "seconds_mean": mean([result.seconds for result in ran]),
        "steps_mean": mean([result.steps for result in ran]),
        "calls_mean": mean([result.calls for result in ran]),
    }
