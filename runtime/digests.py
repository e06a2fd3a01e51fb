"""What produced an episode, as digests: equal digests and seeds give an equal episode."""

from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

from runtime.contract import CONTRACT_VERSION, Json, ToolSpec, digest_of
from runtime.eta import Eta


def harness_digest(eta: Eta, settings: Json, recall: str) -> str:
    """Of the configuration that shapes contexts and stops, eta, the recall of this identity and the code's version."""
    shaped = {"eta": eta.digest, "settings": settings, "recall": recall}
    return digest_of({**shaped, "code": code_version(), "contract": CONTRACT_VERSION})


def tools_digest(tools: Sequence[ToolSpec]) -> str:
    """Of all tools on offer."""
    return _tools_digest(tuple(map(_Same, tools)))


class _Same:
    """A tool specification that is compared by identity: specifications are frozen, and hashing one is slow."""

    __slots__ = ("spec",)

    def __init__(self, spec: ToolSpec) -> None:
        self.spec = spec

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.spec is self.spec

    def __hash__(self) -> int:
        return id(self.spec)


@lru_cache(maxsize=8)
def _tools_digest(tools: tuple[_Same, ...]) -> str:
    return digest_of([one.spec.model_dump(mode="json") for one in tools])


def code_version() -> str:
    """Version of the installed distribution."""
    try:
        return version("pocketplanner")
    except PackageNotFoundError:
        return "unknown"
