"""Files on the shared storage, by toybox's commands (Android 10 to 16). A path is always one quoted word."""

import posixpath
from collections.abc import Callable

from device.android.errors import bad_argument, conflict, not_found, unsupported
from device.android.state.storage import FOLDER_NAMES, SHARED, folder_of, paths
from device.android.state.tables import SINGLE
from device.android.tools.registry import offered
from device.android.work import Answer, Work
from device.spoken import fold_text

_NEEDS = "shared storage"
_ANDROID_NAMES = {said: name for name, said in FOLDER_NAMES.items()}


@offered("local_file_search", needs=_NEEDS)
def local_file_search(
    phone: Work, query: str | None = None, fileType: str | None = None, date: str | None = None
) -> Answer:
    """By part of the name, kind, day of change."""
    phone.watch("files")
    wanted = fold_text(query) if query else ""
    rows = [
        row
        for row in phone.before["files"].values()
        if wanted in fold_text(row["name"]) and fileType in (None, row["kind"]) and date in (None, row["modified"])
    ]
    return {"files": rows}


@offered("delete_file", needs=_NEEDS)
def delete_file(phone: Work, fileName: str) -> Answer:
    """Remove one file for good."""
    path = _file(phone, fileName)
    phone.run("rm", path)
    phone.expect_gone("files", path)
    return {"deleted": phone.row("files", path)}


@offered("manage_file", needs=_NEEDS)
def manage_file(
    phone: Work, action: str, fileName: str, newName: str | None = None, folder: str | None = None
) -> Answer:
    """Rename, move, copy; nothing is overwritten."""
    path = _file(phone, fileName)
    target = _target(phone, action, path, newName, folder)
    if target in phone.before["files"]:
        raise conflict(f"`{posixpath.basename(target)}` exists already in `{folder_of(target)}`; choose another name")
    if action == "copy":
        phone.run("cp", path, target)
    else:
        phone.run("mv", "-n", path, target)
        phone.expect_gone("files", path)
    phone.expect("files", target, name=posixpath.basename(target))
    return lambda seen: {"file": seen["files"][target]}


def _target(phone: Work, action: str, path: str, new: str | None, folder: str | None) -> str:
    if action == "rename":
        if new is None:
            raise bad_argument("`newName` is missing: what to call it", argument="newName")
        extension = posixpath.splitext(path)[1]
        name = new if posixpath.splitext(new)[1] or not extension else new + extension
        return posixpath.join(posixpath.dirname(path), _one_name(name))
    if folder is None:
        raise bad_argument(f"`folder` is missing: where to {action} it", argument="folder")
    return posixpath.join(_folder(phone, folder), posixpath.basename(path) if new is None else _one_name(new))


@offered("manage_folder", needs=_NEEDS)
def manage_folder(phone: Work, action: str, folder: str | None = None, newFolder: str | None = None) -> Answer:
    """Make, list, rename, delete an empty one."""
    phone.watch("folders")
    if action == "query":
        phone.watch("files")
        inside = [row for row in phone.before["files"].values() if folder is None or _same(row["folder"], folder)]
        return {"folders": sorted(row["name"] for row in phone.before["folders"].values()), "files": inside}
    if folder is None:
        raise bad_argument(f"`folder` is missing: which one to {action}", argument="folder")
    if action == "create":
        path = f"{SHARED}/{_one_name(folder)}"
        if path in phone.before["folders"]:
            raise conflict(f"a folder `{folder}` exists already")
        phone.run("mkdir", path)
        phone.expect("folders", path, name=folder)
        return {"created": folder}
    path = _folder(phone, folder)
    if action == "delete":
        phone.run("rmdir", path)
        phone.expect_gone("folders", path)
        return {"deleted": folder}
    if newFolder is None:
        raise bad_argument("`newFolder` is missing: what to call it", argument="newFolder")
    target = posixpath.join(posixpath.dirname(path), _one_name(newFolder))
    phone.run("mv", "-n", path, target)
    phone.expect_gone("folders", path)
    phone.expect("folders", target, name=folder_of(target + "/x"))
    return {"renamed": folder, "to": newFolder}


@offered("manage_zip_file", needs=_NEEDS, actions=("extract", "query"))
def manage_zip_file(phone: Work, action: str, fileName: str, zipName: str | None = None) -> Answer:
    """List or unpack into a new folder; toybox can't make an archive."""
    path = _file(phone, fileName)
    listed = phone.read("unzip", "-l", path).splitlines()
    names = [line.split(maxsplit=3)[3] for line in listed if len(line.split(maxsplit=3)) == 4 and ":" in line]
    if action == "query":
        return {"archive": posixpath.basename(path), "entries": names}
    folder = posixpath.splitext(path)[0]
    phone.watch("folders")
    if folder in phone.before["folders"]:
        raise conflict(f"a folder `{posixpath.basename(folder)}` exists already; rename it first")
    phone.run("unzip", path, "-d", folder)
    phone.expect("folders", folder, name=folder_of(folder + "/x"))
    return {"extracted": names, "folder": folder_of(folder + "/x")}


@offered("query_storage")
def query_storage(phone: Work) -> Answer:
    """The data partition."""
    phone.watch("storage")
    room = phone.row("storage")
    return {
        "totalGb": room["total_gb"],
        "usedGb": room["used_gb"],
        "freeGb": round(room["total_gb"] - room["used_gb"], 1),
    }


@offered("clean_storage", needs="CLEAR_APP_CACHE", actions=())
def clean_storage(phone: Work, category: str) -> Answer:
    """Caches of all apps, or the downloads; the trash belongs to the apps."""
    if category == "trash":
        raise unsupported("each app keeps its own trash; empty it there", argument="category")
    if category == "cache":
        phone.watch("storage")
        phone.run("pm", "trim-caches", "999G")
        return lambda seen: {"cleaned": "cache", "usedGb": seen["storage"][SINGLE]["used_gb"]}
    phone.watch("files")
    found = [path for path in phone.before["files"] if path.startswith(f"{SHARED}/Download/")]
    for path in found:
        phone.run("rm", path)
        phone.expect_gone("files", path)
    return {"cleaned": "downloads", "files": len(found)}


def _file(phone: Work, said: str) -> str:
    """The one file that is meant: the same name, else the same without its ending, else part of it."""
    phone.watch("files")
    rows = phone.before["files"]
    wanted = fold_text(said)
    readings: tuple[Callable[[str], bool], ...] = (
        lambda name: fold_text(name) == wanted,
        lambda name: fold_text(posixpath.splitext(name)[0]) == wanted,
        lambda name: wanted in fold_text(name),
    )
    for fits in readings:
        found = [path for path, row in rows.items() if fits(row["name"])]
        if len(found) == 1:
            return found[0]
        if found:
            raise conflict(f"`{said}` could be several files", candidates=found[:20])
    raise not_found(f"no file is called `{said}`", candidates=[row["name"] for row in rows.values()][:20])


def _folder(phone: Work, said: str) -> str:
    known = {folder_of(path + "/x"): path for path in paths(phone.look(), "d")}
    found = [path for name, path in known.items() if _same(name, said)]
    if len(found) != 1:
        raise not_found(f"no folder is called `{said}`", candidates=sorted(known)[:20])
    return found[0]


def _same(one: str, other: str) -> bool:
    return fold_text(_ANDROID_NAMES.get(one, one)) == fold_text(_ANDROID_NAMES.get(other, other)) or (
        fold_text(one) == fold_text(other)
    )


def _one_name(name: str) -> str:
    """A name that stays in its folder."""
    if "/" in name or name in (".", "..", ""):
        raise bad_argument(f"`{name}` is no file name; it may hold no `/`", value=name)
    return name
