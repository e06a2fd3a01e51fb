"""Whose access is tried: an access book with its log and a clock that can be set, and an administrator."""

from datetime import UTC, datetime

import pytest

from memory.access import (
    AccessBook,
    Role,
)
from memory.audit import Audit
from memory.records import Category, Kind
from runtime.contract import ToolFailure
from tests.memory.conftest import NOW

UTC_NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class Clock:
    """A clock that can be set."""

    def __init__(self):
        self.now = UTC_NOW

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def audit(tmp_path):
    made = Audit(tmp_path / "audit.sqlite3")
    yield made
    made.close()


@pytest.fixture
def book(tmp_path, audit, clock):
    made = AccessBook(tmp_path / "access.sqlite3", audit, clock)
    yield made
    made.close()


@pytest.fixture
def admin(book):
    return book.device(role=Role.ADMINISTRATOR)


def seen(store, access, kinds=(), **more):
    return [record.content for _, record in store.records(access.filter(kinds, now=NOW, **more))]


def remember(store, content, kind=Kind.LONG_TERM, **more):
    return store.add(content, Category.INFO, kind=kind, **more)


def refused(code="permission_denied"):
    return pytest.raises(ToolFailure, check=lambda failure: failure.code == code)
