from dataclasses import dataclass

import pytest

from device.sandbox.api import row
from device.sandbox.row import to_json
from device.sandbox.rows.apps import App
from device.sandbox.rows.network import Radios
from device.sandbox.rows.people import Person
from runtime.contract import SetupError, ToolFailure


def test_find_compares_texts_folded(lab):
    people = lab.table(Person)
    assert [person.id for person in people.find(name="  anna KELLER!")] == ["contact_004"]
    assert people.find(name="Anna") == []
    assert [person.id for person in people.find(lambda person: person.name.startswith("Anna"))] == [
        "contact_004",
        "contact_005",
    ]
    assert people.find(lambda person: person.name.startswith("Anna"), relation="boss") == []
    assert people.find(name="", relation="") == []


def test_need_says_what_is_missing(lab):
    with pytest.raises(ToolFailure) as error:
        lab.table(Person).need("contact_099", "contact")
    assert (error.value.failure().status, str(error.value)) == (404, "no contact `contact_099` in `contacts`")


def test_new_rows_stand_behind_the_old_ones(lab):
    people = lab.table(Person)
    people.insert(Person("contact_000", "Zoe Park"))
    people.update("contact_001", phone="1")
    people.delete("contact_002")
    keys = [person.id for person in people.all()]
    assert (keys[:2], keys[-1], len(keys)) == (["contact_001", "contact_003"], "contact_000", 12)


def test_a_singleton_always_has_its_row(lab):
    assert lab.change(Radios, wifi=False).wifi is False
    assert lab.one(Radios).wifi is False
    with pytest.raises(ValueError, match="`radios` always has its one row `phone`"):
        lab.table(Radios).delete("phone")


def test_rows_become_json_whole_and_nested():
    app = App("Chess", "game", 45.0, permissions=("camera",))
    plain = {
        "name": "Chess", "category": "game", "size_mb": 45.0, "installed": True, "system": False, "running": False,
        "locked": False, "notifications": True, "permissions": ["camera"],
    }  # fmt: skip
    assert to_json({"apps": [app], "pair": (1, None)}) == {"apps": [plain], "pair": [1, None]}
    with pytest.raises(TypeError, match="`set` has no JSON form"):
        to_json({"x": {1}})


def test_a_column_that_could_be_written_in_place_is_refused():
    @dataclass(frozen=True, slots=True)
    class Basket:
        id: str
        items: list[str]

    with pytest.raises(
        SetupError, match=r"`Basket.items` is a `list\[str\]`; a column is a scalar or a tuple of scalars"
    ):
        row("baskets", key="id")(Basket)


def test_a_row_class_needs_its_key_and_must_be_frozen():
    @dataclass
    class Loose:
        id: str

    @dataclass(frozen=True)
    class Keyless:
        name: str

    with pytest.raises(SetupError, match="must be a frozen dataclass"):
        row("loose", key="id")(Loose)
    with pytest.raises(SetupError, match="`Keyless` has no column `id`, the key of `keyless`"):
        row("keyless", key="id")(Keyless)
    with pytest.raises(SetupError, match="`Keyless` is a singleton; give `name` a default, or name a key"):
        row("keyless")(Keyless)
