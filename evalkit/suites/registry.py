"""Suites by name. A suite is built once per process and split."""

from collections.abc import Mapping
from dataclasses import dataclass, field
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
    refused: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """By program, which of its drafts were left out, counted from 0; of `bench` alone."""


@lru_cache(maxsize=4)
def load_suite(name: str, split: str) -> Suite:
    """A split of a suite, of `bench` as it was released; `UserError` for a name that is none."""
    return _suite(name, split, tried=False)


def try_suite(name: str, split: str) -> Suite:
    """A split of a suite with every draft tried now, whatever a release says; `UserError` for a name that is none."""
    return _suite(name, split, tried=True)


def _suite(name: str, split: str, tried: bool) -> Suite:
    if name not in SUITES:
        raise UserError(f"there is no suite `{name}`; suites: {', '.join(SUITES)}")
    valid = [option.value for option in (Split.TRAIN, Split.DEV, Split.TEST)][name == "android" :]
    if split not in valid:
        raise UserError(f"suite `{name}` has no split `{split}`; splits: {', '.join(valid)}")
    from evalkit.suites.core.suite import fingerprint

    built = _built(name, Split(split), tried)
    suite = Suite(name, Split(split), built.tasks, built.rejected, fingerprint(built.tasks), built.refused)
    if name == "bench" and split == Split.TEST:
        from evalkit.suites.bench.release import log_use

        log_use(name, suite.fingerprint, len(suite.tasks))
    return suite


def candidates_of(split: str) -> "Built":
    """What `android` chooses a split from; `UserError` for a name that is none."""
    if split not in (Split.DEV.value, Split.TEST.value):
        raise UserError(f"suite `android` has no split `{split}`; splits: dev, test")
    load_suite.cache_clear()  # what is chosen is about to change
    return _candidates(Split(split))


def _built(name: str, split: Split, tried: bool) -> "Built":
    if name == "android":
        from evalkit.suites.android.suite import admitted

        return admitted(split, _candidates(split))
    if name == "bench":
        from evalkit.suites.bench import loading

        return loading.tried(split) if tried else loading.loaded(split)
    from evalkit.suites.core.suite import build

    return build(split)


def _candidates(split: Split) -> "Built":
    """What `android` chooses from, from the cache folder where it was built before."""
    from evalkit.suites.android.suite import candidates
    from evalkit.suites.bench.loading import kept

    return kept("android", split, lambda: candidates(split))
