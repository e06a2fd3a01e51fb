"""Sharing: an experience without its owner and details, by wish alone, and taken back."""

import pytest

from memory.access import (
    KindSetting,
    Sharing,
    device_access,
)
from memory.records import Kind, Trust
from tests.memory.access.conftest import refused, remember, seen


@pytest.fixture
def sharing(store, audit):
    return Sharing(store, audit=audit)


@pytest.fixture
def anna(book):
    book.set_wishes(book.device("anna"), KindSetting(kind=Kind.LONG_TERM, sharing=True))
    return book.device("anna")


def test_a_shared_experience_has_no_owner_no_details_and_no_users_trust(store, sharing, anna, audit):
    remember(store, "Knows Okafor from school", user="anna")
    record = remember(store, "Booking for okafor to Munich fails after 6 unless the seat is chosen first", user="anna")
    shared = sharing.share(anna, record.id)
    assert shared.content == "Booking for [name] to [place] fails after [number] unless the seat is chosen first"
    assert (shared.user, shared.shared, shared.trust, shared.derived_from, shared.original) == (
        "", True, Trust.AGENT, (record.id,), "")  # fmt: skip
    assert store.get(record.id) == record
    assert shared.content in seen(store, device_access("ben"))
    assert sharing.share(anna, record.id) == shared
    assert audit.entries()[0].counts == {"details": 3}


def test_sharing_is_off_unless_the_user_wants_it(store, sharing, book):
    record = remember(store, "Choose the seat first", user="ben")
    with refused() as failure:
        sharing.share(book.device("ben"), record.id)
    assert failure.value.message == (
        "sharing of `long_term` is off for `ben`; switch it on with `pocket memory settings long_term --sharing`"
    )


def test_what_can_not_be_reduced_is_not_shared(store, sharing, anna, audit):
    record = remember(store, "Is allergic to peanuts", user="anna")
    with refused("conflict") as failure:
        sharing.share(anna, record.id)
    assert "it speaks of health" in failure.value.message
    assert store.count() == 1
    assert audit.entries()[0].event == "share_refused"


def test_others_can_not_share_it(store, sharing, anna):
    record = remember(store, "Choose the seat first", user="ben")
    with refused("not_found"):
        sharing.share(anna, record.id)


def test_external_text_stays_external(store, sharing, anna):
    record = remember(store, "Choose the seat first", user="anna", trust=Trust.EXTERNAL)
    assert sharing.share(anna, record.id).trust is Trust.EXTERNAL


def test_what_was_shared_can_be_listed_and_withdrawn_by_its_user_alone(store, sharing, anna, book):
    record = remember(store, "Choose the seat first", user="anna")
    shared = sharing.share(anna, record.id)
    assert sharing.shared_by("anna", "default") == [shared]
    assert sharing.shared_by("ben", "default") == []
    assert sharing.to_withdraw(anna, record.id) == sharing.to_withdraw(anna, shared.id) == [shared.id]
    with refused("not_found"):
        sharing.to_withdraw(book.device("ben"), shared.id)
    with refused("not_found"):
        sharing.to_withdraw(anna, "mem_9999")
