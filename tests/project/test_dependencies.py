"""Every package that the rooms import is declared, and every declared one is explained and has a tested version."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ROOMS = ("runtime", "device", "memory", "skills", "evalkit", "trainer")


def plain(name):
    """A distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def names(requirements):
    """Names of the distributions that some requirements ask for."""
    return {plain(re.match(r"[\w.-]+", requirement).group()) for requirement in requirements}


BASE = names(PROJECT["dependencies"])
DECLARED = BASE.union(*map(names, PROJECT["optional-dependencies"].values()))


def imported(source):
    """Top-level packages that a module imports, wherever it does."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module.partition(".")[0]


def foreign(room):
    """Packages from outside that a room imports, with a file that does."""
    for path in (ROOT / room).rglob("*.py"):
        for name in imported(path.read_text(encoding="utf-8")):
            if name not in sys.stdlib_module_names and name not in ROOMS:
                yield name, str(path.relative_to(ROOT))


def test_imports_are_found_wherever_they_stand():
    assert list(imported("import os.path\ndef f():\n    from a.b import c\nfrom . import d")) == ["os", "a"]


@pytest.mark.parametrize("room", ROOMS)
def test_what_a_room_imports_is_declared(room):
    distributions = packages_distributions()
    for name, path in foreign(room):
        known = {plain(one) for one in distributions.get(name, [name])}
        # pydantic's core is pinned by pydantic itself
        assert known & (DECLARED | {"pydantic-core"}), f"`{path}` imports `{name}`; declare it in pyproject.toml"


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_a_dependency_is_explained_and_pinned(name):
    rows = [line for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    words = {plain(word) for line in rows for word in re.findall(r"[\w.-]+", line.split("|")[1])}
    pins = {plain(line.partition("==")[0]) for line in (ROOT / "constraints.txt").read_text().splitlines()}
    assert name in words, f"say in README.md why `{name}` is needed"
    assert name in pins, f"add the tested version of `{name}` to constraints.txt"
