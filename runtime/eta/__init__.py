"""eta: the harness's instructions, versioned data files bound to a schema.

1. `NAME.toml` beside this file holds named components, each a sentence or two: what a revision may rewrite.
   `domains/NAME.toml` holds those of one domain of tools, which are shown only where its tools are (`context.domains`).
2. Texts, joined in the order of the file, open every context. They stay under `MAX_CHARS` (`MAX_DOMAIN_CHARS`), since
   every episode pays for them.
3. The digest goes into the trace, so that an episode says under which instructions it ran.
4. Revisions are kept beside the user's data (`book.py`); what is shipped is never edited, and always the way back.
"""

import tomllib
from pathlib import Path

from pydantic import Field, ValidationError

from runtime.contract import Domain, Record, SetupError, UserError, digest_of

FOLDER = Path(__file__).parent
MAX_CHARS, MAX_DOMAIN_CHARS = 600, 280


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

    @property
    def limit(self) -> int:
        """Most characters of the text."""
        return MAX_CHARS


class DomainEta(Eta):
    """One version of the instructions of a domain."""

    domain: Domain
    """The domain whose tools they are about."""

    @property
    def limit(self) -> int:
        """Most characters of the text."""
        return MAX_DOMAIN_CHARS


def load_eta(name: str = "general", folder: Path = FOLDER) -> Eta:
    """The shipped instructions `name`. An unknown name is a `UserError`, a file that is wrong a `SetupError`."""
    found = shipped(folder)
    if name not in found:
        known = ", ".join(f"`{path.stem}`" for path in sorted(folder.glob("*.toml")))
        raise UserError(f"there are no instructions `{name}`. Set `context.eta` to one of {known}.")
    return read_eta(found[name])


def shipped(folder: Path = FOLDER) -> dict[str, Path]:
    """The shipped files by name: the general ones, then those of domains."""
    paths = [*sorted(folder.glob("*.toml")), *sorted((folder / "domains").glob("*.toml"))]
    return {path.stem: path for path in paths}


def read_eta(path: Path, name: str = "") -> Eta:
    """The instructions of one file under the schema; `name` is what they must be called, else as the file."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        eta = (DomainEta if "domain" in data else Eta).model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise _unreadable(path, f"field `{field}`: {first['msg'].lower()}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _unreadable(path, f"it is not TOML: {error}") from None
    except OSError as error:
        raise _unreadable(path, str(error.strerror)) from None
    if eta.name != (name or path.stem):
        raise _unreadable(path, f"field `name`: it is `{eta.name}`, and must be `{name or path.stem}`")
    if len(eta.text) > eta.limit:
        raise SetupError(
            f"instructions `{eta.name}` have {len(eta.text)} characters; the limit is {eta.limit}. Shorten them."
        )
    return eta


def _unreadable(path: Path, reason: str) -> SetupError:
    return SetupError(
        f"the instructions `{path}` can't be read: {' '.join(reason.split())}. Correct or restore the file."
    )
