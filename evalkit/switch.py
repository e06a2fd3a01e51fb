"""The harness switched on or off as a whole, so that two runs differ in what it adds and in nothing else.

    on    guidance of the Scenario Adapter, evidence that is injected, what follows a failure
    off   none of these

Both leave as they are: the planner, tools, recall, limits, memory tools, loaders, sub-agents, dialogue, and the general
instructions, which as shipped speak of no task. Instructions of domains stay out of both: no checkpoint was trained on
them, and a comparison is of forms that the planner knows. What is switched wins over what the settings say of it.
"""

from runtime.config import Settings, keys
from runtime.contract import UserError

SWITCHED = ("memory.inject", "recovery.use", "skills.guidance")
"""Settings that are switched together; one that this version of the runtime has not is left out."""
STATES = ("on", "off")


def switched_keys() -> tuple[str, ...]:
    """The settings that are switched here."""
    there = set(keys())
    return tuple(key for key in SWITCHED if key in there)


def switched(settings: Settings, harness: str) -> Settings:
    """The settings with the harness `on` or `off`; as they are where nothing is said. `UserError` for another word."""
    if not harness:
        return settings
    if harness not in STATES:
        raise UserError(f"`--harness` is `{harness}`; it is `on` or `off`. Leave it out to run as the settings say.")
    for key in switched_keys():
        section, _, name = key.partition(".")
        changed = getattr(settings, section).model_copy(update={name: harness == "on"})
        settings = settings.model_copy(update={section: changed})
    return settings
