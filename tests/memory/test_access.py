"""Access: roles, rules, tokens, settings, sharing, and the filter that all of it becomes."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.access import (
    Access,
    AccessBook,
    Action,
    ContextFiles,
    KindSetting,
    Role,
    Rule,
    Sharing,
    device_access,
    outlived,
)
from memory.access.rights import ALLOWED
from memory.audit import Audit
from memory.records import Category, Kind, Trust
from memory.store import MemoryStore
from runtime.contract import ToolFailure, UserError
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
def store():
    made = MemoryStore(None, lambda: NOW)
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


# scopes


def test_each_user_sees_their_own_and_what_is_shared(store):
    remember(store, "of anna", user="anna")
    remember(store, "of ben", user="ben")
    remember(store, "of all", user="", shared=True)
    assert seen(store, device_access("anna")) == ["of anna", "of all"]
    assert seen(store, device_access("ben")) == ["of ben", "of all"]
    assert seen(store, device_access("cleo")) == ["of all"]


def test_a_workspace_ends_at_its_border(store):
    remember(store, "at home", workspace="home")
    remember(store, "shared at home", workspace="home", user="", shared=True)
    assert seen(store, device_access(workspace="work")) == []


def test_an_agent_sees_its_own_records_and_those_of_no_agent(store):
    for agent in ("", "planner", "mailer"):
        remember(store, f"through {agent or 'none'}", agent=agent)
    access = Access(role=Role.AGENT, agent="planner")
    assert seen(store, access) == ["through none", "through planner"]
    other = store.records(device_access().filter())
    assert len(list(other)) == 3


def test_a_foreign_record_is_not_even_found(store):
    record = remember(store, "of ben", user="ben")
    with refused("not_found"):
        device_access("anna").require(Action.DELETE, record)


# roles and rules


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("action", list(Action))
def test_nothing_is_allowed_unless_the_role_says_so(store, role, action):
    record = remember(store, "own")
    assert Access(role=role).may(action, record) == bool({(action, "own"), (action, "workspace")} & ALLOWED[role])


def test_an_administrator_deletes_and_does_not_read(store):
    record = remember(store, "of anna", user="anna")
    admin = Access(role=Role.ADMINISTRATOR, user="root")
    admin.require(Action.DELETE, record)
    with refused():
        admin.filter()
    assert not admin.may(Action.READ, record)


def test_maintenance_deletes_nothing(store):
    record = remember(store, "own")
    with refused() as failure:
        Access(role=Role.MAINTAINER).require(Action.DELETE, record)
    assert failure.value.message == (
        "`maintainer` may not delete `mem_0001` in workspace `default`; ask an administrator for a rule"
    )


def test_a_rule_opens_one_type_of_one_owner(store, book, admin):
    remember(store, "lesson of anna", user="anna")
    remember(store, "habit of anna", Kind.USER_MODEL, user="anna")
    book.rule(admin, Rule(principal="user:ben", effect="allow", action=Action.READ, kind=Kind.LONG_TERM, owner="anna"))
    ben = book.device("ben")
    assert seen(store, ben, of="anna") == ["lesson of anna"]
    assert seen(store, ben) == []
    with refused():
        book.device("cleo").filter(of="anna")
    with refused():
        ben.filter((Kind.USER_MODEL,), of="anna")


def test_a_rule_that_denies_wins(store, book, admin):
    remember(store, "habit", Kind.USER_MODEL)
    remember(store, "lesson")
    for effect in ("deny", "allow"):
        book.rule(admin, Rule(principal="role:agent", effect=effect, action=Action.READ, kind=Kind.USER_MODEL))
    agent = book.device(role=Role.AGENT)
    assert seen(store, agent) == ["lesson"]
    assert seen(store, book.device()) == ["habit", "lesson"]
    assert seen(store, agent, (Kind.USER_MODEL,)) == []
    remember(store, "shared", Kind.USER_MODEL, user="", shared=True)
    assert seen(store, agent, (Kind.USER_MODEL,)) == ["shared"]


def test_a_rule_ends_or_is_taken_back(store, book, admin):
    remember(store, "of anna", user="anna")
    given = {"principal": "user:ben", "effect": "allow", "action": Action.READ, "owner": "anna"}
    past = (datetime.now(UTC) - timedelta(seconds=1)).isoformat(timespec="seconds")
    book.rule(admin, Rule(**given, expires_at=past))
    with refused():
        book.device("ben").filter(of="anna")
    rule = book.rule(admin, Rule(**given))
    assert seen(store, book.device("ben"), of="anna") == ["of anna"]
    book.revoke_rule(admin, rule.id)
    with refused():
        book.device("ben").filter(of="anna")
    with pytest.raises(UserError, match="there is no rule `nope`"):
        book.revoke_rule(admin, "nope")


def test_only_who_may_manage_changes_rules_and_tokens(book, admin):
    rule = Rule(principal="user:ben", effect="allow", action=Action.READ, owner="anna")
    for access in (book.device("ben"), book.device("ben", role=Role.AGENT)):
        with refused():
            book.rule(access, rule)
        with refused():
            book.create_token(access, "mine", Role.ADMINISTRATOR)
    with pytest.raises(UserError, match="a rule's principal is"):
        book.rule(admin, rule.model_copy(update={"principal": "ben"}))


# tokens


def test_a_token_is_shown_once_and_kept_as_a_salted_hash(book, admin, tmp_path):
    made = book.create_token(admin, "mail service", Role.AGENT, user="anna", agent="mailer")
    access = book.enter(made.secret, session="s1")
    assert (access.role, access.user, access.agent, access.session, access.token) == (
        Role.AGENT, "anna", "mailer", "s1", made.token.id)  # fmt: skip
    secret = made.secret.split("_", 2)[2].encode()
    assert len(secret) == 43
    assert not any(secret in path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert made.secret not in repr(made)


def test_two_tokens_of_the_same_secret_would_have_different_hashes(book, admin):
    for name in ("a", "b"):
        book.create_token(admin, name, Role.READER)
    rows = book._database.execute("SELECT salt, hash FROM tokens").fetchall()
    assert len({row[0] for row in rows}) == len({row[1] for row in rows}) == 2


@pytest.mark.parametrize("wrong", ["", "pkm", "pkm_x_y", "{id}", "{secret}x", "pkm_{id}_", "other_{id}_x", "{secret}_"])
def test_a_wrong_token_is_refused_with_one_sentence(book, admin, audit, wrong):
    made = book.create_token(admin, "service", Role.AGENT)
    with pytest.raises(ToolFailure, match=r"^this token isn't good; ask an administrator for a new one$"):
        book.enter(wrong.format(id=made.token.id, secret=made.secret))
    assert audit.entries()[0].event == "token_refused"


def test_a_token_ends_and_can_be_revoked(book, admin, clock):
    short = book.create_token(admin, "short", Role.AGENT, days=1)
    revoked = book.create_token(admin, "revoked", Role.AGENT)
    book.revoke_token(admin, revoked.token.id)
    book.enter(short.secret)
    clock.now += timedelta(days=1)
    for secret in (short.secret, revoked.secret):
        with refused():
            book.enter(secret)
    assert {token.name: token.revoked_at for token in book.tokens.all()} == {
        "short": None, "revoked": "2026-03-02T09:00:00+00:00"}  # fmt: skip
    with pytest.raises(UserError, match="there is no token `nope`"):
        book.revoke_token(admin, "nope")


def test_a_token_is_good_for_its_user_alone(book, admin, audit):
    made = book.create_token(admin, "service", Role.AGENT, user="anna")
    with refused():
        book.enter(made.secret, user="ben")
    assert audit.entries()[0].event == "denied"
    anybody = book.create_token(admin, "gateway", Role.AGENT)
    assert book.enter(anybody.secret, user="ben").user == "ben"
    nobody = book.enter(anybody.secret)
    with refused():
        nobody.require(Action.CREATE)


@pytest.mark.parametrize("days", [0, 731])
def test_a_token_has_an_end(book, admin, days):
    with pytest.raises(UserError, match=f"good for 1 to 730 days, not for {days}"):
        book.create_token(admin, "service", Role.AGENT, days=days)


def test_an_administrators_token_manages(book, admin, audit):
    made = book.create_token(admin, "operator", Role.ADMINISTRATOR, user="root")
    operator = book.enter(made.secret)
    book.create_token(operator, "reader", Role.READER, user="anna")
    assert [entry.event for entry in audit.entries()] == ["token_created", "token_created"]
    assert audit.verify() == []


# settings


def test_what_is_not_reused_counts_in_its_session_alone(store, book):
    user = book.device("anna", session="s2")
    remember(store, "said in s1", Kind.EPISODIC, user="anna", session="s1")
    remember(store, "said in s2", Kind.EPISODIC, user="anna", session="s2")
    remember(store, "lesson of s1", user="anna", session="s1")
    remember(store, "of all", Kind.EPISODIC, user="", shared=True, session="s1")
    book.set_wishes(user, KindSetting(kind=Kind.EPISODIC, reuse=False))
    assert seen(store, book.device("anna", session="s2")) == ["said in s2", "lesson of s1", "of all"]
    assert seen(store, book.device("anna")) == ["lesson of s1", "of all"]


def test_what_has_outlived_its_retention_is_not_found_and_is_named_for_erasing(store, book):
    old = remember(store, "old", Kind.EPISODIC, user="anna", created_at="2026-01-31T08:00:00")
    remember(store, "new", Kind.EPISODIC, user="anna", created_at="2026-02-01T09:00:00")
    remember(store, "old of ben", Kind.EPISODIC, user="ben", created_at="2026-01-01T09:00:00")
    before = book.set_wishes(book.device("anna"), KindSetting(kind=Kind.EPISODIC, retention_days=29))
    assert before == KindSetting(kind=Kind.EPISODIC)
    assert seen(store, book.device("anna")) == ["new"]
    assert outlived(store, book.settings, NOW) == {("anna", "default"): [old.id]}


def test_another_owners_wishes_hold_for_whom_a_rule_lets_in(store, book, admin):
    remember(store, "said in s1", Kind.EPISODIC, user="anna", session="s1")
    book.set_wishes(book.device("anna"), KindSetting(kind=Kind.EPISODIC, reuse=False))
    book.rule(admin, Rule(principal="user:ben", effect="allow", action=Action.READ, owner="anna"))
    assert seen(store, book.device("ben", session="s9"), of="anna") == []


def test_wishes_of_others_need_an_administrator(book, admin):
    setting = KindSetting(kind=Kind.EPISODIC, retention_days=1)
    with refused():
        book.set_wishes(book.device("anna"), setting, user="ben")
    book.set_wishes(admin, setting, user="ben")
    assert book.settings.of("ben", "default") == (setting,)


# sharing


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
    assert failure.value.message == ("sharing of `long_term` is off for `ben`; switch it on in the settings of memory")


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


# context files


@pytest.fixture
def files(tmp_path, store):
    return ContextFiles(tmp_path / "context", store)


def test_a_context_file_holds_what_is_known_with_its_version(store, files):
    remember(store, "Prefers window seats", Kind.USER_MODEL, importance=0.9)
    remember(store, "A talk", Kind.EPISODIC)
    remember(store, "of ben", Kind.USER_MODEL, user="ben")
    path = files.write(device_access())
    kept = files.read(device_access())
    assert [item.content for item in kept.items] == ["Prefers window seats"]
    assert kept.text() == "- Prefers window seats (mem_0001, user, since 2026-03-02)"
    assert "user" not in path.name
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("change", ["add", "replace", "remove", "archive"])
def test_a_stale_file_is_refused_with_both_versions(store, files, change):
    record = remember(store, "Prefers window seats", Kind.USER_MODEL)
    files.write(device_access())
    was = files.read(device_access()).version
    {
        "add": lambda: remember(store, "Likes tea", Kind.USER_MODEL),
        "replace": lambda: store.replace(record.id, "Prefers aisle seats"),
        "remove": lambda: store.remove(record.id),
        "archive": lambda: store.archive([record.id]),
    }[change]()
    now = files.current(device_access()).version
    assert now != was
    with refused("conflict") as failure:
        files.read(device_access())
    assert f"has version {was}; the memory is at version {now}" in failure.value.message
    assert files.refresh(device_access())
    assert files.read(device_access()).version == now
    assert not files.refresh(device_access())


def test_an_edited_or_damaged_file_is_refused(store, files):
    remember(store, "Prefers window seats", Kind.USER_MODEL)
    path = files.write(device_access())
    path.write_text(path.read_text().replace("window", "aisle"))
    with refused("conflict") as failure:
        files.read(device_access())
    assert "edited by hand" in failure.value.message
    path.write_text("{")
    with refused("conflict"):
        files.read(device_access())


def test_a_scope_without_a_file(files):
    with refused("not_found"):
        files.read(device_access())
    assert not files.refresh(device_access())
