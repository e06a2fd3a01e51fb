"""A process that borrows from a phone and gives back until it is killed; run by kills.py.

It says through its pipe when it begins and after each thing that it took, so that the moment of a kill does not depend
on how busy the machine is.
"""

import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from random import Random

from device.android.connection.server import Server
from device.android.phone import AndroidPhone
from device.android.restore.undo import borrow_forward, borrow_input_method, borrow_service, borrow_setting
from runtime.contract import Deadline

KEYBOARD_PACKAGE = "com.github.uiautomator"
KEYBOARD = f"{KEYBOARD_PACKAGE}/.AdbKeyboard"
SERVICE = "com.example.pocket/.Reader"
HELPER_SHARE = 0.4
"""Share of rounds that start uiautomator2's server, which takes longer than everything else together."""
HELD_S = (0.0, 0.1)
"""How long the things of a round are held."""
SECONDS = 60.0


def rotation(phone: AndroidPhone, dice: Random) -> None:
    """Hold the screen as it is, turned one way."""
    borrow_setting(phone.ledger, phone.shell, "system", "accelerometer_rotation", "0", Deadline(SECONDS))
    borrow_setting(phone.ledger, phone.shell, "system", "user_rotation", str(dice.randrange(4)), Deadline(SECONDS))


def service(phone: AndroidPhone, dice: Random) -> None:
    """An accessibility service beside somebody else's."""
    borrow_service(phone.ledger, phone.shell, SERVICE, Deadline(SECONDS))


def keyboard(phone: AndroidPhone, dice: Random) -> None:
    """An input method that was off."""
    borrow_input_method(phone.ledger, phone.shell, KEYBOARD, Deadline(SECONDS))


def forward(phone: AndroidPhone, dice: Random) -> None:
    """A port of this machine."""
    local = f"tcp:{dice.randrange(20_000, 30_000)}"
    borrow_forward(phone.ledger, phone.server, phone.serial, local, "tcp:9008", Deadline(SECONDS))


def helper(phone: AndroidPhone, dice: Random) -> None:
    """The UiAutomation slot."""
    phone.agent.ready(Deadline(SECONDS))


QUICK: tuple[Callable[[AndroidPhone, Random], None], ...] = (rotation, service, keyboard, forward)


def borrow_on(host: str, port: int, serial: str, seed: int, pipe: Connection) -> None:
    """Start, which gives back what a dead process had borrowed; then borrow and give back for ever."""
    dice = Random(seed)
    pipe.send_bytes(b"starting")
    phone = AndroidPhone(serial, server=Server(host, port))
    pipe.send_bytes(b"borrowing")
    while True:
        things = dice.sample(QUICK, dice.randint(1, len(QUICK)))
        if dice.random() < HELPER_SHARE:
            things.insert(dice.randrange(len(things) + 1), helper)
        for thing in things:
            thing(phone, dice)
            pipe.send_bytes(b"took")
        time.sleep(dice.uniform(*HELD_S))
        phone.close()
