"""Content providers over the sandbox's tables: contacts, calls, messages, calendar, dictionary, tones, settings.

1. A provider lists its rows as columns of Android and may insert, update or delete one.
2. `select` answers a query by putting the rows into SQLite in memory, so that `--where` and `--sort` are SQL, as in
   Android's own providers.
3. An `_id` is the number in the sandbox's id: `contact_003` is 3.

Columns after `ContactsContract.java`, `CallLog.java`, `Telephony.java`, `CalendarContract.java`, `UserDictionary.java`
and `MediaStore.java` of `frameworks/base/core/java/android/provider` (Android 10 to 15).
"""

import sqlite3
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from device.handset.state.moments import day_ms, day_of, from_ms, to_ms
from device.sandbox.rows.communication import Call, Message
from device.sandbox.rows.people import Person
from device.sandbox.rows.screen_settings import Tone
from device.sandbox.rows.time_management import Event
from device.sandbox.rows.typing_input import TextShortcut
from device.sandbox.sandbox import Sandbox

if TYPE_CHECKING:
    from device.handset.handset import Handset

Columns = dict[str, Any]
HOUR_MS = 3_600_000


class ProviderError(Exception):
    """What `content` prints: the exception of Java."""


class Provider(NamedTuple):
    """One URI."""

    rows: "Callable[[Handset], list[Columns]]"
    """All of it."""
    insert: "Callable[[Sandbox, Columns], None] | None" = None
    """Add a row."""
    update: "Callable[[Sandbox, int, Columns], None] | None" = None
    """Change one."""
    delete: "Callable[[Sandbox, int], None] | None" = None
    """Remove one."""


def number(key: str) -> int:
    """The number of a seeded id."""
    digits = key.rpartition("_")[2]
    return int(digits) if digits.isdigit() else 0


def _key(prefix: str, ident: int) -> str:
    return f"{prefix}_{ident:03d}"


# contacts

_ITEM = "vnd.android.cursor.item/"
_KINDS = (
    (_ITEM + "name", "name"), (_ITEM + "phone_v2", "phone"), (_ITEM + "email_v2", "email"),
    (_ITEM + "postal-address_v2", "address"), (_ITEM + "contact_event", "birthday"), (_ITEM + "relation", "relation"),
)  # fmt: skip
"""Type of a data row: column of the contact."""


def _raw_contacts(phone: "Handset") -> list[Columns]:
    rows = phone.sandbox.table(Person).all()
    return [
        {"_id": number(r.id), "contact_id": number(r.id), "display_name": r.name, "deleted": 0, "account_type": None,
         "account_name": None, "starred": 0}
        for r in rows
    ]  # fmt: skip


def _data(phone: "Handset") -> list[Columns]:
    found = []
    for row in phone.sandbox.table(Person).all():
        for place, (mime, column) in enumerate(_KINDS, 1):
            value = getattr(row, column)
            if value:
                ident = number(row.id)
                found.append(
                    {
                        "_id": ident * 10 + place,
                        "raw_contact_id": ident,
                        "contact_id": ident,
                        "mimetype": mime,
                        "data1": value,
                        "data2": 3 if column == "birthday" else None,
                        "display_name": row.name,
                    }
                )
    return found


def _insert_contact(phone: Sandbox, values: Columns) -> None:
    phone.table(Person).insert(Person(phone.new_id("contact"), str(values.get("display_name") or "")))


def _column_of(mime: str) -> str:
    column = dict(_KINDS).get(mime)
    if column is None:
        raise ProviderError(f"java.lang.IllegalArgumentException: mimetype {mime} is not kept")
    return column


def _insert_data(phone: Sandbox, values: Columns) -> None:
    owner = phone.table(Person).get(_key("contact", int(values.get("raw_contact_id") or 0)))
    if owner is None:
        raise ProviderError("java.lang.IllegalArgumentException: raw_contact_id is required")
    phone.table(Person).update(owner, **{_column_of(str(values.get("mimetype"))): str(values.get("data1") or "")})


def _data_column(ident: int) -> tuple[str, str]:
    return _key("contact", ident // 10), _KINDS[ident % 10 - 1][1]


def _update_data(phone: Sandbox, ident: int, values: Columns) -> None:
    key, column = _data_column(ident)
    phone.table(Person).update(key, **{column: str(values.get("data1") or "")})


def _delete_data(phone: Sandbox, ident: int) -> None:
    key, column = _data_column(ident)
    phone.table(Person).update(key, **{column: ""})


# calls and messages

_DIRECTIONS = {"in": 1, "out": 2, "missed": 3}


def _calls(phone: "Handset") -> list[Columns]:
    sandbox = phone.sandbox
    return [
        {"_id": number(r.id), "type": _DIRECTIONS[r.direction], "date": to_ms(sandbox, r.moment), "number": r.phone,
         "name": r.who or None, "duration": 0}
        for r in sandbox.table(Call).all()
    ]  # fmt: skip


def _insert_call(phone: Sandbox, values: Columns) -> None:
    direction = {code: name for name, code in _DIRECTIONS.items()}.get(int(values.get("type") or 2), "out")
    moment = from_ms(phone, int(values["date"])) if values.get("date") else phone.now
    row = Call(
        phone.new_id("call"),
        direction,
        str(values.get("name") or ""),
        str(values.get("number") or ""),
        moment.isoformat(timespec="minutes"),
    )
    phone.table(Call).insert(row)


def _messages(phone: "Handset") -> list[Columns]:
    sandbox = phone.sandbox
    return [
        {"_id": number(r.id), "thread_id": 1, "type": 1 if r.direction == "in" else 2, "address": r.phone,
         "date": to_ms(sandbox, r.moment), "body": r.content, "read": 1}
        for r in sandbox.table(Message).all()
    ]  # fmt: skip


# calendar


def _events(phone: "Handset") -> list[Columns]:
    sandbox = phone.sandbox
    found = []
    for row in sandbox.table(Event).all():
        start = to_ms(sandbox, f"{row.date}T{row.time}") if row.time else day_ms(row.date)
        found.append(
            {
                "_id": number(row.id),
                "title": row.event,
                "dtstart": start,
                "allDay": int(not row.time),
                "dtend": None if row.repeat else start + (HOUR_MS if row.time else 24 * HOUR_MS),
                "deleted": 0,
                "eventLocation": row.location or None,
                "rrule": row.repeat or None,
                "calendar_id": 1,
                "eventTimezone": "UTC" if not row.time else None,
            }
        )
    return found


def _event_columns(phone: Sandbox, values: Columns, row: Event | None) -> dict[str, str]:
    """The sandbox's columns of those of Android that were given."""
    columns: dict[str, str] = {}
    names = {"title": "event", "eventLocation": "location", "rrule": "repeat"}
    columns |= {ours: str(values[theirs] or "") for theirs, ours in names.items() if theirs in values}
    if "dtstart" in values:
        start = int(values["dtstart"])
        whole = bool(int(values.get("allDay", int(row is not None and not row.time)) or 0))
        moment = from_ms(phone, start)
        columns["date"] = day_of(start) if whole else moment.date().isoformat()
        columns["time"] = "" if whole else f"{moment:%H:%M}"
    return columns


def _insert_event(phone: Sandbox, values: Columns) -> None:
    if not {"dtstart", "calendar_id"} <= set(values):
        missing = (
            "DTSTART field missing from event" if "dtstart" not in values else "New events must specify a calendar id"
        )
        raise ProviderError(f"java.lang.IllegalArgumentException: {missing}")
    columns = {"event": "", **_event_columns(phone, values, None)}
    phone.table(Event).insert(Event(phone.new_id("event"), **columns))


def _update_event(phone: Sandbox, ident: int, values: Columns) -> None:
    row = phone.table(Event).need(_key("event", ident))
    phone.table(Event).update(row, **_event_columns(phone, values, row))


def _attendees(phone: "Handset") -> list[Columns]:
    rows = phone.sandbox.table(Event).all()
    return [{"_id": number(r.id), "event_id": number(r.id), "attendeeName": r.person} for r in rows if r.person]


def _insert_attendee(phone: Sandbox, values: Columns) -> None:
    phone.table(Event).update(_key("event", int(values["event_id"])), person=str(values.get("attendeeName") or ""))


def _calendars(phone: "Handset") -> list[Columns]:
    return [
        {
            "_id": 1,
            "isPrimary": 1,
            "account_name": "me@example.com",
            "account_type": "com.google",
            "calendar_displayName": "me@example.com",
            "visible": 1,
        }
    ]


# words and tones


def _words(phone: "Handset") -> list[Columns]:
    rows = phone.sandbox.table(TextShortcut).all()
    return [
        {"_id": number(r.id), "word": r.phrase, "shortcut": r.shortcut, "frequency": 250, "locale": None, "appid": 0}
        for r in rows
    ]


def _insert_word(phone: Sandbox, values: Columns) -> None:
    row = TextShortcut(phone.new_id("shortcut"), str(values.get("shortcut") or ""), str(values.get("word") or ""))
    phone.table(TextShortcut).insert(row)


def _update_word(phone: Sandbox, ident: int, values: Columns) -> None:
    names = {"word": "phrase", "shortcut": "shortcut"}
    changes = {ours: str(values[theirs]) for theirs, ours in names.items() if theirs in values}
    phone.table(TextShortcut).update(_key("shortcut", ident), **changes)


def tones(phone: Sandbox) -> list[Tone]:
    """Built-in tones; the `_id` of each is its place, from 1."""
    return phone.table(Tone).all()


def _audio(phone: "Handset") -> list[Columns]:
    return [
        {
            "_id": n,
            "title": r.name,
            "is_ringtone": int(r.kind == "ringtone"),
            "is_notification": int(r.kind != "ringtone"),
            "is_alarm": 0,
            "is_music": 0,
        }
        for n, r in enumerate(tones(phone.sandbox), 1)
    ]


def _setting_rows(space: str) -> "Callable[[Handset], list[Columns]]":
    def rows(phone: "Handset") -> list[Columns]:
        values = phone.settings.all(space)
        return [{"_id": n, "name": name, "value": value} for n, (name, value) in enumerate(values.items(), 1)]

    return rows


def _deleting(cls: type[Any], prefix: str) -> Callable[[Sandbox, int], None]:
    return lambda phone, ident: phone.table(cls).delete(_key(prefix, ident))


_CONTACTS, _CALENDAR = "content://com.android.contacts", "content://com.android.calendar"
PROVIDERS: dict[str, Provider] = {
    f"{_CONTACTS}/raw_contacts": Provider(_raw_contacts, _insert_contact, None, _deleting(Person, "contact")),
    f"{_CONTACTS}/contacts": Provider(_raw_contacts, None, None, _deleting(Person, "contact")),
    f"{_CONTACTS}/data": Provider(_data, _insert_data, _update_data, _delete_data),
    f"{_CONTACTS}/data/phones": Provider(lambda phone: [r for r in _data(phone) if r["mimetype"].endswith("phone_v2")]),
    "content://call_log/calls": Provider(_calls, _insert_call, None, _deleting(Call, "call")),
    "content://sms": Provider(_messages),
    "content://sms/inbox": Provider(lambda phone: [r for r in _messages(phone) if r["type"] == 1]),
    "content://sms/sent": Provider(lambda phone: [r for r in _messages(phone) if r["type"] == 2]),
    f"{_CALENDAR}/events": Provider(_events, _insert_event, _update_event, _deleting(Event, "event")),
    f"{_CALENDAR}/calendars": Provider(_calendars),
    f"{_CALENDAR}/attendees": Provider(_attendees, _insert_attendee),
    "content://user_dictionary/words": Provider(
        _words, _insert_word, _update_word, _deleting(TextShortcut, "shortcut")
    ),
    "content://media/internal/audio/media": Provider(_audio),
    **{f"content://settings/{space}": Provider(_setting_rows(space)) for space in ("system", "secure", "global")},
}
"""By URI."""


def provider_of(uri: str) -> tuple[Provider, int | None]:
    """The provider behind a URI, and the row where the URI ends in a number."""
    uri = uri.rstrip("/")
    if uri in PROVIDERS:
        return PROVIDERS[uri], None
    head, _, tail = uri.rpartition("/")
    if tail.isdigit() and head in PROVIDERS:
        return PROVIDERS[head], int(tail)
    authority = uri.removeprefix("content://").partition("/")[0]
    if any(known.startswith(f"content://{authority}/") or known == f"content://{authority}" for known in PROVIDERS):
        raise ProviderError(f"java.lang.IllegalArgumentException: Unknown URL {uri}")
    raise ProviderError(f"java.lang.IllegalStateException: Could not find provider: {authority}")


def select(rows: list[Columns], columns: Sequence[str], where: str, sort: str) -> list[Columns]:
    """The rows that SQL picks, with the columns asked for; raises `ProviderError` for SQL that can't be read."""
    if not rows:
        return []
    names = list(rows[0])
    for name in columns:
        if name not in names:
            raise ProviderError(f"java.lang.IllegalArgumentException: Invalid column {name}")
    base = sqlite3.connect(":memory:")
    try:
        base.execute(f"CREATE TABLE t ({_quoted(names)})")
        base.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(names))})", [tuple(row.values()) for row in rows])
        wanted = list(columns) or names
        query = f"SELECT {_quoted(wanted)} FROM t"
        query += f" WHERE ({where})" if where else ""
        query += f" ORDER BY {sort}" if sort else ""
        return [dict(zip(wanted, values, strict=True)) for values in base.execute(query)]
    except sqlite3.Error as error:
        raise ProviderError(f"android.database.sqlite.SQLiteException: {error}") from None
    finally:
        base.close()


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
