"""One suite with four user tasks: two whose gold fits, one whose gold doesn't, one whose gold calls no tool."""

from typing import Any, ClassVar

from pydantic import BaseModel

from agentdojo.agent_pipeline.tool_execution import tool_result_to_str  # noqa: F401 - as the outside module does
from agentdojo.functions_runtime import Function, FunctionCall


class Money(BaseModel):
    """The environment."""

    balance: int = 100
    paid: list[dict[str, Any]] = []


class Amount(BaseModel):
    """Arguments of `pay`."""

    amount: int


class Empty(BaseModel):
    """No arguments."""


def pay(environment, amount):
    """Refuses more than there is."""
    if amount > environment.balance:
        raise ValueError("not enough money")
    environment.balance -= amount
    environment.paid.append({"amount": amount})
    return environment.paid[-1]


class Task:
    """A user task."""

    def __init__(self, id, calls, wanted, by_trace=None, answer=""):
        self.ID, self.PROMPT, self.GROUND_TRUTH_OUTPUT = id, f"do {id}", answer
        self._calls, self._wanted, self._by_trace = calls, wanted, by_trace

    def init_environment(self, environment):
        return environment

    def ground_truth(self, environment):
        return [FunctionCall(function=name, args=args) for name, args in self._calls]

    def utility(self, output, before, after):
        return (before.balance - after.balance, output) == (self._wanted, self.GROUND_TRUTH_OUTPUT)

    def utility_from_traces(self, output, before, after, traces):
        return None if self._by_trace is None else [call.function for call in traces] == self._by_trace


class Suite:
    """A suite; its environment is loaded anew by whoever asks."""

    tools: ClassVar = [
        Function(name="pay", description="Pay an amount.", parameters=Amount, run=pay),
        Function(name="get_balance", description="What is left.", parameters=Empty, run=lambda env: env.balance),
    ]
    user_tasks: ClassVar = {
        one.ID: one
        for one in (
            Task("user_task_0", [("pay", {"amount": 60})], 60, answer="paid"),
            Task("user_task_1", [("get_balance", {})], 9999, by_trace=["get_balance"]),
            Task("user_task_2", [("pay", {"amount": 10})], 11),
            Task("user_task_3", [("fly", {})], 0),
        )
    }

    def load_and_inject_default_environment(self, injections):
        return Money()


def get_suites(version):
    """Suites of one version of the benchmark."""
    return {"banking": Suite()} if version == "v1.2.2" else {}
