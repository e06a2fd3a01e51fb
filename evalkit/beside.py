"""What stands beside a phone and offers tools: memory, Skills, sub-agents.

`BESIDE` holds a maker for each: from a task's world and the phone, a provider in its first state. Runs, rehearsals and
replays all ask here, so that what is added here is there everywhere.
"""

from collections.abc import Callable, Sequence

from runtime.contract import Phone, ToolProvider, ToolSpec, WorldSpec

BESIDE: list[Callable[[WorldSpec, Phone], ToolProvider]] = []
"""Makers, in the order in which their tools are offered after the phone's."""


def beside(world: WorldSpec, phone: Phone) -> list[ToolProvider]:
    """The providers beside a phone, in their first state."""
    return [make(world, phone) for make in BESIDE]


def offered_with(phone: Phone, others: Sequence[ToolProvider]) -> tuple[ToolSpec, ...]:
    """All tools of a phone and of what stands beside it."""
    more = [tool for provider in others for tool in provider.tools()]
    return (*phone.tools(), *more)
