"""The fixed requests of the bench: 50 in plain words over all domains, a line each in `requests.txt`."""

from functools import lru_cache
from importlib.resources import files

from runtime.config import Settings
from runtime.contract import TaskView

STEPS = 3
"""Steps of one episode of the bench at most: a first decision and two later ones."""


@lru_cache(maxsize=1)
def requests() -> tuple[str, ...]:
    """All of them, in order."""
    text = files("evalkit.bench").joinpath("requests.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line)


def view(request: str, settings: Settings) -> TaskView:
    """The task of a request."""
    return TaskView(request=request, budget=settings.budget.model_copy(update={"steps": STEPS}))
