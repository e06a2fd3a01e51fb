"""A split of `bench` as it was released, or with every draft tried now.

    releases.json: the drafts that the newest release refused  ->  tasks, nothing tried  ->  its fingerprint: that is it
    another fingerprint (data, programs or tools changed since)  ->  every draft tried  ->  tasks that are no release

What a search of the memory finds decides at the making of a release alone (`pocket eval admit --release`).
"""

from collections.abc import Callable

from evalkit.suites.bench.kept import keep, kept_file, read_kept
from evalkit.suites.bench.release import load_releases
from evalkit.suites.bench.suite import build
from evalkit.suites.core.suite import Built, fingerprint
from evalkit.whole import Whole
from runtime.contract import Split


def loaded(split: Split) -> Built:
    """The newest release's tasks, where the sources still make them; else what is admitted now."""
    return kept("bench", split, lambda: released(split) or tried(split))


def tried(split: Split) -> Built:
    """What is admitted now, whatever a release says."""
    return kept("tried-bench", split, lambda: build(split))


def released(split: Split, whole: Whole | None = None) -> Built | None:
    """The newest release's tasks; None where the sources no longer make them."""
    newest = load_releases()[-1:]
    sealed = newest[0].splits.get(split.value) if newest else None
    if sealed is None or sealed.refused is None:
        return None
    built = build(split, whole, refused=sealed.refused)
    return built if fingerprint(built.tasks) == sealed.fingerprint else None


def kept(name: str, split: Split, make: Callable[[], Built]) -> Built:
    """From the cache folder where it was built before."""
    path = kept_file(name, split)
    built = read_kept(path)
    if built is None:
        built = make()
        keep(path, built)
    return built
