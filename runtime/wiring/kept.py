"""The phone of a run, kept on the disk until the run has ended."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from runtime.config import Settings
from runtime.contract import UserError
from runtime.trace import Earlier
from runtime.wiring.phones import world_of
from runtime.wiring.stores import open_phones

if TYPE_CHECKING:
    from device.sandbox.kept import KeptPhone

SANDBOX = "sandbox"
"""The backend whose state ends with its process; a connected phone keeps its own."""


@contextmanager
def kept_phone(settings: Settings, earlier: Earlier | None = None) -> Iterator["KeptPhone | None"]:
    """A new kept phone, or that of a run that goes on; None where `phone.keep` is off and for a connected phone."""
    if settings.phone.backend != SANDBOX or not (settings.phone.keep or earlier):
        yield None
        return
    if earlier is not None and not earlier.phone:
        raise UserError(
            f"the phone of the run `{earlier.id}` was not kept (`phone.keep`), so it can't go on. Run the request anew."
        )
    with closing(open_phones()) as phones:
        yield phones.take_up(earlier.phone) if earlier is not None else phones.begin(world_of(settings))
