"""Files and room on the phone: found by name, kind or day; deleted ones lie in the trash until it is emptied."""

import re
from collections.abc import Iterable
from typing import Literal, Protocol, TypeVar

from device.sandbox.api import Date, Domain, Effect, Json, Sandbox, Text, conflict, tool
from device.sandbox.rows.apps import App
from device.sandbox.rows.folders import TrashedFile
from device.sandbox.rows.privacy import PrivateFile
from device.sandbox.rows.storage import File, Storage
from device.sandbox.tools.finding import named, only


class Named(Protocol):
    """What has a file's name."""

    @property
    def name(self) -> str:
        """With its ending."""


N = TypeVar("N", bound=Named)

SHOWN = 10
"""Files in one answer; the rest is counted."""


def usage(phone: Sandbox) -> Json:
    """Gigabytes of the whole phone: total, used, free, and what takes how much."""
    store = phone.one(Storage)
    apps = sum(app.size_mb for app in phone.table(App).all() if app.installed) / 1_000
    files = sum(file.size_mb for file in phone.table(File).all())
    files = (files + sum(file.size_mb for file in phone.table(PrivateFile).all())) / 1_000
    taken = {"system": store.system_gb, "apps": apps, "files": files}
    taken |= {"cache": store.cache_mb / 1_000, "trash": store.trash_mb / 1_000}
    used = sum(taken.values())
    rounded = {name: round(size, 2) for name, size in taken.items()}
    return {
        "totalGb": store.total_gb,
        "usedGb": round(used, 2),
        "freeGb": round(store.total_gb - used, 2),
        "usedBy": rounded,
    }


@tool(
    Domain.APPS,
    effects=Effect.READ,
    phrases=(
        "how much space is left",
        "is my phone full",
        "what takes up the storage",
        "how many gigs are free",
        "do I have room for a big download",
    ),
)
def query_storage(phone: Sandbox) -> Json:
    """Free and used space."""
    return usage(phone)


@tool(
    Domain.APPS,
    permission="storage",
    effects=Effect.READ,
    phrases=(
        "find my resume",
        "where is the lease contract",
        "show me videos on the phone",
        "any pictures from March first",
        "look for the boarding pass",
        "which sound recordings are stored here",
        "documents dated last Friday",
        "do I still have notes.docx",
    ),
)
def local_file_search(
    phone: Sandbox,
    query: Text | None = None,
    fileType: Literal["document", "image", "audio", "video"] | None = None,
    date: Date | None = None,
) -> Json:
    """Find files on the phone."""
    rows = [file for file in phone.table(File).all() if fileType in (None, file.kind) and date in (None, file.modified)]
    if query is not None:
        rows = called(rows, query)
    newest = sorted(rows, key=lambda file: file.modified, reverse=True)[:SHOWN]
    shown = [{"name": f.name, "folder": f.folder, "sizeMb": f.size_mb, "modified": f.modified} for f in newest]
    return {"count": len(rows), "files": shown}


def called(rows: Iterable[N], said: str) -> list[N]:
    """Files called that, with or without the ending."""
    listed = list(rows)
    exact = [file for file in listed if file.name.casefold() == said.casefold()]
    return exact or named(
        listed, _spaced(said), lambda file: _spaced(file.name), "file", "document", "picture", "photo", "video"
    )


def files_called(phone: Sandbox, said: str) -> list[File]:
    """The phone's files called that."""
    return called(phone.table(File).all(), said)


def find_file(phone: Sandbox, said: str) -> File:
    """The one file that is meant; 404 with the next step, 409 with the candidates."""
    found = files_called(phone, said)
    return only(found, "file", f"`{said}`", lambda file: file.name, "look for it with `local_file_search`")


def _spaced(name: str) -> str:
    """A file name as it is said: "Car_Insurance.pdf" -> "Car Insurance"."""
    return re.sub(r"[_-]+", " ", re.sub(r"\.[a-z0-9]{2,4}$", "", name, flags=re.I))


@tool(
    Domain.APPS,
    permission="storage",
    effects=Effect.DELETE,
    phrases=(
        "delete the cat video",
        "get rid of the grocery receipt",
        "remove Resume.pdf",
        "throw away the lecture recording",
    ),
)
def delete_file(phone: Sandbox, fileName: Text) -> Json:
    """Delete a file."""
    found = find_file(phone, fileName)
    phone.table(File).delete(found)
    columns = (found.name, found.kind, found.size_mb, found.folder, found.modified)
    phone.table(TrashedFile).insert(TrashedFile(phone.new_id("trash"), *columns))
    phone.change(Storage, trash_mb=round(phone.one(Storage).trash_mb + found.size_mb, 1))
    return {"deleted": found.name, "trashMb": phone.one(Storage).trash_mb}


@tool(
    Domain.APPS,
    permission="storage",
    effects=Effect.DELETE,
    phrases=(
        "clear the cache",
        "empty the trash",
        "make some room on the phone",
        "wipe everything in downloads",
        "clean out temporary files",
    ),
)
def clean_storage(phone: Sandbox, category: Literal["cache", "downloads", "trash"]) -> Json:
    """Free up space."""
    if category == "downloads":
        files = phone.table(File).find(folder="Downloads")
        freed = sum(file.size_mb for file in files)
        for file in files:
            phone.table(File).delete(file)
    else:
        freed = phone.one(Storage).cache_mb if category == "cache" else phone.one(Storage).trash_mb
        phone.change(Storage, **{f"{category}_mb": 0.0})
        for row in phone.table(TrashedFile).all() if category == "trash" else ():
            phone.table(TrashedFile).delete(row)
    if freed == 0:
        raise conflict(f"`{category}` is empty already; see `query_storage` for what takes space", category=category)
    return {"category": category, "freedMb": round(freed, 1), "freeGb": usage(phone)["freeGb"]}
