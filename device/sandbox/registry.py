"""What this phone is made of: the tools, row classes and plants of the modules under `rows/` and `tools/`.

Modules are imported in sorted order, `rows` first, and their members taken in the order of definition: so the order of
tools, plants and ids is the same in every process.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from device.sandbox.row import RowKind, is_row, kind_of
from device.sandbox.tool import Tool
from runtime.contract import SetupError, ToolSpec

if TYPE_CHECKING:
    from device.sandbox.sandbox import Sandbox

PACKAGES = ("device.sandbox.rows", "device.sandbox.tools")


@dataclass(frozen=True, slots=True)
class Plant:
    """A function that plants default rows."""

    function: "Callable[[Sandbox], None]"
    """Called once, when a world is built."""

    def __call__(self, phone: "Sandbox") -> None:
        """Plant."""
        self.function(phone)


def plant(function: "Callable[[Sandbox], None]") -> Plant:
    """Have `function` plant its rows in every world."""
    return Plant(function)


@dataclass(frozen=True, eq=False, slots=True)
class Catalogue:
    """Tools, tables and plants of one kind of phone; compared by identity."""

    tools: dict[str, Tool[..., Any]]
    """By name, in order."""
    kinds: dict[str, RowKind]
    """By table, in order."""
    plants: tuple[Plant, ...]
    """In order."""
    specs: tuple[ToolSpec, ...]
    """What the planner may be shown."""
    permissions: frozenset[str]
    """Every permission that a tool needs."""


def collect(modules: Iterable[ModuleType]) -> Catalogue:
    """The catalogue of these modules; raises `SetupError` for a name that stands twice."""
    tools: dict[str, Tool[..., Any]] = {}
    kinds: dict[str, RowKind] = {}
    plants: dict[Plant, None] = {}
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, Tool):
                if tools.setdefault(value.spec.name, value) is not value:
                    raise SetupError(f"two tools are called `{value.spec.name}`; the second is in `{module.__name__}`")
            elif isinstance(value, Plant):
                plants[value] = None
            elif is_row(value):
                kind = kind_of(value)
                if kinds.setdefault(kind.table, kind) is not kind:
                    raise SetupError(f"two row classes are called `{kind.table}`; the second is in `{module.__name__}`")
    ordered = dict(sorted(tools.items()))
    specs = tuple(tool.spec for tool in ordered.values())
    permissions = frozenset(name for spec in specs for name in spec.permissions)
    return Catalogue(ordered, kinds, tuple(plants), specs, permissions)


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """The embedded phone's."""
    return collect(_import(name) for package in PACKAGES for name in _names(package))


def _names(package: str) -> list[str]:
    path = importlib.import_module(package).__path__
    return sorted(module.name for module in pkgutil.iter_modules(path, prefix=f"{package}."))


def _import(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (ImportError, NameError, SyntaxError, AttributeError, TypeError) as error:
        raise SetupError(f"the tool module `{name}` can't be imported: {type(error).__name__}: {error}") from error
