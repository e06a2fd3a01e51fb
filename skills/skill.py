"""One Skill in the Agent Skills format: frontmatter between two lines `---`, then instructions in Markdown.

    name          at most 64 of a-z, 0-9 and single `-`, equal to the folder's name
    description   at most 1,024 characters: what it is about (first sentence), and when it is used
    metadata      texts by name; ours are `tools` (names with spaces between), `phrases` (with ` | ` between), `uses`
                  (slugs of Skills that are loaded with it), `requires` and `ensures` (conditions.py; ` | ` between)

The format's `license`, `compatibility` and `allowed-tools` are accepted and have no effect here: which tools a Skill
opens is said in `metadata.tools`, and what they may do is the guard's business. Anything wrong is a `UserError` with
the file, the field and what is expected.
"""

import re
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from runtime.contract import Json, Record, UserError
from skills.conditions import parse_condition

FILE_NAME = "SKILL.md"
MAX_NAME, MAX_DESCRIPTION, MAX_FILE = 64, 1024, 64 * 1024
MAX_INSTRUCTIONS = 8000
"""Characters: about 2,000 tokens, which is half of the embedded planner's window."""
FIELDS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
FENCE = re.compile(r"^---[ \t]*$", re.MULTILINE)
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
TOOL_NAME = re.compile(r"[a-z][a-z0-9_]*")


class Skill(Record):
    """A Skill as it was read."""

    name: str
    """Its slug."""
    description: str
    """What it is about and when it is used."""
    tools: tuple[str, ...] = ()
    """Tools that it opens, in its order."""
    phrases: tuple[str, ...] = ()
    """What people say when it helps; for recall alone."""
    instructions: str
    """Markdown."""
    uses: tuple[str, ...] = ()
    """Skills that are loaded with it."""
    requires: tuple[str, ...] = ()
    """What must hold before a call, over earlier results."""
    ensures: tuple[str, ...] = ()
    """What must hold after a call, over its result."""

    @cached_property
    def about(self) -> str:
        """The first sentence of the description."""
        return re.split(r"(?<=[.!?])\s", self.description, maxsplit=1)[0]


def read_skill(path: Path) -> Skill:
    """The Skill in a file `<slug>/SKILL.md`."""
    try:
        size = path.stat().st_size
        if size > MAX_FILE:
            raise UserError(f"`{path}` has {size:,} bytes; the limit is {MAX_FILE:,}. Shorten it.")
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"`{path}` is not UTF-8 ({error.reason} at byte {error.start}). Save it as UTF-8.") from None
    except OSError as error:
        raise UserError(
            f"`{path}` can't be read: {error.strerror}. A Skill is a folder with a `{FILE_NAME}`."
        ) from None
    return parse_skill(text, path)


def parse_skill(text: str, path: Path) -> Skill:
    """The Skill that `text` holds; `path` names it in messages, and its folder must be called as the Skill."""
    head, body = _parts(text.removeprefix("\ufeff"), path)
    fields = _fields(head, path)
    name = _name(fields, path)
    metadata = _metadata(fields, path)
    return Skill(
        name=name,
        description=_description(fields, path),
        tools=_tools(metadata, path),
        phrases=_listed(metadata, "phrases"),
        instructions=_instructions(body, path),
        uses=_uses(metadata, name, path),
        requires=_conditions(metadata, "requires", path),
        ensures=_conditions(metadata, "ensures", path),
    )


def _parts(text: str, path: Path) -> tuple[str, str]:
    fences = list(FENCE.finditer(text))
    if not fences or fences[0].start() != 0:
        raise UserError(f"`{path}`: line 1 must be `---`, the start of the frontmatter with `name` and `description`.")
    if len(fences) < 2:
        raise UserError(f"`{path}`: the frontmatter has no end. Close it with a line `---`.")
    return text[fences[0].end() : fences[1].start()], text[fences[1].end() :]


def _fields(head: str, path: Path) -> Json:
    try:
        fields: Any = yaml.safe_load(head)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" in line {mark.line + 1}" if mark else ""
        why = getattr(error, "problem", None) or "it can't be read"
        raise UserError(f"`{path}`: the frontmatter is not YAML{line}: {why}. Quote texts that hold `:`.") from None
    if not isinstance(fields, dict):
        raise _wrong(path, "frontmatter", fields, "must be fields with values, such as `name: my-skill`")
    unknown = [str(key) for key in fields if key not in FIELDS]
    if unknown:
        known = ", ".join(f"`{field}`" for field in FIELDS)
        raise UserError(f"`{path}`: there is no field `{unknown[0]}`. Use {known}; own data goes under `metadata`.")
    return fields


def _name(fields: Json, path: Path) -> str:
    name = fields.get("name")
    if not isinstance(name, str) or len(name) > MAX_NAME or not NAME.fullmatch(name):
        raise _wrong(path, "name", name, f"must be 1 to {MAX_NAME} of a-z, 0-9 and single `-`")
    if name != path.parent.name:
        raise _wrong(path, "name", name, f"must be the name of its folder, `{path.parent.name}`")
    return name


def _description(fields: Json, path: Path) -> str:
    description = fields.get("description")
    if not isinstance(description, str) or not 0 < len(description.strip()) <= MAX_DESCRIPTION:
        raise _wrong(path, "description", description, f"must be a text of 1 to {MAX_DESCRIPTION:,} characters")
    return " ".join(description.split())


def _metadata(fields: Json, path: Path) -> dict[str, str]:
    metadata = fields.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise _wrong(path, "metadata", metadata, "must be texts by name")
    for key, value in metadata.items():
        if not isinstance(value, str):
            raise _wrong(path, f"metadata.{key}", value, "must be a text")
    return {str(key): value for key, value in metadata.items()}


def _tools(metadata: dict[str, str], path: Path) -> tuple[str, ...]:
    names = metadata.get("tools", "").split()
    for place, name in enumerate(names):
        if not TOOL_NAME.fullmatch(name):
            raise _wrong(path, "metadata.tools", name, "must be tool names with spaces between, such as `manage_wifi`")
        if name in names[:place]:
            raise _wrong(path, "metadata.tools", name, "must name each tool once")
    return tuple(names)


def _listed(metadata: dict[str, str], key: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in metadata.get(key, "").split("|") if part.strip())


def _uses(metadata: dict[str, str], name: str, path: Path) -> tuple[str, ...]:
    slugs = tuple(dict.fromkeys(metadata.get("uses", "").split()))
    for slug in slugs:
        if slug == name or len(slug) > MAX_NAME or not NAME.fullmatch(slug):
            raise _wrong(path, "metadata.uses", slug, "must be names of other Skills with spaces between")
    return slugs


def _conditions(metadata: dict[str, str], key: str, path: Path) -> tuple[str, ...]:
    texts = _listed(metadata, key)
    for text in texts:
        try:
            parse_condition(text, needs_source=key == "requires")
        except ValueError as error:
            raise _wrong(path, f"metadata.{key}", text, str(error)) from None
    return texts


def _instructions(body: str, path: Path) -> str:
    text = body.strip()
    if not text:
        raise UserError(f"`{path}`: there are no instructions. Write them after the second line `---`.")
    if len(text) > MAX_INSTRUCTIONS:
        limit = f"the limit is {MAX_INSTRUCTIONS:,}. Shorten them."
        raise UserError(f"`{path}`: the instructions have {len(text):,} characters; {limit}")
    return text


def _wrong(path: Path, field: str, value: object, expected: str) -> UserError:
    found = "missing" if value is None else f"`{str(value)[:80]}`"
    return UserError(f"`{path}`: field `{field}` is {found}; it {expected}.")
