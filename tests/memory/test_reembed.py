"""A change of model, and embeddings that failed: every record is found meanwhile, and gets its vector in the end."""

import threading

import pytest

from memory.records import Category
from memory.reembed import FEW, Background, Backlog, Reembedder
from memory.store import Embedded, Filter, MemoryStore
from memory.vectors import VectorIndex
from runtime.contract import CancelToken
from tests.memory.conftest import NOW, Words


@pytest.fixture
def store(tmp_path):
    opened = MemoryStore(tmp_path / "memory.sqlite3", lambda: NOW)
    old = Words("old model")
    for number in range(70):
        text = f"fact {'abcdefghij'[number // 10]} {'abcdefghij'[number % 10]}"
        opened.add(text, Category.INFO, embedded=Embedded(old.identity, old.embed([text])[0]))
    yield opened
    opened.close()


def test_all_records_get_vectors_of_the_new_model(store):
    words = Words("new model")
    work = Reembedder(store, words)
    assert work.left() == 70
    assert (done := work.run()).left == 0
    assert (done.embedded, done.failed) == (70, 0)
    assert len(store.vectors("new model")) == 70
    assert store.vectors("old model") == []
    assert work.run().embedded == 0


def test_the_newest_come_first_and_keywords_serve_meanwhile(store):
    work = Reembedder(store, Words("new model"), batch=10)
    work.step()
    index = VectorIndex(store, "new model", Words.dimension)
    index.refresh()
    assert sorted(seq for seq, _ in store.vectors("new model")) == list(range(61, 71))
    assert len(index.lacking) == 60
    assert set(store.matching('"fact"', Filter(), 100)) == set(range(1, 71))
    while work.step():
        pass
    index.refresh()
    assert index.lacking == set()


class Choosy(Words):
    """Fails on every batch that holds one text."""

    def embed(self, texts):
        if any("a c" in text for text in texts):
            raise RuntimeError("this text is too much for me")
        return super().embed(texts)


def test_a_text_that_can_not_be_embedded_hides_no_other(store):
    done = Reembedder(store, Choosy("new model")).run()
    assert (done.embedded, done.failed, done.left) == (69, 1, 1)
    assert store.without_vector("new model", 9) == [(3, "fact a c")]
    assert set(store.matching('"fact" AND "a" AND "c"')) == {3, 21}
    done = Reembedder(store, Words("new model")).run()
    assert (done.embedded, done.failed, done.left) == (1, 0, 0)


def test_an_embedder_that_is_out_of_order_is_left_alone(store):
    words = Words("new model")
    words.broken = True
    done = Reembedder(store, words, batch=5).run()
    assert (done.embedded, done.failed, done.left) == (0, 15, 70)


def test_vectors_of_the_wrong_size_are_not_kept(store):
    words = Words("new model")
    words.dimension = 64
    wrong = Words("new model")
    wrong.embed = lambda texts: words.embed(texts)[:, :32]
    assert Reembedder(store, wrong, batch=70).run().embedded == 0


def test_it_stops_when_it_is_told_to(store):
    cancel = CancelToken()
    cancel.cancel()
    assert Reembedder(store, Words("new model")).run(cancel).left == 70


class Gated(Words):
    """Waits before each batch until it is let go."""

    def __init__(self, identity):
        super().__init__(identity)
        self.reached, self.gate = threading.Event(), threading.Event()

    def embed(self, texts):
        self.reached.set()
        self.gate.wait(60)
        return super().embed(texts)


def test_in_the_background_writers_and_readers_go_on(store, tmp_path):
    words = Gated("new model")
    work = Background(tmp_path / "memory.sqlite3", words).start()
    assert words.reached.wait(60)
    late = store.add("written meanwhile", Category.INFO)
    assert store.get(late.id) == late
    assert list(store.matching('"meanwhile"')) == [71]
    words.gate.set()
    assert work.wait(60)
    assert (work.done.embedded, work.done.left) == (70, 1)  # what came meanwhile is for the next run
    assert Reembedder(store, words).run().embedded == 1


def test_a_background_that_is_stopped_keeps_what_it_did(store, tmp_path):
    words = Gated("new model")
    work = Background(tmp_path / "memory.sqlite3", words).start()
    assert words.reached.wait(60)
    threading.Timer(0.2, words.gate.set).start()
    work.stop()
    assert work.done.embedded + work.done.left == 70
    assert len(store.vectors("new model")) == work.done.embedded


def test_a_search_embeds_a_few_itself_and_leaves_many_to_a_thread(store):
    backlog = Backlog(store, Words("new model"))
    assert backlog.at_once(FEW)
    assert backlog.work is None
    assert not backlog.at_once(FEW + 1)
    assert backlog.work.wait(60)
    assert (backlog.work.done.embedded, backlog.work.done.left) == (70, 0)
    first = backlog.work
    assert not backlog.at_once(FEW + 1)  # more came
    assert backlog.work is not first
    backlog.close()


def test_a_thread_that_tried_in_vain_is_not_started_again(store):
    words = Words("new model")
    words.broken = True
    backlog = Backlog(store, words)
    assert not backlog.at_once(70)
    first = backlog.work
    assert first.wait(60)
    assert not backlog.at_once(70)
    assert backlog.work is first


def test_a_store_in_memory_has_no_thread():
    store = MemoryStore(None, lambda: NOW)
    assert Backlog(store, Words()).at_once(1000)
    store.close()
