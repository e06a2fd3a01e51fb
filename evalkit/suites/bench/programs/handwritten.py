"""Hand-written tasks as programs: one for each part, with all that stand in a split."""

from collections.abc import Callable, Iterator

from evalkit.suites.bench.draft import Draft, Part
from evalkit.suites.bench.maker import Maker
from evalkit.suites.bench.program import program
from evalkit.suites.bench.written import KINDS, written

ALL = (9_999, 9_999, 9_999)
"""As many as there are."""
ASKED: dict[str, tuple[str, ...]] = {
    "grounding": ("argument_grounding",),
    "dependency": ("argument_grounding", "dependency_handling"),
    "tracking": ("argument_grounding", "state_tracking"),
    "revision": ("argument_grounding", "state_tracking"),
    "boundary": ("argument_grounding", "recovery"),
    "single_turn": ("information_acquisition", "argument_grounding", "personalised_planning"),
    "multi_turn": ("information_acquisition", "argument_grounding", "personalised_planning", "state_tracking"),
    "skill": ("dependency_handling", "argument_grounding", "tool_routing"),
    "handoff": ("tool_routing", "argument_grounding", "dependency_handling"),
}
"""Capabilities by kind; a task may name more."""


def _of(part: Part, kind: str) -> Callable[[Maker], Iterator[Draft]]:
    def make(maker: Maker) -> Iterator[Draft]:
        yield from (draft for own, draft in written(maker.split, part, maker.specs) if own == kind)

    return make


for _part in ("tool_use", "memory", "skill", "sub_agent"):
    for _kind in KINDS[_part]:
        program(f"hand_written_{_part}_{_kind}", part=_part, kind=_kind, capabilities=ASKED[_kind], sizes=ALL)(
            _of(_part, _kind)
        )
