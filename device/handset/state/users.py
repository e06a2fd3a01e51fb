"""Android's users over the sandbox's profiles; numbers are given as Android gives them: 0, then 10, 11, ..."""

from dataclasses import dataclass

from device.sandbox.rows.system_care import UserProfile
from device.sandbox.sandbox import Sandbox

_FLAGS = {"owner": 0x4C13, "guest": 0x1414, "user": 0x410}


@dataclass(frozen=True, slots=True)
class User:
    """One user."""

    number: int
    """As Android counts."""
    name: str
    """As shown."""
    flags: int
    """Bits of `UserInfo`."""
    active: bool
    """Whether it is in front."""


def users(phone: Sandbox) -> list[User]:
    """All of them."""
    rows = phone.table(UserProfile).all()
    return [User(0 if n == 0 else 9 + n, row.name, _FLAGS[row.kind], row.active) for n, row in enumerate(rows)]


def switch(phone: Sandbox, number: int) -> bool:
    """Bring a user to the front; False where there is none of this number."""
    wanted = next((user for user in users(phone) if user.number == number), None)
    if wanted is None:
        return False
    for row in phone.table(UserProfile).all():
        if row.active != (row.name == wanted.name):
            phone.table(UserProfile).update(row, active=row.name == wanted.name)
    return True


def create(phone: Sandbox, name: str) -> int:
    """A new user's number."""
    phone.table(UserProfile).insert(UserProfile(name))
    return users(phone)[-1].number


def remove(phone: Sandbox, number: int) -> bool:
    """Remove a user; not the owner, and not the one in front."""
    found = next((user for user in users(phone) if user.number == number), None)
    if found is None or number == 0 or found.active:
        return False
    phone.table(UserProfile).delete(found.name)
    return True
