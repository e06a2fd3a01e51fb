from datetime import datetime
from random import Random

import pytest

from device.spoken import Unreadable
from evalkit.suites.core.values import Draw, Pool, Values, canonical, load_values, shared_values, slug
from runtime.contract import SetupError, Split

NOW = datetime(2026, 3, 2, 9, 0)
POOLS = Values(
    pools={
        "city": Pool(train=("Rome", "Oslo"), dev=("Lyon",), test=("Bern", "Turin")),
        "time": Pool(train=("half past seven",), dev=("6 am",), test=("8 pm",), spoken="time"),
        "unit_from": Pool(train=("miles", "feet"), dev=(), test=()),
        "unit_to": Pool(train=("kilometers", "meters"), dev=(), test=(), closed=True),
        "person": Pool(train=("Ada Moss",), dev=(), test=()),
    },
    plants={
        "person": ({"table": "contacts", "id": "contact_{number}", "name": "{value}", "email": "{slug}@x.example"},)
    },
    zips={"unit_to": "unit_from"},
    alias={"town": "city"},
)


def test_no_value_stands_in_two_splits():
    assert [name for name, pool in load_values().pools.items() if shared_values(pool)] == []


def test_every_spoken_value_is_understood_by_its_reader():
    unread = []
    for name, pool in load_values().pools.items():
        for value in (*pool.train, *pool.dev, *pool.test) if pool.spoken else ():
            try:
                canonical(pool.spoken, value, NOW)
            except Unreadable:
                unread.append((name, value))
    assert unread == []


@pytest.mark.parametrize("name", ["time", "duration", "percent", "money", "phone_number", "number"])
def test_no_spoken_value_means_the_same_in_two_splits(name):
    pool = load_values().pools[name]
    meant = [{canonical(pool.spoken, value, NOW) for value in values} for values in (pool.train, pool.dev, pool.test)]
    assert not meant[0] & meant[1]
    assert not meant[0] & meant[2]
    assert not meant[1] & meant[2]


def test_shared_values_are_found_folded():
    assert shared_values(Pool(train=("the Mall",), dev=(), test=("mall",))) == ["mall"]


def test_a_slot_keeps_its_value_and_a_numbered_one_is_another():
    draw = Draw(POOLS, Split.TRAIN, Random(1))
    first = draw.value("city")
    assert draw.value("city") == first
    assert {first, draw.value("city_2")} == {"Rome", "Oslo"}
    assert draw.value("town") in {"Rome", "Oslo"}


def test_zipped_pools_go_together():
    pairs = {"miles": "kilometers", "feet": "meters"}
    for seed in range(6):
        draw = Draw(POOLS, Split.TRAIN, Random(seed))
        assert draw.value("unit_to") == pairs[draw.value("unit_from")]
        assert Draw(POOLS, Split.TRAIN, Random(seed)).fill("{unit_from}, {unit_to}") in (
            "miles, kilometers",
            "feet, meters",
        )


def test_a_planted_column_is_stored_as_the_phone_stores_it():
    draw = Draw(POOLS, Split.TRAIN, Random(0))
    assert draw.stored("{time}", NOW) == "07:30"
    assert draw.stored("ring at {time}", NOW) == "ring at half past seven"
    assert draw.stored(4, NOW) == 4


def test_a_person_is_planted_with_an_address_of_its_own():
    draw = Draw(POOLS, Split.TRAIN, Random(0))
    draw.value("person")
    assert draw.plants() == [
        {"table": "contacts", "id": "contact_201", "name": "Ada Moss", "email": "ada.moss@x.example"}
    ]
    assert slug("Patrick O'Neill") == "patrick.o.neill"


def test_a_slot_without_pool_says_what_to_add():
    with pytest.raises(SetupError, match=r"`\{planet\}` has no pool"):
        POOLS.pool_of("planet")


@pytest.mark.parametrize(
    ("kind", "said", "stored"),
    [("duration", "an hour and a half", 5400), ("percent", "forty percent", 40), ("money", "$12.50", "12.50"),
     ("date", "tomorrow", "2026-03-03"), ("currency", "euros", "EUR"), ("recurrence", "every day", "FREQ=DAILY"),
     ("", "as said", "as said")],
)  # fmt: skip
def test_canonical(kind, said, stored):
    assert canonical(kind, said, NOW) == stored
