"""Context files: what is known about a user, written out for whoever can't ask the store, with a version.

1. The version is a digest of the records in the file, each with its id and its text. It changes when one of them is
   corrected, superseded or forgotten, when another joins them, or when its settings hide it.
2. Who reads a file compares its version with that of the store now. A stale one is refused with both versions named, a
   file that was edited by hand likewise.
3. Files are written beside their place and renamed. The eraser deletes those that hold what is forgotten; `refresh`
   writes all that are stale anew.
"""

import hashlib
import json
import os
from pathlib import Path

from pydantic import Field, ValidationError

from memory.access.access import Access
from memory.records import Kind, MemoryRecord
from memory.store import MemoryStore
from runtime.contract import ErrorCode, Record, ToolFailure, UserError, digest_of

KINDS = (Kind.USER_MODEL, Kind.LONG_TERM, Kind.PROSPECTIVE)
"""Types of records that a context file shows."""
MOST = 200
"""Records of one file, the most important first."""
SUFFIX = ".context.json"


class ContextItem(Record):
    """One record in a context file."""

    id: str
    """Its id."""
    kind: Kind
    """Type."""
    content: str
    """In plain words."""
    trust: str
    """Who stands behind it."""
    since: str
    """Since when it holds."""


class ContextFile(Record):
    """What a file holds."""

    format: int = 1
    """Of the file itself."""
    version: str
    """Digest of the items and of what was left out."""
    workspace: str
    """Workspace."""
    user: str
    """User."""
    agent: str = ""
    """Agent; empty: all."""
    items: tuple[ContextItem, ...] = ()
    """Most important first."""
    left_out: int = Field(default=0, ge=0)
    """Records that didn't fit."""

    def text(self) -> str:
        """The items as lines, each with its id."""
        lines = [f"- {item.content} ({item.id}, {item.trust}, since {item.since[:10]})" for item in self.items]
        return "\n".join([*lines, f"({self.left_out} more left out)"] if self.left_out else lines)


class ContextFiles:
    """The context files of one store."""

    def __init__(self, folder: Path, store: MemoryStore) -> None:
        self.folder, self._store = folder, store

    def path_of(self, access: Access) -> Path:
        """Where the file of a workspace, user and agent lies; no name of theirs is in it."""
        scope = json.dumps([access.workspace, access.user, access.agent])
        return self.folder / f"{hashlib.sha256(scope.encode()).hexdigest()[:24]}{SUFFIX}"

    def current(self, access: Access) -> ContextFile:
        """What the file should hold now."""
        records = [record for _, record in self._store.records(access.filter(KINDS)) if not record.shared]
        records.sort(key=lambda record: (-record.importance, record.id))
        items = tuple(_item(record) for record in records[:MOST])
        left = max(len(records) - MOST, 0)
        version = digest_of([[item.model_dump(mode="json") for item in items], left])
        return ContextFile(version=version, workspace=access.workspace, user=access.user, agent=access.agent,
                           items=items, left_out=left)  # fmt: skip

    def write(self, access: Access) -> Path:
        """Write the file of the caller's scope; `UserError` when it can't be."""
        path, made = self.path_of(access), self.current(access)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(path.name + ".part")
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(made.model_dump_json(indent=1) + "\n")
            part.replace(path)
        except OSError as error:
            raise UserError(f"the context file `{path}` can't be written: {error.strerror}. Free the disk.") from None
        return path

    def read(self, access: Access) -> ContextFile:
        """The file of the caller's scope. A 404 where there is none; a 409 for a stale one names both versions."""
        path = self.path_of(access)
        try:
            kept = ContextFile.model_validate_json(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ToolFailure(ErrorCode.NOT_FOUND, "there is no context file yet; write it first") from None
        except (OSError, ValueError, ValidationError) as error:
            raise ToolFailure(
                ErrorCode.CONFLICT,
                f"the context file `{path.name}` can't be read: {type(error).__name__}; write it anew",
            ) from None
        wanted = self.current(access)
        if kept != wanted:
            found = kept.version if kept.version != wanted.version else f"{kept.version}, edited by hand"
            raise ToolFailure(
                ErrorCode.CONFLICT,
                f"the context file `{path.name}` has version {found}; the memory is at version {wanted.version}. "
                "Write it anew",
                found=kept.version,
                current=wanted.version,
            )
        return kept

    def refresh(self, access: Access) -> bool:
        """Write the file anew where it is stale; whether it was. A scope without a file gets none."""
        if not self.path_of(access).is_file():
            return False
        try:
            self.read(access)
        except ToolFailure:
            self.write(access)
            return True
        return False


def _item(record: MemoryRecord) -> ContextItem:
    return ContextItem(id=record.id, kind=record.kind, content=record.content, trust=record.trust.value,
                       since=record.valid_from)  # fmt: skip


def shown_ids(path: Path) -> set[str]:
    """Ids of the records that a context file shows; of one that can't be read none."""
    try:
        return {item.id for item in ContextFile.model_validate_json(path.read_text(encoding="utf-8")).items}
    except (OSError, ValueError):
        return set()
