"""The android suite with one line of the bridge changed: `python -m evalkit.bench.device.mutant NAME`.

Prints JSON: the first task that failed, if one did, and how many were played. NAME may be empty: nothing is changed,
and every task is played. The change is made while the module is loaded; no file is written, and no compiled one read.
"""

import json
import sys
import tomllib
from collections.abc import Sequence
from contextlib import closing
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import TypedDict

from runtime.contract import InfrastructureError

BRIDGE = Path(__file__).parents[3] / "device" / "android"
LIST = Path(__file__).with_name("mutants.toml")


class Mutant(TypedDict):
    """One change, as it stands in mutants.toml."""

    name: str
    file: str
    old: str
    new: str
    tasks: str


def mutants() -> list[Mutant]:
    """All of them."""
    found: list[Mutant] = tomllib.loads(LIST.read_text(encoding="utf-8"))["mutant"]
    return found


def changed(mutant: Mutant) -> str:
    """The module's text with the change; raises `InfrastructureError` where the line is not there once."""
    text = (BRIDGE / mutant["file"]).read_text(encoding="utf-8")
    if text.count(mutant["old"]) != 1:
        raise InfrastructureError(f"`{mutant['old']}` stands {text.count(mutant['old'])} times in `{mutant['file']}`")
    return text.replace(mutant["old"], mutant["new"])


class _Loader(SourceFileLoader):
    """Loads a module from a text."""

    text = ""

    def get_code(self, fullname: str) -> CodeType:
        """Of the text, whatever lies in a file."""
        return compile(self.text, self.path, "exec", dont_inherit=True)


class Changing(MetaPathFinder):
    """Finds one module, changed."""

    def __init__(self, mutant: Mutant) -> None:
        self.path = BRIDGE / mutant["file"]
        self.module = ".".join(("device", "android", *Path(mutant["file"]).with_suffix("").parts))
        self.text = changed(mutant)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The changed module; nothing for all others."""
        if fullname != self.module:
            return None
        loader = _Loader(fullname, str(self.path))
        loader.text = self.text
        return spec_from_file_location(fullname, self.path, loader=loader)


def main(name: str) -> None:
    """Change, play, tell."""
    chosen = next((mutant for mutant in mutants() if mutant["name"] == name), None)
    if chosen is not None:
        sys.meta_path.insert(0, Changing(chosen))
    print(json.dumps(played(chosen["tasks"] if chosen is not None else "", chosen is not None)), flush=True)


def played(first: str, stop: bool) -> dict[str, object]:
    """The suite, tasks of `first` before the others; with `stop` until one fails."""
    from evalkit.android.play import outcomes
    from evalkit.suites import load_suite

    ids = [task.id for task in load_suite("android", "test").tasks if first and first in task.id]
    failed: list[str] = []
    count = 0
    with closing(outcomes(ids)) as run:
        for task, passed in run:
            count += 1
            failed += [] if passed else [task]
            if failed and stop:
                break
    return {"failed": failed, "tasks": count}


if __name__ == "__main__":
    main(*sys.argv[1:])
