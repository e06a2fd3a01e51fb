"""Tools that need no phone but its clock: exact calculations, done here by the sandbox's own functions.

Only those whose answer is true anywhere: arithmetic, units, time zones, random numbers, the time. Rates, news and
weather of the sandbox are made up, so a connected phone does not have them.
"""

import random
from collections.abc import Callable
from typing import Any, cast

from device.android.tools.registry import offered
from device.android.work import Answer, Work
from device.sandbox.registry import catalogue
from device.sandbox.row import to_json
from device.sandbox.sandbox import Sandbox
from runtime.contract import WorldSpec

EXACT = ("calculate_expression", "convert_unit", "convert_timezone", "generate_random", "query_datetime")


def _reckon(name: str) -> Callable[..., Answer]:
    def reckoned(phone: Work, **arguments: Any) -> Answer:
        seed = random.SystemRandom().getrandbits(32)
        world = WorldSpec(clock=phone.now.isoformat(timespec="minutes"), seed=seed)
        value = catalogue().tools[name].function(Sandbox(world), **arguments)
        return cast(Answer, to_json(value))

    reckoned.__doc__ = f"`{name}`, by the phone's clock."
    return reckoned


for _name in EXACT:
    offered(_name, needs="", proof="calculation")(_reckon(_name))
