"""Files renamed, moved and copied; folders; zip archives, whose entries are files again when extracted."""

from typing import Literal

from device.sandbox.api import Domain, Effect, Json, Sandbox, Text, bad_argument, conflict, folded, not_found, tool
from device.sandbox.rows.folders import ArchiveEntry, Folder
from device.sandbox.rows.storage import File
from device.sandbox.tools.apps_files import files_called, find_file, usage

_SAME = {"photos": "pictures", "images": "pictures", "music": "music", "movies": "videos", "docs": "documents"}
_AROUND = frozenset(("folder", "my", "directory", "new", "called", "named"))


def folder_names(phone: Sandbox) -> list[str]:
    """Names of all folders, in alphabetical order."""
    names = {row.name for row in phone.table(Folder).all()} | {file.folder for file in phone.table(File).all()}
    return sorted(names)


def bare_folder(said: str) -> str:
    """A folder's name without the words around it, folded: "my Travel folder" -> "travel"."""
    words = [word for word in folded(said).split() if word not in _AROUND]
    return " ".join(words) or folded(said)


def find_folder(phone: Sandbox, said: str) -> str | None:
    """The folder that is meant, singular or plural; None for none."""
    wanted = bare_folder(said)
    wanted = _SAME.get(wanted, wanted)
    by_name = {folded(name): name for name in folder_names(phone)}
    return by_name.get(wanted) or by_name.get(f"{wanted}s") or by_name.get(wanted.removesuffix("s"))


def need_folder(phone: Sandbox, said: str) -> str:
    """The folder that is meant; 404 with those there are and the tool that makes one."""
    found = find_folder(phone, said)
    if found is None:
        names = folder_names(phone)
        raise not_found(
            f"no folder `{said}`; there is {', '.join(names)}; `manage_folder` with create makes one", valid=names
        )
    return found


def need_free_name(phone: Sandbox, name: str, folder: str) -> None:
    """409 where the folder holds a file of this name."""
    if phone.table(File).find(lambda file: file.folder == folder and file.name.casefold() == name.casefold()):
        raise conflict(f"`{folder}` holds a file `{name}` already; say another name", name=name, folder=folder)


def _ending(name: str) -> str:
    stem, dot, ending = name.rpartition(".")
    return f".{ending}" if dot and stem and 1 < len(ending) < 5 and ending.isalnum() else ""


def _titled(file: File, said: str) -> str:
    """The new name with the file's ending; 400 for another ending."""
    kept, given = _ending(file.name), _ending(said)
    if given and given.casefold() != kept.casefold():
        raise bad_argument(f"`{file.name}` must keep its ending `{kept}`; leave `{given}` out", argument="newName")
    return said if given else said + kept


@tool(
    Domain.APPS,
    permission="storage",
    phrases=(
        "rename the lease contract to flat 2026",
        "move my resume into the downloads folder",
        "make a copy of the budget sheet",
        "put the boarding pass in Documents",
        "give that video another name",
        "holiday.jpg belongs in the Travel folder",
        "report.docx should be called final report",
        "track_3.mp3 is a bad name",
    ),
)
def manage_file(
    phone: Sandbox,
    action: Literal["rename", "move", "copy"],
    fileName: Text,
    newName: Text | None = None,
    folder: Text | None = None,
) -> Json:
    """Rename, move or copy a file."""
    needed = {"rename": ("newName", newName), "move": ("folder", folder)}.get(action)
    if needed and needed[1] is None:
        raise bad_argument(f"`manage_file` {action} needs `{needed[0]}`", argument=needed[0])
    file, table = find_file(phone, fileName), phone.table(File)
    place = need_folder(phone, folder) if folder else file.folder
    name = _titled(file, newName) if newName else file.name
    if action == "copy":
        if not newName and place == file.folder:
            name = f"{name.removesuffix(_ending(name))} (copy){_ending(name)}"
        need_free_name(phone, name, place)
        day = phone.now.date().isoformat()
        return {"file": table.insert(File(phone.new_id("file"), name, file.kind, file.size_mb, place, day))}
    if (name, place) != (file.name, file.folder):
        need_free_name(phone, name, place)
    return {"was": f"{file.folder}/{file.name}", "file": table.update(file, name=name, folder=place)}


@tool(
    Domain.APPS,
    permission="storage",
    effects={"delete": Effect.DELETE},
    phrases=(
        "make a folder called Taxes",
        "create a new folder for the trip",
        "what is inside my Taxes folder",
        "delete the empty folder",
        "call the Trip folder Italy instead",
    ),
)
def manage_folder(
    phone: Sandbox,
    action: Literal["create", "rename", "delete", "query"],
    folder: Text | None = None,
    newFolder: Text | None = None,
) -> Json:
    """Make, list, rename or delete folders."""
    if action == "query" and folder is None:
        return {"folders": folder_names(phone)}
    for name, value, wanted in (("folder", folder, True), ("newFolder", newFolder, action == "rename")):
        if wanted and value is None:
            raise bad_argument(f"`manage_folder` {action} needs `{name}`", argument=name)
    if action == "create":
        _need_new_folder(phone, str(folder))
        return {"folder": phone.table(Folder).insert(Folder(str(folder)))}
    found = need_folder(phone, str(folder))
    inside = phone.table(File).find(lambda file: file.folder == found)
    if action == "query":
        return {"folder": found, "count": len(inside), "files": [file.name for file in inside[:10]]}
    return _rename(phone, found, str(newFolder)) if action == "rename" else _remove(phone, found, inside)


def _need_new_folder(phone: Sandbox, said: str) -> None:
    if "/" in said:
        raise bad_argument(f"`{said}` holds a `/`; say a plain name", argument="folder")
    if there := find_folder(phone, said):
        raise conflict(f"there is a folder `{there}` already", folder=there)


def _need_own(phone: Sandbox, name: str) -> None:
    row = phone.table(Folder).get(name)
    if row is not None and row.system:
        raise conflict(f"`{name}` is a folder of the system and stays as it is", folder=name)


def _rename(phone: Sandbox, name: str, new: str) -> Json:
    """Another name for a folder; its files go along."""
    _need_own(phone, name)
    _need_new_folder(phone, new)
    table = phone.table(Folder)
    if table.get(name) is not None:
        table.delete(name)
    table.insert(Folder(new))
    files = phone.table(File).find(lambda file: file.folder == name)
    for file in files:
        phone.table(File).update(file, folder=new)
    return {"was": name, "folder": new, "files": len(files)}


def _remove(phone: Sandbox, name: str, inside: list[File]) -> Json:
    _need_own(phone, name)
    if inside:
        raise conflict(
            f"`{name}` holds {len(inside)} files; use `manage_file` with move, or `delete_file`, first",
            files=[file.name for file in inside[:10]],
        )
    phone.table(Folder).delete(name)
    return {"deleted": name}


@tool(
    Domain.APPS,
    permission="storage",
    phrases=(
        "zip the pictures folder",
        "pack my resume into an archive",
        "unzip the course material",
        "extract that zip file",
        "what's inside the archive",
    ),
)
def manage_zip_file(
    phone: Sandbox,
    action: Literal["compress", "extract", "query"],
    fileName: Text,
    zipName: Text | None = None,
) -> Json:
    """Zip files or folders; unpack zip archives."""
    if action == "compress":
        return _compress(phone, fileName, zipName)
    archive = find_file(phone, fileName)
    if _ending(archive.name).casefold() != ".zip":
        raise bad_argument(f"`{archive.name}` is no zip archive", argument="fileName", value=archive.name)
    entries = phone.table(ArchiveEntry).find(lambda entry: entry.archive == archive.name)
    if action == "query":
        shown = [{"name": entry.name, "sizeMb": entry.size_mb} for entry in entries]
        return {"archive": archive.name, "count": len(entries), "files": shown}
    return _extract(phone, archive, entries)


def _compress(phone: Sandbox, said: str, zipped: str | None) -> Json:
    """Pack one file, or all files of a folder; they stay where they are."""
    named = files_called(phone, said)
    folder = None if named else find_folder(phone, said)
    sources = phone.table(File).find(lambda file: file.folder == folder) if folder else [find_file(phone, said)]
    if not sources:
        raise conflict(f"the folder `{folder}` is empty; there is nothing to zip", folder=folder)
    stem = (zipped or folder or sources[0].name.removesuffix(_ending(sources[0].name))).removesuffix(".zip")
    name, place = f"{stem}.zip", folder or sources[0].folder
    need_free_name(phone, name, place)
    size, day = max(round(sum(file.size_mb for file in sources) * 0.8, 1), 0.1), phone.now.date().isoformat()
    archive = phone.table(File).insert(File(phone.new_id("file"), name, "document", size, place, day))
    for file in sources:
        columns = (name, file.name, file.kind, file.size_mb, file.modified)
        phone.table(ArchiveEntry).insert(ArchiveEntry(phone.new_id("entry"), *columns))
    return {"archive": archive, "files": len(sources)}


def _extract(phone: Sandbox, archive: File, entries: list[ArchiveEntry]) -> Json:
    """Unpack into the archive's folder; a file that is there already is left alone, and named."""
    if not entries:
        raise conflict(f"`{archive.name}` is empty or damaged; nothing can be extracted", fileName=archive.name)
    there = {file.name for file in phone.table(File).find(lambda file: file.folder == archive.folder)}
    fresh = [entry for entry in entries if entry.name not in there]
    skipped = [entry.name for entry in entries if entry.name in there]
    if not fresh:
        raise conflict(f"`{archive.folder}` holds every file of `{archive.name}` already", files=skipped)
    size, free = sum(entry.size_mb for entry in fresh), usage(phone)["freeGb"] * 1_000
    if size > free:
        raise conflict(f"`{archive.name}` needs {size:.0f} MB and {free:.0f} MB are free; use `clean_storage` first")
    for entry in fresh:
        columns = (entry.name, entry.kind, entry.size_mb, archive.folder, entry.modified)
        phone.table(File).insert(File(phone.new_id("file"), *columns))
    return {"folder": archive.folder, "extracted": [entry.name for entry in fresh], "skipped": skipped}
