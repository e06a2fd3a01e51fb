"""Suites by name. A suite is built once per process and split."""

from dataclasses import dataclass
from functools import lru_cache

from evalkit.admission import Admission
from runtime.contract import Split, TaskSpec, UserError

SUITES = ("core",)
"""Names that `load_suite` knows."""


@dataclass(frozen=True)
class Suite:
    """The admitted tasks of one split."""

    name: str
    """Suite."""
    split: Split
    """Split."""
    tasks: tuple[TaskSpec, ...]
    """In order."""
    rejected: tuple[Admission, ...]
    """What admission left out, with reasons."""
    fingerprint: str
    """Digest of the tasks."""


@lru_cache(maxsize=4)
def load_suite(name: str, split: str) -> Suite:
    """A split of a suite; `UserError` for a name that is none."""
    if name not in SUITES:
        raise UserError(f"there is no suite `{name}`; suites: {', '.join(SUITES)}")
    valid = [option.value for option in (Split.TRAIN, Split.DEV, Split.TEST)]
    if split not in valid:
        raise UserError(f"suite `{name}` has no split `{split}`; splits: {', '.join(valid)}")
    from evalkit.suites.core.suite import build, fingerprint

    built = build(Split(split))
    return Suite(name, Split(split), built.tasks, built.rejected, fingerprint(built.tasks))
