"""Suites by name. A suite is built once per process and split."""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from evalkit.admission import Admission
from runtime.contract import Split, TaskSpec, UserError

if TYPE_CHECKING:
    from evalkit.suites.core.suite import Built

SUITES = ("core", "bench", "android")
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
    valid = [option.value for option in (Split.TRAIN, Split.DEV, Split.TEST)][name == "android" :]
    if split not in valid:
        raise UserError(f"suite `{name}` has no split `{split}`; splits: {', '.join(valid)}")
    from evalkit.suites.core.suite import build, fingerprint

    built = build(Split(split)) if name == "core" else _kept(name, Split(split))
    if name == "android":
        from evalkit.suites.android.suite import admitted

        built = admitted(Split(split), built)
    suite = Suite(name, Split(split), built.tasks, built.rejected, fingerprint(built.tasks))
    if name == "bench" and split == Split.TEST:
        from evalkit.suites.bench.release import log_use

        log_use(name, suite.fingerprint, len(suite.tasks))
    return suite


def candidates_of(split: str) -> "Built":
    """What `android` chooses a split from; `UserError` for a name that is none."""
    if split not in (Split.DEV.value, Split.TEST.value):
        raise UserError(f"suite `android` has no split `{split}`; splits: dev, test")
    load_suite.cache_clear()  # what is chosen is about to change
    return _kept("android", Split(split))


def _kept(name: str, split: Split) -> "Built":
    """A split of `bench`, or of what `android` chooses from, from the cache folder where it was built before."""
    from evalkit.suites.android.suite import candidates
    from evalkit.suites.bench.kept import keep, kept_file, read_kept
    from evalkit.suites.bench.suite import build

    path = kept_file(name, split)
    built = read_kept(path)
    if built is None:
        built = candidates(split) if name == "android" else build(split)
        keep(path, built)
    return built
