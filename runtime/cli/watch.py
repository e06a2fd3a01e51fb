"""Watch: what you meant to do, as it becomes due by the phone's clock and by what happens on it.

It shows what is due and carries out nothing. `pocket memory add TEXT --at TIME` or `--event WORDS` keeps an intention.
"""

import json as jsons
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from runtime.cli.common import JsonFlag, SetOption, err, finite, interruptible, out
from runtime.contract import CancelToken, Deadline, Json, UserError

if TYPE_CHECKING:
    from runtime.config import Settings
    from runtime.watch import Watch

app = typer.Typer(add_completion=False)
NOTHING = "nothing became due; each intention is shown once (`pocket memory list` has all that are open)"
TICK = 0.2
"""Seconds between two looks at Ctrl-C."""


@app.command(epilog="Examples: pocket watch --for 3600; pocket watch --until 2026-03-03T09:00; pocket watch --once")
def watch(
    event: Annotated[list[str] | None, typer.Option("--event", help="Something that happened, in plain words.")] = None,
    every: Annotated[float, typer.Option(min=1, max=86_400, help="Seconds between two looks.", callback=finite)] = 30.0,
    seconds: Annotated[
        float | None, typer.Option("--for", min=0, help="End after so many seconds.", callback=finite)
    ] = None,
    until: Annotated[str | None, typer.Option(help="Let a software phone's clock run to this time at once.")] = None,
    once: Annotated[bool, typer.Option("--once", help="Look once, and end.")] = False,
    done: Annotated[
        str | None, typer.Option(metavar="ID", help="Say that an intention was carried out, and end.")
    ] = None,
    clock: Annotated[str | None, typer.Option(help="The phone's local time, 2026-03-02T09:00; else now.")] = None,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """What you meant to do, as it becomes due; shown, never carried out."""
    from runtime.config import load_settings

    settings = load_settings({"phone": {"clock": clock}} if clock else {}, assignments or ())
    if done is not None:
        _settle(settings, done, json)
        return
    shown, at_once = 0, bool(once or until)
    if not at_once and sys.stderr.isatty():
        err().print(Text(f"watching, a look every {every:g} s; Ctrl-C ends it", style="dim"))
    for item in _looks(settings, event or [], every, 0.0 if at_once else seconds, until):
        shown += 1
        if json:
            print(jsons.dumps(item, ensure_ascii=False, default=str), flush=True)
        else:
            out().print(_line(item))
    if at_once and not shown and not json:
        err().print(Text(NOTHING, style="dim"))


def _looks(
    settings: "Settings", events: list[str], every: float, seconds: float | None, until: str | None
) -> Iterator[Json]:
    """What becomes due, look by look, until the time is over or Ctrl-C."""
    from runtime.watch import Watch
    from runtime.wiring import clock_of, open_embedder, open_memory, open_phone, world_of

    wanted = None if until is None else _time(until)  # before a look: what is due is shown once
    phone = open_phone(settings.phone.backend, world_of(settings))
    memory = open_memory(settings, open_embedder(), phone)
    cancel, advance = CancelToken(), getattr(phone, "advance", None)
    try:
        watch = Watch(phone, memory, lambda: clock_of(phone).isoformat(timespec="minutes"))
        yield from watch.look(events, Deadline(None, cancel))
        if wanted is not None:
            _forward(clock_of(phone), wanted, advance)
            yield from watch.look((), Deadline(None, cancel))
        with interruptible(cancel):
            yield from _waiting(watch, cancel, every, seconds, advance)
    finally:
        memory.close()
        phone.close()


def _waiting(
    watch: "Watch", cancel: CancelToken, every: float, seconds: float | None, advance: Callable[[float], Any] | None
) -> Iterator[Json]:
    """Look every so often; a software phone's clock runs as the machine's does."""
    began = looked = time.monotonic()
    while not cancel.cancelled and (seconds is None or time.monotonic() - began < seconds):
        time.sleep(TICK)
        passed = time.monotonic() - looked
        if passed < every:
            continue
        looked += passed
        if advance is not None:
            advance(passed)
        yield from watch.look((), Deadline(None, cancel))


def _time(until: str) -> datetime:
    try:
        wanted = datetime.fromisoformat(until)
    except ValueError:
        wanted = None
    if wanted is None or wanted.tzinfo is not None:
        raise UserError(f"`--until` is `{until}`; write a local time such as `2026-03-03T09:00`, without a zone.")
    return wanted


def _forward(now: datetime, wanted: datetime, advance: Callable[[float], Any] | None) -> None:
    if advance is None:
        raise UserError("`--until` moves the clock of a software phone; this phone has its own. Use `--for`.")
    if wanted < now:
        raise UserError(
            f"`--until` is `{wanted:%Y-%m-%dT%H:%M}`; the phone's time is {now:%Y-%m-%dT%H:%M}. "
            "Give a later local time."
        )
    advance((wanted - now).total_seconds())


def _settle(settings: "Settings", memory_id: str, json: bool) -> None:
    from runtime.cli.house import sentence
    from runtime.contract import ToolFailure
    from runtime.wiring import open_service

    service = open_service(settings)
    try:
        record = service.settle(memory_id)
    except ToolFailure as failure:
        raise UserError(sentence(failure)) from None
    finally:
        service.close()
    if json:
        print(jsons.dumps(record.model_dump(mode="json"), ensure_ascii=False))
    else:
        out().print(Text(f"{memory_id}: done"))


def _line(item: Json) -> Text:
    from runtime.visible import in_one_line

    return Text.assemble((f"{item['at']}  ", "dim"), (in_one_line(item["content"]), "bold"),
                         (in_one_line(f"  {item['because']}  {item['memory_id']}"), "dim"))  # fmt: skip
