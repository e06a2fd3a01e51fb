"""Phones by name, and what a run asks of one that no contract promises: its clock, and what it asks by itself."""

from collections.abc import Callable
from datetime import datetime

from runtime.arguments import near
from runtime.config import Settings
from runtime.contract import Approver, Effect, Phone, UserError, WorldSpec


def _sandbox(world: WorldSpec, serial: str, approver: Approver | None) -> Phone:
    from device.sandbox.sandbox import Sandbox

    return Sandbox(world)


def _android(world: WorldSpec, serial: str, approver: Approver | None) -> Phone:
    from device.android.phone import AndroidPhone

    phone = AndroidPhone(serial, approver)
    try:
        phone.reset(world)
    except BaseException:
        phone.close()
        raise
    return phone


BACKENDS: dict[str, Callable[[WorldSpec, str, Approver | None], Phone]] = {"sandbox": _sandbox, "android": _android}
"""Phones by name."""


def world_of(settings: Settings) -> WorldSpec:
    """The world that the settings describe."""
    clock = settings.phone.clock or datetime.now().isoformat(timespec="minutes")
    if clock[:4].isdigit() and not "1970" <= clock[:4] <= "2100":
        raise UserError(f"`phone.clock` is `{clock}`; a phone's year lies between 1970 and 2100.")
    return WorldSpec(clock=clock, seed=settings.phone.seed)


def open_phone(backend: str, world: WorldSpec, serial: str = "", approver: Approver | None = None) -> Phone:
    """A phone in the state of `world`. An unknown backend is a `UserError`. `serial` says which connected phone, and
    `approver` answers for one that asks by itself before what can't be taken back."""
    if backend not in BACKENDS:
        known = ", ".join(f"`{name}`" for name in BACKENDS)
        raise UserError(f"there is no backend `{backend}`{near(backend, list(BACKENDS)) or '.'} Use one of {known}.")
    return BACKENDS[backend](world, serial, approver)


def connected_phones() -> list[tuple[str, str, bool, str]]:
    """What a connected phone needs on this machine, and which are attached: name, what was found, right, fix."""
    from device.android.checks import checks

    return checks()


def asked_by(phone: Phone) -> frozenset[Effect]:
    """Effects that the phone itself has agreed to by its approver; nobody is asked twice."""
    return frozenset(getattr(phone, "asks", ()))


def clock_of(phone: Phone) -> datetime:
    """The phone's time; the machine's where it has no clock of its own."""
    now = getattr(phone, "now", None)
    return now if isinstance(now, datetime) else datetime.now()


def spoken_clock(phone: Phone) -> str:
    """The phone's time in words, `Monday 2 March 2026, 09:00`; nothing where the phone has no clock of its own."""
    now = getattr(phone, "now", None)
    return f"{now:%A} {now.day} {now:%B %Y, %H:%M}" if isinstance(now, datetime) else ""
