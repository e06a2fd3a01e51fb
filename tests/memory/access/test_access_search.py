"""What a caller may not read is never scored: through the whole retrieval, by words and by meaning."""

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.access import AccessBook, Action, KindSetting, Role, Rule, device_access
from memory.records import Category, Kind
from memory.retrieval import Retriever
from memory.store import Embedded, MemoryStore
from tests.memory.conftest import NOW, Words


def remember(store, content, kind=Kind.LONG_TERM, **more):
    words = Words()
    embedded = Embedded(words.identity, words.embed([content])[0])
    return store.add(content, Category.INFO, kind=kind, embedded=embedded, **more)


def found(store, access, query, **more):
    evidence = Retriever(store, Words()).search(query, filter=access.filter(now=NOW, **more), limit=10)
    return {item.record.content for item in evidence.items}


def test_a_users_ten_memories_stand_behind_no_nearer_ones_of_another(store):
    for number in range(60):
        remember(store, f"parks the red car on level two every day {number}", user="ben")
    mine = {remember(store, f"parks a bicycle behind house {number}", user="anna").content for number in range(10)}
    assert found(store, device_access("anna"), "parks the red car on level two every day") == mine


def test_wishes_hold_for_words_and_for_meaning(store):
    book = AccessBook(None)
    remember(store, "parks on level two", Kind.EPISODIC, session="s1")
    remember(store, "parks on level three", Kind.EPISODIC, session="s2")
    remember(store, "parks on level nine", Kind.LONG_TERM, created_at="2025-01-01T08:00:00")
    book.set_wishes(book.device(), KindSetting(kind=Kind.EPISODIC, reuse=False))
    book.set_wishes(book.device(), KindSetting(kind=Kind.LONG_TERM, retention_days=30))
    assert found(store, book.device(session="s2"), "parks on which level") == {"parks on level three"}
    book.close()


def test_whoever_speaks_in_anothers_memory_changes_no_search(store):
    remember(store, "I painted the old boat", speaker="Mira", user="ben", session="s1")
    remember(store, "Mira painted the fence", user="anna")
    retriever = Retriever(store, Words())
    shapes = [retriever.search("What did Mira paint?", filter=device_access(user).filter(now=NOW)).query
              for user in ("anna", "ben")]  # fmt: skip
    assert [(shape.people, shape.words, shape.spoken) for shape in shapes] == [
        ((), ("mira", "paint"), "What did Mira paint?"),
        (("mira",), ("paint",), "What did I paint?"),
    ]


def test_a_rule_widens_a_search_to_one_owner(store):
    book = AccessBook(None)
    remember(store, "parks on level two", user="anna")
    remember(store, "parks on level three", user="cleo")
    admin = book.device(role=Role.ADMINISTRATOR)
    book.rule(admin, Rule(principal="user:ben", effect="allow", action=Action.READ, owner="anna"))
    assert found(store, book.device("ben"), "parks on which level", of="anna") == {"parks on level two"}
    assert found(store, book.device("ben"), "parks on which level") == set()
    book.close()


@settings(max_examples=20)
@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["tea", "car", "key"]), st.booleans()), max_size=20),
       st.sampled_from("abcd"), st.sampled_from(["tea", "car", "key car"]))  # fmt: skip
def test_nobody_finds_what_is_anothers(records, user, query):
    store = MemoryStore(None, lambda: NOW)
    for number, (owner, word, shared) in enumerate(records):
        remember(store, f"{word} number {number} of {'all' if shared else owner}", user="" if shared else owner,
                 shared=shared)  # fmt: skip
    assert all(one.endswith((f"of {user}", "of all")) for one in found(store, device_access(user), query))
    store.close()
