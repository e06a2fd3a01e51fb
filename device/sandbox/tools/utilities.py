"""Lists, notes and the browser: what people keep, found again by name."""

import re
from typing import Literal

from device.sandbox.api import Domain, Effect, Sandbox, Text, bad_argument, conflict, not_found, tool
from device.sandbox.rows.utilities import Bookmark, BrowserTab, ListItem, NamedList, Note
from device.sandbox.tools.finding import bare, briefly, named, only, said_as
from device.sandbox.tools.lookup import need_online
from runtime.contract import Json

_SYNONYMS = {
    "todo": "to do", "to dos": "to do", "todos": "to do", "task": "to do", "tasks": "to do", "grocery": "shopping",
    "groceries": "shopping", "supermarket": "shopping", "shop": "shopping", "buy": "shopping", "travel": "packing",
}  # fmt: skip
"""Other names of common lists, used where no list has the name itself."""


@tool(
    Domain.UTILITIES,
    effects={"delete": Effect.DELETE},
    phrases=(
        "put butter on the shopping list",
        "make a new list for the party",
        "what's on my to-do list",
        "take eggs off the groceries",
        "throw away the packing list",
        "which lists do I have",
        "we're out of olive oil, add it",
        "strike the last item off",
    ),
)
def manage_list(
    phone: Sandbox,
    action: Literal["create", "add", "remove", "query", "delete"],
    listName: Text | None = None,
    item: Text | None = None,
) -> Json:
    """To-do, shopping and other lists."""
    if action == "create":
        return _create_list(phone, listName, item)
    if action == "query":
        return _read_lists(phone, listName, item)
    if action == "remove":
        return _remove_item(phone, listName, item)
    if action == "add" and item is None:
        raise bad_argument("`manage_list` add needs `item`", argument="item")
    if listName is None:
        names = [row.name for row in phone.table(NamedList).all()]
        raise bad_argument(
            f"`manage_list` {action} needs `listName`; there are {', '.join(names) or 'none'}", valid=names
        )
    found = _list(phone, listName)
    if action == "add":
        return _add_item(phone, found, str(item))
    for row in phone.table(ListItem).find(list_name=found.name):
        phone.table(ListItem).delete(row)
    phone.table(NamedList).delete(found)
    return {"deleted": found}


def list_name(said: str) -> str:
    """A list's name as it is kept: "my grocery list" -> "grocery"."""
    return re.sub(
        r"\s+list$|^(?:my|the|a|our)\s+", "", re.sub(r"^(?:my|the|a|our)\s+", "", said.strip(), flags=re.I), flags=re.I
    )


def _list(phone: Sandbox, said: str) -> NamedList:
    rows = phone.table(NamedList).all()
    found = named(rows, said, _list_label, "list")
    if not found and (other := _SYNONYMS.get(bare(said, "list"))):
        found = named(rows, other, _list_label, "list")
    known = ", ".join(row.name for row in rows) or "none"
    return only(found, "list", f"`{said}`", _list_label, f"there are: {known}; make one with `manage_list` create")


def _create_list(phone: Sandbox, said: str | None, item: str | None) -> Json:
    if said is None:
        raise bad_argument("`manage_list` create needs `listName`", argument="listName")
    name, table = list_name(said), phone.table(NamedList)
    if table.find(name=name):
        raise conflict(f"a list `{name}` exists already; add to it with `manage_list` add", listName=name)
    made = table.insert(NamedList(phone.new_id("list"), name))
    return {"list": made} | (_add_item(phone, made, item) if item else {})


def _add_item(phone: Sandbox, found: NamedList, item: str) -> Json:
    table = phone.table(ListItem)
    for row in table.find(list_name=found.name):
        if bare(row.item) == bare(item):
            raise conflict(f"`{row.item}` is on the list `{found.name}` already", id=row.id)
    return {"added": table.insert(ListItem(phone.new_id("item"), found.name, item))}


def _read_lists(phone: Sandbox, said: str | None, item: str | None) -> Json:
    """One list whole; without a name every list with its length, or the lists that hold an item."""
    items = phone.table(ListItem)
    if said is not None:
        found = _list(phone, said)
        rows = items.find(list_name=found.name)
        rows = rows if item is None else named(rows, item, _item_label)
        return {"listName": found.name, "count": len(rows), "items": [row.item for row in rows]}
    if item is not None:
        return {
            "found": [{"listName": row.list_name, "item": row.item} for row in named(items.all(), item, _item_label)]
        }
    lists = [
        {"listName": row.name, "count": len(items.find(list_name=row.name))} for row in phone.table(NamedList).all()
    ]
    return {"count": len(lists), "lists": lists}


def _remove_item(phone: Sandbox, said: str | None, item: str | None) -> Json:
    if item is None:
        raise bad_argument("`manage_list` remove needs `item`", argument="item")
    table = phone.table(ListItem)
    rows = table.all() if said is None else table.find(list_name=_list(phone, said).name)
    hint = "see what there is with `manage_list` query"
    found = only(
        named(rows, item, _item_label), "entry", f"`{item}`", lambda row: f"{row.item} on {row.list_name}", hint
    )
    table.delete(found)
    return {"removed": found}


def _list_label(row: NamedList) -> str:
    return row.name


def _item_label(row: ListItem) -> str:
    return row.item


@tool(
    Domain.UTILITIES,
    permission="notes",
    effects={"delete": Effect.DELETE},
    phrases=(
        "note that the key is under the pot",
        "jot this down for me",
        "show my note about gifts",
        "change the router note",
        "delete the book club note",
        "read me my notes",
    ),
)
def manage_note(
    phone: Sandbox,
    action: Literal["create", "query", "update", "delete"],
    content: Text | None = None,
    title: Text | None = None,
) -> Json:
    """Notes."""
    table, now = phone.table(Note), phone.now.isoformat(timespec="minutes")
    if action in ("create", "update") and content is None:
        raise bad_argument(f"`manage_note` {action} needs `content`", argument="content")
    if action == "create":
        return {"note": table.insert(Note(phone.new_id("note"), str(content), title or "", now))}
    if action == "update" and title is None:
        raise bad_argument("`manage_note` update needs the `title` of the note", argument="title")
    if action == "delete" and title is None and content is None:
        raise bad_argument("`manage_note` delete needs the `title` or words of the `content`", argument="title")
    rows = table.all() if title is None else _notes(table.all(), title)
    if content is not None and action != "update":
        rows = named(rows, content, _note_text, "note")
    if action == "query":
        return {
            "count": len(rows),
            "notes": [briefly({"id": n.id, "title": n.title, "content": n.content}) for n in rows],
        }
    said = said_as(title=title, content=content if action == "delete" else None)
    found = only(rows, "note", said, lambda row: row.title or row.content[:40], "list them with `manage_note` query")
    if action == "delete":
        table.delete(found)
        return {"deleted": {"id": found.id, "title": found.title}}
    return {"note": table.update(found, content=content, changed=now)}


def _notes(rows: list[Note], title: str) -> list[Note]:
    """Notes with that title; failing that, notes that speak of it."""
    return named(rows, title, lambda row: row.title, "note", "notes", "about") or named(
        rows, title, _note_text, "note", "notes", "about"
    )


def _note_text(row: Note) -> str:
    return f"{row.title} {row.content}"


_ADDRESS = re.compile(r"(?:https?://)?((?:[a-z0-9-]+\.)+[a-z]{2,})((?:[/?#]\S*)?)", re.I)


@tool(
    Domain.UTILITIES,
    phrases=(
        "open wikipedia.org",
        "look up vegan brownies online",
        "bookmark this page",
        "go to the bike forum",
        "google how to tie a tie",
        "search the web for cheap tents",
    ),
)
def browser_service(
    phone: Sandbox, action: Literal["open", "search", "bookmark"], query: Text | None = None, url: Text | None = None
) -> Json:
    """Web browser."""
    if action == "bookmark":
        return _bookmark(phone, query, url)
    if action == "search" and query is None:
        raise bad_argument("`browser_service` search needs `query`", argument="query")
    if action == "open" and url is None and query is None:
        raise bad_argument("`browser_service` open needs `url`", argument="url")
    where = "" if action == "search" else _page(phone, url or str(query))
    need_online(phone, "open a page")
    if action == "search":
        where = "https://search.example.com/?q=" + "+".join(str(query).split())
    tab = BrowserTab(phone.new_id("tab"), where, str(query) if action == "search" else "")
    return {"tab": phone.table(BrowserTab).insert(tab)}


def address(said: str) -> str | None:
    """The address in what was said: "wikipedia dot org" -> "https://wikipedia.org"; None where there is none."""
    text = re.sub(r"\s+dot\s+", ".", said.strip(), flags=re.I)
    found = _ADDRESS.fullmatch(text.removeprefix("www "))
    return f"https://{found[1].lower()}{found[2]}" if found else None


def _page(phone: Sandbox, said: str) -> str:
    """The page that is meant: an address, or the name of a bookmark."""
    if (found := address(said)) is not None:
        return found
    saved = named(phone.table(Bookmark).all(), said, lambda row: row.title)
    if not saved:
        raise not_found(
            f"`{said}` is no address and no bookmark; give a `url`, or use `browser_service` search", url=said
        )
    return only(saved, "bookmark", f"`{said}`", lambda row: row.title, "give a `url`").url


def _bookmark(phone: Sandbox, title: str | None, url: str | None) -> Json:
    """Save the page given, or the one that was opened last."""
    tabs = phone.table(BrowserTab).all()
    if url is None and not tabs:
        raise conflict("no page is open to bookmark; open one with `browser_service` open, or give its `url`")
    where = tabs[-1].url if url is None else address(url)
    if where is None:
        raise bad_argument(
            f"`url` is `{url}`, which is no address; give one such as `library.example.org`", argument="url"
        )
    table = phone.table(Bookmark)
    if saved := table.find(lambda row: row.url == where):
        raise conflict(f"{where} is bookmarked already as `{saved[0].title}`", id=saved[0].id)
    return {"bookmark": table.insert(Bookmark(phone.new_id("bookmark"), title or where.split("//")[1], where))}
