"""The smart home that the phone reaches: lights, plugs, the vacuum and the coffee machine."""

from dataclasses import dataclass

from device.sandbox.api import row


@row("lights", key="room")
@dataclass(frozen=True, slots=True)
class Light:
    """The lights of one room."""

    room: str
    """`living room`, `kitchen`, ..."""
    on: bool = False
    """Whether they burn."""
    brightness: int = 80
    """Percent, 1 to 100; kept while they are off."""
    color: str = "white"
    """Name of the color."""


@row("plugs", key="name")
@dataclass(frozen=True, slots=True)
class Plug:
    """An appliance on a smart plug."""

    name: str
    """What is plugged in: `heater`, `fan`, ..."""
    room: str
    """Where it stands."""
    on: bool = False
    """Whether the plug gives power."""


@row("vacuums", key="name")
@dataclass(frozen=True, slots=True)
class Vacuum:
    """A robot vacuum."""

    name: str
    """`robot vacuum`."""
    status: str = "docked"
    """`docked` or `cleaning`."""
    room: str = ""
    """What it cleans now: a room, `whole home`, or empty."""
    battery: int = 90
    """Percent."""


@row("coffee_machines", key="name")
@dataclass(frozen=True, slots=True)
class CoffeeMachine:
    """A coffee machine."""

    name: str
    """`coffee machine`."""
    brewing: str = ""
    """The coffee that it makes or made last, empty if none yet."""
    cups_left: int = 6
    """Cups for which there are beans and water."""


@row("home_jobs", key="id")
@dataclass(frozen=True, slots=True)
class HomeJob:
    """Something that an appliance does later."""

    id: str
    """Seeded id."""
    device: str
    """Name of the appliance."""
    task: str
    """`clean kitchen`, `brew latte`, ..."""
    at: str
    """YYYY-MM-DDTHH:MM."""
