"""The robot vacuum and the coffee machine: started now, or at a moment that was said."""

from device.sandbox.api import Domain, Sandbox, Text, When, bad_argument, conflict, folded, not_found, plant, tool
from device.sandbox.rows.home import CoffeeMachine, HomeJob, Light, Vacuum
from device.sandbox.tools.by_name import named, only
from device.sandbox.tools.home_lights import EVERYWHERE
from device.sandbox.tools.travel_support import at_of
from runtime.contract import Json

LOW_BATTERY = 20
"""Percent below which the vacuum stays on its dock."""
_VACUUM_WORDS = frozenset(["vacuum", "robot", "roomba", "hoover", "cleaner", "sweeper", "mop"])
_MACHINE_WORDS = frozenset(["coffee", "machine", "maker", "espresso", "keurig", "nespresso"])
COFFEES = (
    "coffee",
    "espresso",
    "double espresso",
    "latte",
    "cappuccino",
    "americano",
    "macchiato",
    "mocha",
    "decaf",
    "black coffee",
)
"""What the machine makes."""


@plant
def appliances(phone: Sandbox) -> None:
    """One vacuum, one coffee machine."""
    phone.table(Vacuum).insert(Vacuum("robot vacuum"))
    phone.table(CoffeeMachine).insert(CoffeeMachine("coffee machine"))


@tool(
    Domain.DEVICES,
    phrases=(
        "vacuum the living room",
        "start the roomba",
        "clean the house at three",
        "the kitchen floor is filthy, get the robot going",
        "have the place vacuumed tomorrow morning",
    ),
)
def start_cleaning(
    phone: Sandbox, device: Text | None = None, room: Text | None = None, when: When | None = None
) -> Json:
    """Robot vacuum and cleaning."""
    vacuum = phone.table(Vacuum).need("robot vacuum", "vacuum")
    _known(device, _VACUUM_WORDS, vacuum.name)
    place = _room(phone, room)
    if when is not None and (at := at_of(phone, when)):
        return {"scheduled": _later(phone, vacuum.name, f"clean {place}", at)}
    if vacuum.status == "cleaning":
        raise conflict(f"`{vacuum.name}` is cleaning {vacuum.room} already; wait until it is done", room=vacuum.room)
    if vacuum.battery < LOW_BATTERY:
        raise conflict(f"`{vacuum.name}` has {vacuum.battery}% battery and needs {LOW_BATTERY}%; let it charge first")
    return {"vacuum": phone.table(Vacuum).update(vacuum, status="cleaning", room=place)}


def _known(device: str | None, words: frozenset[str], name: str) -> None:
    """404 where `device` is said and shares no word with what there is."""
    if device is not None and not words & set(folded(device).split()):
        raise not_found(f"no appliance is called {device}; there is {name}", valid=[name])


def _room(phone: Sandbox, room: str | None) -> str:
    """The room that was said, or the whole home; 404 with the rooms."""
    if room is None or folded(room) in EVERYWHERE:
        return "whole home"
    rooms = [light.room for light in phone.table(Light).all()]
    return only(named(rooms, room, str, "floor", "carpet"), "room", room, str, rooms)


def _later(phone: Sandbox, device: str, task: str, at: str) -> HomeJob:
    """A job for later; 409 where the appliance has one at that moment."""
    if busy := phone.table(HomeJob).find(device=device, at=at):
        raise conflict(f"`{device}` is scheduled to {busy[0].task} at {at} already", at=at)
    return phone.table(HomeJob).insert(HomeJob(phone.new_id("job"), device, task, at))


@tool(
    Domain.DEVICES,
    phrases=(
        "make me a cappuccino",
        "I need coffee",
        "have an espresso ready at seven",
        "start the coffee maker",
        "brew a latte please",
    ),
)
def brew_coffee(
    phone: Sandbox, coffeeType: Text | None = None, device: Text | None = None, when: When | None = None
) -> Json:
    """Coffee machine."""
    machine = phone.table(CoffeeMachine).need("coffee machine", "machine")
    _known(device, _MACHINE_WORDS, machine.name)
    coffee = _coffee(coffeeType)
    if when is not None and (at := at_of(phone, when)):
        return {"scheduled": _later(phone, machine.name, f"brew {coffee}", at)}
    if machine.cups_left == 0:
        raise conflict(f"`{machine.name}` has no beans or water for a cup; ask the user to fill it", cups_left=0)
    return {"machine": phone.table(CoffeeMachine).update(machine, brewing=coffee, cups_left=machine.cups_left - 1)}


def _coffee(said: str | None) -> str:
    """The coffee that was said ("a cup of latte"); 400 with those there are."""
    if said is None:
        return "coffee"
    text = folded(said).removeprefix("cup of ").removesuffix("s")
    for coffee in (text, text.removesuffix(" coffee"), f"{text} coffee"):
        if coffee in COFFEES:
            return coffee
    raise bad_argument(
        f"`coffeeType` {said} is not known; use one of {', '.join(COFFEES)}", argument="coffeeType", valid=COFFEES
    )
