"""Which contact a name means; asked of `device.spoken`, over names and relations alike."""

from collections.abc import Sequence
from functools import lru_cache

from device.sandbox.errors import conflict, not_found
from device.sandbox.rows.people import Person
from device.spoken import match_contact


@lru_cache(maxsize=4_096)
def _matches(said: str, names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(match_contact(said, names))


def find_person(people: Sequence[Person], said: str) -> Person:
    """The one person that `said` means by id, name or relation; raises 404 for none and 409 for several."""
    names = tuple(name for person in people for name in (person.name, person.relation) if name)
    meant = _matches(said, names)
    found = [person for person in people if person.id == said or person.name in meant or person.relation in meant]
    if not found:
        raise not_found(f"no contact is called `{said}`; ask the user, or add one with `add_contact`", value=said)
    if len(found) > 1:
        listed = " or ".join(f"`{person.name}`" for person in found)
        candidates = [{"id": person.id, "name": person.name, "phone": person.phone} for person in found]
        raise conflict(f"`{said}` could be {listed}; ask which one is meant", value=said, candidates=candidates)
    return found[0]
