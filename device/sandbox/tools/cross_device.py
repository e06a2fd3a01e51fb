"""Longer work with other devices: moving to them, a second screen, printing, and the pairing log.

Migrations and print jobs take time on the phone's clock. What will fail is decided when they begin and told by a query
when they are through: another device takes only some kinds of data, and a tray holds only so much paper.
"""

from typing import Literal

from device.sandbox.api import (
    Date,
    Domain,
    Effect,
    Json,
    Number,
    Sandbox,
    Text,
    bad_argument,
    conflict,
    not_found,
    tool,
)
from device.sandbox.rows.cross_device import Migration, MultiScreen, PairingEvent, Printer, PrintJob
from device.sandbox.rows.devices import Casting
from device.sandbox.rows.network import Radios
from device.sandbox.tools.by_name import named, only
from device.sandbox.tools.devices import companion, file_named, need_answer
from device.sandbox.tools.moments import later, reached

_PIECES = {"contacts": 60, "messages": 120, "photos": 900, "apps": 600}
"""Seconds that each kind of data takes."""
_REFUSED = {"tablet": ("messages",), "laptop": ("messages", "apps"), "spare_phone": (), "phone": ()}
"""What a device of each kind can't take; devices that are not named take nothing."""
_COPY_SECONDS = 20
_MOST_COPIES = 50


@tool(
    Domain.DEVICES,
    permission="storage",
    phrases=(
        "move everything to my new phone",
        "transfer my contacts from the old phone to this one",
        "is the migration done",
        "migrate photos to the tablet",
        "stop moving my data",
    ),
)
def manage_device_migration(
    phone: Sandbox,
    action: Literal["start", "query", "cancel"],
    device: Text | None = None,
    direction: Literal["send", "receive"] | None = None,
    content: Literal["contacts", "messages", "photos", "apps", "all"] | None = None,
) -> Json:
    """Move data to or from another device."""
    last = next(reversed(phone.table(Migration).all()), None)
    if action == "start":
        return _start_migration(phone, last, device, direction or "send", content or "all")
    if last is None:
        raise not_found("no migration was begun; use `manage_device_migration` start first")
    if action == "cancel":
        if _state(phone, last) != "running":
            raise conflict(f"the migration with {last.other} is {_state(phone, last)}; nothing to cancel")
        last = phone.table(Migration).update(last, cancelled=True)
    seen: Json = {"status": _state(phone, last), "device": last.other, "direction": last.direction}
    if seen["status"] == "finished":
        return seen | {"moved": [p for p in last.pieces if p not in last.failed], "failed": last.failed}
    return seen | {"content": last.pieces, "readyAt": last.ready_at}


def _state(phone: Sandbox, work: Migration | PrintJob) -> str:
    if work.cancelled:
        return "cancelled"
    return "finished" if reached(phone, work.ready_at) else "running"


def _start_migration(phone: Sandbox, last: Migration | None, said: str | None, direction: str, content: str) -> Json:
    if said is None:
        raise bad_argument("`device` is missing; say which device the data goes to or comes from", argument="device")
    other = companion(phone, said)
    if last is not None and _state(phone, last) == "running":
        raise conflict(f"a migration with {last.other} is running until {last.ready_at}; cancel it first", id=last.id)
    if not phone.one(Radios).wifi:
        raise conflict("a migration needs Wi-Fi, which is off; turn it on with `manage_wifi` first", radio="wifi")
    need_answer(other)
    pieces = tuple(_PIECES) if content == "all" else (content,)
    failed = tuple(piece for piece in pieces if piece in _REFUSED.get(other.kind, tuple(_PIECES)))
    if len(failed) == len(pieces):
        raise conflict(f"{other.name} is a {other.kind} and takes no {content}; choose other content or another device")
    ready = later(phone, sum(_PIECES[piece] for piece in pieces))
    new = Migration(phone.new_id("migration"), other.name, direction, pieces, failed, ready)
    phone.table(Migration).insert(new)
    return {"message": "migration started", "id": new.id, "device": other.name, "content": pieces, "readyAt": ready}


@tool(
    Domain.DEVICES,
    phrases=(
        "use my tablet as a second screen",
        "start multi-screen with the laptop",
        "extend my phone onto the tablet",
        "stop multi-screen collaboration",
        "is a tablet linked as my second display",
    ),
)
def manage_multi_screen(
    phone: Sandbox,
    action: Literal["start", "stop", "query"],
    device: Text | None = None,
    mode: Literal["extend", "duplicate"] | None = None,
) -> Json:
    """Multi-screen work with tablet or laptop."""
    now = phone.one(MultiScreen)
    if action == "stop":
        if not now.active:
            raise conflict("no second screen is joined; there is nothing to stop", active=False)
        phone.change(MultiScreen, active=False, screen="", mode="extend")
    elif action == "start":
        _join_screen(phone, now, device, mode or "extend")
    return {"multiScreen": phone.one(MultiScreen)}


def _join_screen(phone: Sandbox, now: MultiScreen, said: str | None, mode: str) -> None:
    if said is None:
        raise bad_argument("`device` is missing; say which tablet or laptop joins", argument="device")
    other = companion(phone, said)
    if other.kind not in ("tablet", "laptop"):
        message = (
            f"`device` is {other.name}, a {other.kind}; only a tablet or laptop joins, `control_screen_casting` casts"
        )
        raise bad_argument(message, argument="device", value=said)
    if now.active and now.screen != other.name:
        raise conflict(f"{now.screen} is joined already; use `manage_multi_screen` stop first", device=now.screen)
    casting = phone.one(Casting)
    if casting.status == "casting":
        message = f"the screen is being cast to {casting.target}; use `control_screen_casting` stop first"
        raise conflict(message, target=casting.target)
    if not phone.one(Radios).wifi:
        raise conflict("multi-screen needs Wi-Fi, which is off; turn it on with `manage_wifi` first", radio="wifi")
    need_answer(other)
    phone.change(MultiScreen, active=True, screen=other.name, mode=mode)


@tool(
    Domain.DEVICES,
    permission="storage",
    effects={"print": Effect.SEND},
    phrases=(
        "print the lease contract",
        "three copies of my resume on the home printer",
        "print this in black and white",
        "did my document come out of the printer",
        "cancel the print job",
    ),
)
def manage_printer(
    phone: Sandbox,
    action: Literal["print", "query", "cancel"],
    fileName: Text | None = None,
    copies: Number | None = None,
    printer: Text | None = None,
    ink: Literal["color", "black_white"] | None = None,
) -> Json:
    """Print files."""
    if action == "print":
        return _print(phone, fileName, 1.0 if copies is None else copies, printer, ink)
    job = next(reversed(phone.table(PrintJob).all()), None)
    if action == "cancel":
        if job is None or _state(phone, job) != "running":
            raise conflict("nothing is being printed; there is nothing to cancel", state="idle")
        job = phone.table(PrintJob).update(job, cancelled=True)
    printers = [row for row in phone.table(Printer).all() if row.online]
    if job is None:
        return {"job": None, "printers": printers}
    state = _state(phone, job)
    printed = job.printable if state == "finished" else 0
    seen: Json = {
        "file": job.file,
        "printer": job.printer_name,
        "status": state,
        "printed": printed,
        "wanted": job.wanted,
    }
    if state == "finished" and job.printable < job.wanted:
        seen["problem"] = "out of paper"
    return {"job": seen, "printers": printers}


def _print(phone: Sandbox, said: str | None, copies: float, printer: str | None, ink: str | None) -> Json:
    """Queue a file; the answer is the queue's, not the paper's."""
    if said is None:
        raise bad_argument("`fileName` is missing; say which file to print", argument="fileName")
    if not copies.is_integer() or not 1 <= copies <= _MOST_COPIES:
        raise bad_argument(f"`copies` is {copies:g}; print 1 to {_MOST_COPIES}", argument="copies", value=copies)
    file, target = file_named(phone, said), _printer(phone, printer)
    if not target.online:
        raise conflict(f"{target.name} does not answer; choose another printer or ask the user to turn it on")
    if ink == "color" and not target.color:
        raise conflict(f"{target.name} prints no colour; choose another printer, or ink black_white")
    wanted = int(copies)
    printable = min(wanted, target.paper)
    colour = ink or ("color" if target.color else "black_white")
    ready = later(phone, _COPY_SECONDS * wanted)
    job = PrintJob(phone.new_id("print"), file.name, target.name, wanted, printable, colour, ready)
    phone.table(PrintJob).insert(job)
    phone.table(Printer).update(target, paper=target.paper - printable)
    return {"message": f"sent to {target.name}", "id": job.id, "file": file.name, "copies": wanted}


def _printer(phone: Sandbox, said: str | None) -> Printer:
    rows = phone.table(Printer).all()
    if said is None:
        ready = [row for row in rows if row.online]
        if not ready:
            raise conflict("no printer answers; ask the user to turn one on")
        return ready[0]
    return only(
        named(rows, said, lambda r: r.name, "printer"), "printer", said, lambda r: r.name, [r.name for r in rows]
    )


@tool(
    Domain.DEVICES,
    effects=Effect.READ,
    phrases=(
        "which devices were paired lately",
        "show the pairing log",
        "when did I pair the car",
        "did any pairing fail yesterday",
        "what was the last device that was unpaired",
    ),
)
def query_pairing_log(
    phone: Sandbox,
    device: Text | None = None,
    event: Literal["paired", "failed", "removed"] | None = None,
    date: Date | None = None,
) -> Json:
    """Log of past device pairings."""
    rows = phone.table(PairingEvent).all()
    names = list(dict.fromkeys(row.device for row in rows))
    if device is not None:
        rows = named(rows, device, lambda row: row.device, "device")
        if not rows:
            raise not_found(f"the pairing log has no {device}; it has {', '.join(names)}", valid=names)
    found = [row for row in rows if event in (None, row.event) and (date is None or row.at.startswith(date))]
    return {"events": sorted(found, key=lambda row: row.at, reverse=True), "total": len(found)}
