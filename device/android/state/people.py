"""Contacts, calls, messages, events, text shortcuts: rows of Android's content providers, as the shell may read them.

Moments are milliseconds since 1970 on the phone and local minutes here. Types: `CallLog.Calls`, `Telephony.Sms`.
"""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from device.android.state.reading import Reading, Rows
from device.android.state.tables import table

RAW_CONTACTS = "content://com.android.contacts/raw_contacts"
CONTACT_DATA = "content://com.android.contacts/data"
CALLS = "content://call_log/calls"
SMS = "content://sms"
EVENTS = "content://com.android.calendar/events"
WORDS = "content://user_dictionary/words"
NAME_TYPE = "vnd.android.cursor.item/name"
PHONE_TYPE = "vnd.android.cursor.item/phone_v2"
EMAIL_TYPE = "vnd.android.cursor.item/email_v2"
_COLUMNS = {NAME_TYPE: "name", PHONE_TYPE: "phone", EMAIL_TYPE: "email"}
_CALL = {"1": "in", "2": "out", "3": "missed", "5": "missed"}


def zone(reading: Reading) -> ZoneInfo:
    """The phone's time zone; UTC where it names none that is known here."""
    try:
        return ZoneInfo(reading.text("getprop", "persist.sys.timezone") or "UTC")
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")


def moment(milliseconds: str, where: ZoneInfo) -> str:
    """Local minute; empty for what is no number."""
    if not milliseconds.isdecimal():
        return ""
    return datetime.fromtimestamp(int(milliseconds) / 1000, UTC).astimezone(where).strftime("%Y-%m-%dT%H:%M")


@table("contacts")
def contacts(reading: Reading) -> Rows:
    """A row for each raw contact that is not deleted."""
    found: Rows = {}
    for raw in reading.rows(RAW_CONTACTS, ("_id", "deleted")):
        if raw["deleted"] in ("0", ""):
            found[raw["_id"]] = {"id": raw["_id"], "name": "", "phone": "", "email": ""}
    for piece in reading.rows(CONTACT_DATA, ("_id", "raw_contact_id", "mimetype"), ("data1",)):
        column, row = _COLUMNS.get(piece["mimetype"]), found.get(piece["raw_contact_id"])
        if column is not None and row is not None and not row[column]:
            row[column] = plain_number(piece["data1"]) if column == "phone" else piece["data1"]
    return found


def plain_number(number: str) -> str:
    """Digits and a leading plus."""
    return "".join(char for char in number if char.isdecimal() or char == "+") or number


@table("calls")
def calls(reading: Reading) -> Rows:
    """The call log."""
    where = zone(reading)
    return {
        row["_id"]: {
            "direction": _CALL.get(row["type"], "other"),
            "who": row["name"],
            "phone": row["number"],
            "moment": moment(row["date"], where),
        }
        for row in reading.rows(CALLS, ("_id", "type", "date"), ("number", "name"))
    }


@table("messages")
def messages(reading: Reading) -> Rows:
    """Text messages; types beyond the inbox are outgoing."""
    where = zone(reading)
    return {
        row["_id"]: {
            "direction": "in" if row["type"] == "1" else "out",
            "phone": row["address"],
            "content": row["body"],
            "moment": moment(row["date"], where),
        }
        for row in reading.rows(SMS, ("_id", "type", "date"), ("address", "body"))
    }


@table("events")
def events(reading: Reading) -> Rows:
    """Calendar events that are not deleted; an all-day event has no time and is kept in UTC."""
    where = zone(reading)
    found: Rows = {}
    numbers = ("_id", "dtstart", "allDay", "deleted")
    for row in reading.rows(EVENTS, numbers, ("title", "eventLocation", "rrule")):
        if row["deleted"] not in ("0", ""):
            continue
        whole = row["allDay"] == "1"
        date, _, time = moment(row["dtstart"], ZoneInfo("UTC") if whole else where).partition("T")
        found[row["_id"]] = {
            "event": row["title"],
            "date": date,
            "time": "" if whole else time,
            "location": row["eventLocation"],
            "repeat": row["rrule"],
        }
    return found


@table("text_shortcuts")
def text_shortcuts(reading: Reading) -> Rows:
    """Words of the user dictionary that have a shortcut."""
    rows = reading.rows(WORDS, ("_id",), ("shortcut", "word"))
    return {row["_id"]: {"shortcut": row["shortcut"], "phrase": row["word"]} for row in rows if row["shortcut"]}
