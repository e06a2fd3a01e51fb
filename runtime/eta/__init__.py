"""eta: the harness's instructions, a versioned data file bound to a schema.

1. `NAME.toml` beside this file holds named components, each a sentence or two: what a revision may rewrite.
2. Their texts, joined in the order of the file, open every context. They stay under `MAX_CHARS`, since every episode
   pays for them.
3. The digest goes into the trace, so that an episode says under which instructions it ran.
"""

import tomllib
from pathlib import Path

from pydantic import Field, ValidationError

from runtime.contract import Record, SetupError, UserError, digest_of

FOLDER = Path(__file__).parent
MAX_CHARS = 600


class Eta(Record):
    """One version of the instructions."""

    name: str
    """Name of the file."""
    version: int
    """Raised with every change."""
    components: dict[str, str] = Field(min_length=1)
    """Component to text, in the order in which they are shown."""

    @property
    def text(self) -> str:
        """What the planner reads."""
        return " ".join(part.strip() for part in self.components.values())

    @property
    def digest(self) -> str:
        """Content digest."""
        return digest_of(self)


def load_eta(name: str = "general", folder: Path = FOLDER) -> Eta:
    """The instructions `name`. An unknown name is a `UserError`, a file that breaks the schema a `SetupError`."""
    path = folder / f"{name}.toml"
    if not path.is_file():
        known = ", ".join(f"`{found.stem}`" for found in sorted(folder.glob("*.toml")))
        raise UserError(f"there are no instructions `{name}`. Set `context.eta` to one of {known}.")
    try:
        eta = Eta.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        reason = " ".join(str(error).split())
        raise SetupError(f"the instructions `{path}` can't be read: {reason}. Restore the file.") from None
    if len(eta.text) > MAX_CHARS:
        raise SetupError(
            f"instructions `{name}` have {len(eta.text)} characters; the limit is {MAX_CHARS}. Shorten them."
        )
    return eta
