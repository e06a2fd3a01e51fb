"""Deleted files brought back, and files that other people reach through the cloud.

Sharing is acknowledged at once. Whether the file is still on its way, waits for Wi-Fi or can be opened is in the query
alone.
"""

from datetime import timedelta
from typing import Literal

from device.sandbox.api import Contact, Domain, Effect, Json, Person, Sandbox, Text, bad_argument, conflict, tool
from device.sandbox.rows.folders import FileShare, Folder, TrashedFile
from device.sandbox.rows.network import Radios
from device.sandbox.rows.storage import File, Storage
from device.sandbox.tools.apps_care import wants_every
from device.sandbox.tools.apps_files import called, find_file
from device.sandbox.tools.finding import only
from device.sandbox.tools.lookup import need_online

Access = Literal["view", "edit"]
MOBILE_MB = 25.0
"""Largest upload over mobile data."""


@tool(
    Domain.APPS,
    permission="storage",
    phrases=(
        "bring back the file I deleted",
        "restore Old Slides from the trash",
        "what's in the recycle bin",
        "undelete my photo",
        "recover everything from the bin",
    ),
)
def manage_trash(phone: Sandbox, action: Literal["query", "restore"], fileName: Text | None = None) -> Json:
    """Look into the trash; restore deleted files."""
    table = phone.table(TrashedFile)
    rows = table.all()
    if action == "query":
        shown = [{"name": row.name, "folder": row.folder, "sizeMb": row.size_mb} for row in rows]
        return {"count": len(rows), "files": shown}
    if fileName is None:
        raise bad_argument("`fileName` is missing: which file to restore, or `all`", argument="fileName")
    if wants_every(fileName):
        if not rows:
            raise conflict("the trash is empty; there is nothing to restore")
    else:
        rows = [only(called(rows, fileName), "deleted file", f"`{fileName}`", _name, "see `manage_trash` with query")]
    clashing = [row for row in rows if _name_taken(phone, row)]
    back = [row for row in rows if row not in clashing]
    if not back:
        raise conflict(f"`{rows[0].folder}` holds a file `{rows[0].name}` again; rename it with `manage_file` first")
    for row in back:
        _bring_back(phone, row)
    skipped = [{"name": row.name, "reason": f"`{row.folder}` holds a file of that name"} for row in clashing]
    return {"restored": [f"{row.folder}/{row.name}" for row in back], "skipped": skipped}


def _name(row: TrashedFile) -> str:
    return row.name


def _name_taken(phone: Sandbox, row: TrashedFile) -> bool:
    return bool(phone.table(File).find(lambda file: (file.name, file.folder) == (row.name, row.folder)))


def _bring_back(phone: Sandbox, row: TrashedFile) -> None:
    """A file again, in its folder, which is made again where it is gone."""
    if phone.table(Folder).get(row.folder) is None:
        phone.table(Folder).insert(Folder(row.folder))
    phone.table(File).insert(File(phone.new_id("file"), row.name, row.kind, row.size_mb, row.folder, row.modified))
    phone.change(Storage, trash_mb=max(round(phone.one(Storage).trash_mb - row.size_mb, 1), 0.0))
    phone.table(TrashedFile).delete(row)


@tool(
    Domain.APPS,
    permission="cloud",
    effects={"share": Effect.SEND},
    phrases=(
        "let Anna see the budget sheet",
        "share the lease contract with my brother so he can edit it",
        "who has access to my resume",
        "stop sharing the meeting minutes",
        "nobody else should open that document any more",
        "edit access to notes.docx for Tom",
        "Mia may read photo.png but not change it",
        "who else can open clip.mp4",
    ),
)
def manage_file_sharing(
    phone: Sandbox,
    action: Literal["share", "stop", "query"],
    fileName: Text | None = None,
    contact: Contact | None = None,
    access: Access | None = None,
) -> Json:
    """Give people access to a file online."""
    if action == "query":
        name = find_file(phone, fileName).name if fileName else None
        rows = phone.table(FileShare).all()
        return {"shares": [_shown(phone, row) for row in rows if name in (None, row.file)]}
    if fileName is None:
        raise bad_argument(f"`manage_file_sharing` {action} needs `fileName`", argument="fileName")
    file = find_file(phone, fileName)
    person = phone.contact(contact) if contact else None
    shares = phone.table(FileShare).find(lambda row: row.file == file.name and (not person or row.person == person.id))
    if action == "stop":
        if not shares:
            raise conflict(f"`{file.name}` is not shared{f' with {person.name}' if person else ''}", file=file.name)
        for row in shares:
            phone.table(FileShare).delete(row)
        return {"file": file.name, "stopped": len(shares)}
    if person is None:
        raise bad_argument(f"`contact` is missing: who gets `{file.name}`", argument="contact")
    return _share(phone, file, person, access or "view", shares)


def _share(phone: Sandbox, file: File, person: Person, access: str, shares: list[FileShare]) -> Json:
    """Upload it for one person; a large one waits for Wi-Fi, which only the query tells."""
    need_online(phone, f"share `{file.name}`")
    radios, table = phone.one(Radios), phone.table(FileShare)
    if shares:
        table.update(shares[0], access=access)
    elif file.size_mb > MOBILE_MB and not (radios.wifi and radios.wifi_network):
        share = FileShare(phone.new_id("fileshare"), file.name, person.id, access, "waiting_for_wifi")
        table.insert(share)
    else:
        ready = (phone.now + timedelta(seconds=5 + round(file.size_mb))).isoformat(timespec="seconds")
        table.insert(FileShare(phone.new_id("fileshare"), file.name, person.id, access, ready_at=ready))
    return {"message": "sharing requested", "file": file.name, "with": person.name, "access": access}


def _shown(phone: Sandbox, row: FileShare) -> Json:
    """What a query tells: `reachable` once the upload has ended."""
    person = phone.table(Person).get(row.person)
    ended = row.state == "uploading" and row.ready_at <= phone.now.isoformat(timespec="seconds")
    with_whom = person.name if person else row.person
    return {"file": row.file, "with": with_whom, "access": row.access, "state": "reachable" if ended else row.state}
