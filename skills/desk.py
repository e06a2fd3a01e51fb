"""All that a person does with Skills, behind `pocket skills`: look, compile, check, install, remove, export.

library/ more/ packs  ->  shelves by name  ->  loaders, checks, the guidance in use
"""

import logging
from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path

from runtime.contract import ToolSpec, UserError
from skills.adapter import Adapter
from skills.artifact import SHIPPED, Artifact, read_artifact, shipped, stale, write_artifact
from skills.check import SUBSETS, Checked, check
from skills.checks import SkillChecks
from skills.compile import Source, compile_guidance, places_in, read_sources
from skills.guide import read_general
from skills.loaders import LIBRARY, MORE, SkillLoaders
from skills.packs.export import export
from skills.packs.store import Installed, PackStore
from skills.rule import Count
from skills.skill import Skill

SHELVES = ("library", "more", "packs")
"""Where Skills stand."""
ARTIFACT = "guidance.json"


class Desk:
    """The Skills of the package and those that a person has installed."""

    def __init__(self, home: Path) -> None:
        """`home` is the folder of installed packs and of the guidance that was compiled with them."""
        self.home = home
        own = [place.name for folder in (LIBRARY, MORE) for place in places_in(folder)]
        self.store = PackStore(home / "packs", own)

    @property
    def compiled(self) -> Path:
        """Where `pocket skills compile` writes."""
        return self.home / ARTIFACT

    def sources(self, shelves: Collection[str] = SHELVES) -> tuple[Source, ...]:
        """The Skills on some shelves with their rules, by name."""
        places = [
            *(places_in(LIBRARY) if "library" in shelves else ()),
            *(places_in(MORE) if "more" in shelves else ()),
        ]
        return read_sources([*places, *(self.store.folders() if "packs" in shelves else ())])

    def skills(self, shelves: Collection[str] = SHELVES) -> tuple[Skill, ...]:
        """The Skills on some shelves, by name."""
        return tuple(source.skill for source in self.sources(shelves))

    @cached_property
    def everything(self) -> tuple[Source, ...]:
        """All Skills with their rules."""
        return self.sources()

    def compile(
        self, specs: Sequence[ToolSpec], count: Count, overrides: Path | None = None
    ) -> tuple[Artifact, list[str]]:
        """The guidance for these tools, and every problem as a sentence."""
        mark = shipped().digest if SHIPPED.is_file() else ""
        return compile_guidance(specs, self.everything, read_general(overrides=overrides), count, mark)

    def write(self, artifact: Artifact, path: Path | None = None) -> Path:
        """Keep it where runs look for it, or in another file; the package's own carries no mark."""
        target = path or self.compiled
        own = target.resolve() == SHIPPED.resolve()
        write_artifact(artifact.model_copy(update={"shipped": ""}) if own else artifact, target)
        return target

    def in_use(self) -> tuple[Artifact, str]:
        """The guidance that runs use, and a line where the person's own is of another version of the package."""
        if not self.compiled.is_file():
            return shipped(), ""
        own = read_artifact(self.compiled)
        if own.shipped == shipped().digest:
            return own, ""
        return shipped(), (
            f"the guidance `{self.compiled}` was compiled beside another version of the package and is not used; "
            "run `pocket skills compile`"
        )

    def check(self, specs: Sequence[ToolSpec], count: Count, subsets: int = SUBSETS, seed: int = 0) -> Checked:
        """Measure the guidance in use, and whether compiling anew would change it."""
        used, line = self.in_use()
        loaders = SkillLoaders(tuple(one.skill for one in self.everything)).tools()
        found = check(used, specs, loaders, count, subsets=subsets, seed=seed)
        anew, problems = self.compile(specs, count)
        same = (anew.schemas, anew.sources) == (used.schemas, used.sources)
        return found.model_copy(update={"problems": tuple(problems), "recompile": bool(line) or not same})

    def stale(self, specs: Sequence[ToolSpec]) -> str:
        """One line where the tools or the package are not those of the guidance in use."""
        used, line = self.in_use()
        return line or stale(used, specs)

    def adapter(self, specs: Sequence[ToolSpec], shelves: Collection[str] = SHELVES) -> Adapter:
        """The Scenario Adapter for what a run offers; where it is stale, one line is logged.

        Without the shelf of packs, the package's own guidance is used whatever a person has compiled.
        """
        used, line = self.in_use() if "packs" in shelves else (shipped(), "")
        if line := line or stale(used, specs):
            logging.getLogger(__name__).warning("%s", line)
        return Adapter(used)

    def checks(self, shelves: Collection[str], guided: bool) -> SkillChecks:
        """What Skills require and ensure, as a hook: of those on some shelves once they are loaded; `guided`, where
        the Adapter speaks of all Skills of the package, of those too and from the start."""
        return SkillChecks(self.skills({*shelves, "library", "more"} if guided else shelves), guided)

    def install(self, pack: Path, expected: str = "") -> Installed:
        """Install all Skills of a pack."""
        return self.store.install(pack, expected)

    def remove(self, slug: str) -> None:
        """Take an installed Skill out."""
        self.store.remove(slug)

    def export(self, slugs: Sequence[str], target: Path) -> dict[str, str]:
        """Write Skills for other runtimes; none named: all."""
        return export([self.named(slug) for slug in slugs] or list(self.everything), target)

    def named(self, slug: str) -> Source:
        """One Skill; a `UserError` with near names where there is none."""
        found = next((one for one in self.everything if one.skill.name == slug), None)
        if found is None:
            raise UserError(f"there is no Skill `{slug[:80]}`. See `pocket skills list`.")
        return found

    def shelf_of(self, slug: str) -> str:
        """Where a Skill stands."""
        place = self.named(slug).path.parent.parent
        return "library" if place == LIBRARY else "more" if place == MORE else "packs"
