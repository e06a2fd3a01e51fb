"""Erasing: every store under a home, in every form, and the receipt."""

import bz2
import gzip
import json
import sqlite3
import zlib
from datetime import UTC, datetime

import numpy as np
import pytest

from memory.access.access import device_access
from memory.access.context_files import ContextFiles
from memory.audit import Audit
from memory.erasure import Eraser
from memory.erasure.needles import forms, sequences
from memory.records import Category, Kind
from memory.sqlite import open_database
from memory.store import Embedded, MemoryStore
from runtime.contract import (
    Decision,
    Erasure,
    Finish,
    Observation,
    Segment,
    SetupError,
    Step,
    Stop,
    TaskView,
    TextPart,
    TokenTrace,
    ToolCall,
    ToolFailure,
)
from runtime.contract import Episode as EpisodeRecord
from runtime.trace import TraceReader, TraceStore
from tests.memory.conftest import NOW, Words

SECRET = 'Keeps the spare key "Quixzotl" under the blue pot'
OTHER = "Goes running on Tuesdays before work"


def tokens(text):
    """Four letters a token, so that borders move with what stands before."""
    return [zlib.crc32(text[at : at + 4].encode()) % 30_000 for at in range(0, len(text), 4)]


def embedded(text):
    words = Words()
    return Embedded(words.identity, words.embed([text])[0])


@pytest.fixture
def home(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "cache").mkdir()
    return tmp_path


@pytest.fixture
def store(home):
    made = MemoryStore(home / "data" / "memory.sqlite3", lambda: NOW)
    yield made
    made.close()


@pytest.fixture
def traces(home):
    made = TraceStore(home / "data" / "traces.sqlite3", open_database)
    yield made
    made.close()


@pytest.fixture
def eraser(home, store, traces):
    made = Eraser(home, store, sinks=(traces,), tokens=tokens, clock=lambda: datetime(2026, 3, 2, tzinfo=UTC))
    yield made
    made.close()


def remember(store, text=SECRET, **more):
    return store.add(text, Category.INFO, embedded=embedded(text), **more)


def run(traces, request="remember something", answer="done", said="", found=None, prompt=SECRET):
    """An episode with words in every place."""
    call = ToolCall(id="s0a", name="add_user_memory", arguments={"content": said or request})
    ids = tokens(prompt)
    decision = Decision(
        actions=(call,), raw=said, thought=said, prompt_ids=tuple(ids),
        tokens=tuple(TokenTrace(id=one, logprob=0, sampled_logprob=0, forced=False) for one in ids),
    )  # fmt: skip
    seen = Observation(call_id="s0a", parts=(TextPart(text=json.dumps({"content": said})),), data=found or {})
    step = Step(index=0, decision=decision, observations=(seen,))
    with traces.episode(TaskView(request=request), {"digests": {"memory": ""}}) as writer:
        writer.segment(Segment(prefix=f"<memory>{said}</memory>", exposed=("add_user_memory",)))
        writer.step(step)
        end = Step(index=1, decision=Decision(actions=(Finish(answer=answer),)))
        writer.step(end)
        segments = (Segment(prefix="", steps=(step, end)),)
        episode = EpisodeRecord(id=writer.id, view=TaskView(request=request), segments=segments, stop=Stop.FINISHED,
                                stop_detail=said, trainable="full")  # fmt: skip
        writer.close(Stop.FINISHED, said, episode)
    return writer.id


def left_in(home, text=SECRET):
    """(file, form) of all that is left of a text, looked for by the test's own means."""
    found = []
    for path in sorted(home.rglob("*")):
        if not path.is_file():
            continue
        data = path.read_bytes()
        for form, needle in forms(text).items():
            if needle in data:
                found.append((path.name, form))
        for ids in sequences(text, tokens):
            rows = [np.array(ids, kind).tobytes() for kind in ("<i4", "<i8")]
            rows += [",".join(map(str, ids)).encode(), ", ".join(map(str, ids)).encode()]
            if any(row in data for row in rows):
                found.append((path.name, "ids"))
    return found


def test_the_store_and_its_log_forget(home, store, eraser):
    record, other = remember(store), remember(store, OTHER)
    assert left_in(home)
    receipt = eraser.forget([record.id])
    assert left_in(home) == []
    assert (receipt.complete, receipt.records, receipt.left) == (True, (record.id,), ())
    assert store.get(record.id) is None
    assert store.get(other.id) == other
    assert store.matching('"quixzotl"') == {}
    assert store.check() == []


def test_an_unknown_id_is_refused(eraser):
    with pytest.raises(ToolFailure, match="there is no memory `mem_9`") as failure:
        eraser.forget(["mem_9"])
    assert failure.value.code == "not_found"


def test_what_it_replaced_and_what_was_made_of_it_go_too(home, store, eraser):
    first = remember(store)
    second = store.replace(first.id, "Keeps the spare key Quixzotl in the shed")
    summary = remember(store, "Has a spare key outside", kind=Kind.LONG_TERM, derived_from=(second.id,))
    again = remember(store, "Trusts the neighbours", kind=Kind.LONG_TERM, derived_from=(summary.id,))
    talk = remember(store, "Told me about keys", original=f"user: hi\nuser: by the way, {second.content}, all right?")
    other = remember(store, OTHER)
    receipt = eraser.forget([second.id])
    assert set(receipt.records) == {first.id, second.id, summary.id, again.id, talk.id}
    assert [record.id for _, record in store.records()] == [other.id]
    assert left_in(home) == []
    assert left_in(home, "Keeps the spare key Quixzotl in the shed") == []


def test_the_same_words_of_another_user_stay(home, store, traces, eraser):
    mine = remember(store, user="anna")
    theirs = remember(store, user="ben")
    copy = remember(store, f"Said: {SECRET}", user="ben")
    receipt = eraser.forget([mine.id])
    assert receipt.records == (mine.id,)
    assert receipt.complete
    assert store.get(theirs.id) == theirs
    assert store.get(copy.id) == copy
    assert receipt.notes == (f"`{mine.id}`: a record that stays says the same, so files aren't searched for it",)


def test_traces_lose_their_words_and_can_not_be_learned_from(home, store, traces, eraser):
    record = remember(store)
    said = run(traces, f"please remember: {SECRET.upper()}", said=SECRET)
    named = run(traces, "what did I say?", found={"items": [{"memory_id": record.id}]}, prompt="nothing of it")
    other = run(traces, "play music", prompt="nothing of it")
    before = TraceReader(traces.path, open_database).episode(other)
    receipt = eraser.forget([record.id])
    assert receipt.complete
    assert set(receipt.others) == {said, named}
    reader = TraceReader(traces.path, open_database)
    for run_id in (said, named):
        episode = reader.episode(run_id)
        assert (episode.view.request, episode.trainable, episode.stop) == ("[erased]", "none", Stop.FINISHED)
        (call,) = episode.steps[0].decision.actions
        assert (call.name, call.arguments, episode.steps[0].decision.tokens) == ("add_user_memory", {}, None)
    assert reader.episode(other) == before
    assert left_in(home) == []


def test_the_run_that_a_memory_came_from_loses_its_words(store, traces, eraser):
    source = run(traces, "the key is under the pot, you know", prompt="nothing of it")
    record = remember(store, source=source)
    assert eraser.forget([record.id]).others == (source,)


def test_an_episode_that_still_runs_writes_on_without_words(home, store, traces, eraser):
    record = remember(store)
    view = TaskView(request=f"forget this: {SECRET}")
    with traces.episode(view, {}) as writer:
        writer.segment(Segment(prefix=SECRET))
        assert eraser.forget([record.id]).others == (writer.id,)
        step = Step(index=0, decision=Decision(actions=(Finish(answer=SECRET),), prompt_ids=tuple(tokens(SECRET))))
        writer.step(step)
        writer.segment(Segment(prefix=SECRET))
        episode = EpisodeRecord(id=writer.id, view=view, stop=Stop.FINISHED, stop_detail=SECRET, trainable="full")
        writer.close(Stop.FINISHED, SECRET, episode)
    read = TraceReader(traces.path, open_database).episode(writer.id)
    assert (read.trainable, read.steps[0].decision.actions[0].answer) == ("none", "[erased]")
    assert left_in(home) == []


def test_images_of_an_erased_episode_go_unless_another_shows_them(store, traces, eraser):
    record = remember(store)
    for digest in ("aa", "bb"):
        traces.blob(digest, "image/png", b"png")

    def shown(*digests):
        image = [{"kind": "image", "digest": digest} for digest in digests]
        seen = Observation.model_validate({"call_id": "s0a", "parts": image})
        with traces.episode(TaskView(request=SECRET if "aa" in digests else "x"), {}) as writer:
            writer.segment(Segment(prefix=""))
            writer.step(Step(index=0, decision=Decision(actions=(Finish(),)), observations=(seen,)))
        return writer.id

    erased = shown("aa", "bb")
    shown("bb")
    assert eraser.forget([record.id]).others == (erased, "aa")


DATASET = [{"text": SECRET}, {"text": OTHER}, {"text": json.dumps({"inner": SECRET})}, {"ids": tokens(SECRET)}]


def plant(home):
    """Files of all kinds that hold the text or its token ids, each with something that stays."""
    data, ids = home / "data", tokens(SECRET)
    (data / "sets").mkdir()
    lines = "".join(json.dumps(row) + "\n" for row in DATASET)
    (data / "sets" / "a.jsonl").write_text(lines)
    with gzip.open(data / "sets" / "b.jsonl.gz", "wt") as file:
        file.write(lines)
    (data / "sets" / "c.json").write_text(json.dumps({"rows": DATASET, "keep": "this"}))
    (data / "sets" / "d.txt").write_text(f"before\n{SECRET}\nafter")
    (data / "sets" / "e.txt.bz2").write_bytes(bz2.compress(f"before {SECRET} after".encode()))
    (data / "sets" / "f.log").write_text(f"said {SECRET}", encoding="utf-16")
    dialogues = [[1, 2, 3], [7, *ids, 8], [4, 5]]
    flat = np.array([one for dialogue in dialogues for one in dialogue], np.int32)
    np.savez_compressed(data / "sets" / "corpus.npz", lengths=np.array([3, len(ids) + 2, 2]), ids=flat, labels=flat)
    np.save(data / "sets" / "row.npy", np.array([1, *ids, 2], np.int64))
    (data / "sets" / "raw.bin32").write_bytes(b"\xff\xfe\xfa" + np.array([1, *ids, 2], np.int32).tobytes())
    (home / "cache" / "prefix.state").write_bytes(b"\xff" + np.array(ids, np.int32).tobytes())
    results = sqlite3.connect(data / "eval.sqlite3")
    results.execute("CREATE TABLE attempts (run TEXT PRIMARY KEY, episode BLOB, diff TEXT) WITHOUT ROWID")
    episode = {"request": SECRET, "prompt_ids": ids, "trainable": "full", "stop": "finished"}
    packed = zlib.compress(json.dumps(episode).encode())
    results.execute("INSERT INTO attempts VALUES ('r1', ?, ?)", (packed, json.dumps({"after": SECRET})))
    results.execute("INSERT INTO attempts VALUES ('r2', ?, 'plain')", (zlib.compress(OTHER.encode()),))
    results.execute(f"INSERT INTO attempts VALUES ('key {SECRET.replace(chr(39), '')}', NULL, '')")
    results.commit()
    results.close()


def test_files_of_every_kind_are_cleaned_and_the_rest_of_them_stays(home, store, eraser):
    record = remember(store)
    plant(home)
    receipt = eraser.forget([record.id])
    assert (receipt.left, receipt.opaque, receipt.complete) == ((), (), True)
    assert left_in(home) == []
    sets = home / "data" / "sets"
    kept = [json.loads(line) for line in (sets / "a.jsonl").read_text().splitlines()]
    assert kept == [{"text": OTHER}]
    assert gzip.decompress((sets / "b.jsonl.gz").read_bytes()) == (sets / "a.jsonl").read_bytes()
    rows = [{"text": "[erased]"}, {"text": OTHER}, {"text": '{"inner": "[erased]"}'}, {"ids": []}]
    assert json.loads((sets / "c.json").read_text()) == {"rows": rows, "keep": "this"}
    assert (sets / "d.txt").read_text() == "before\n[erased]\nafter"
    assert bz2.decompress((sets / "e.txt.bz2").read_bytes()) == b"before [erased] after"
    assert (sets / "f.log").read_bytes().startswith("said ".encode("utf-16"))
    with np.load(sets / "corpus.npz") as corpus:
        assert corpus["lengths"].tolist() == [3, 2]
        assert corpus["ids"].tolist() == corpus["labels"].tolist() == [1, 2, 3, 4, 5]
    row = np.load(sets / "row.npy")
    assert (row[0], row[-1], 0 in row) == (1, 2, True)
    assert not (home / "cache" / "prefix.state").exists()
    results = sqlite3.connect(home / "data" / "eval.sqlite3")
    found = dict(results.execute("SELECT run, episode FROM attempts").fetchall())
    assert set(found) == {"r1", "r2"}
    assert json.loads(zlib.decompress(found["r1"])) == {
        "request": "[erased]", "prompt_ids": None, "trainable": "none", "stop": "finished"}  # fmt: skip
    assert zlib.decompress(found["r2"]) == OTHER.encode()
    assert {one.store for one in receipt.stores} >= {"data/memory.sqlite3", "data/traces.sqlite3", "data/eval.sqlite3",
                                                     "data/sets", "data/erasures.sqlite3"}  # fmt: skip


def test_free_pages_of_other_databases_are_overwritten(home, store, eraser):
    record = remember(store)
    results = sqlite3.connect(home / "data" / "eval.sqlite3")
    results.execute("PRAGMA secure_delete=OFF")
    results.execute("CREATE TABLE rows (text TEXT)")
    results.execute("INSERT INTO rows VALUES (?)", (SECRET,))
    results.commit()
    results.execute("DELETE FROM rows")
    results.commit()
    results.close()
    assert left_in(home / "data", SECRET)
    assert eraser.forget([record.id]).complete
    assert left_in(home) == []


def test_a_long_text_is_found_in_pieces(home, store, eraser):
    long = "\n".join(f"turn {number}: something that was said in the kitchen on day {number}" for number in range(40))
    record = remember(store, "A long talk in the kitchen", original=long)
    (home / "data" / "part.txt").write_text(long[200:600])
    receipt = eraser.forget([record.id])
    assert receipt.complete
    assert "was said in the kitchen on day 6" not in (home / "data" / "part.txt").read_text()


@pytest.mark.parametrize("text", ["Tea", "default", "Vegetarian"])
def test_a_short_text_or_a_plain_word_goes_by_its_id(home, store, traces, eraser, text):
    record = remember(store, text)
    named = run(traces, "what is it?", found={"items": [{"memory_id": record.id}]}, prompt="nothing of it")
    run(traces, f"the {text} setting, please", prompt="nothing of it")
    (home / "data" / "song.txt").write_text(f"{text} for two")
    receipt = eraser.forget([record.id])
    assert receipt.others == (named,)
    assert receipt.complete
    assert store.get(record.id) is None
    assert receipt.notes == (f"`{record.id}`: too short to be searched for among bytes; it went by its id alone",)
    assert (home / "data" / "song.txt").read_text() == f"{text} for two"


def test_what_can_not_be_changed_is_named_and_the_receipt_is_not_complete(home, store, eraser):
    record = remember(store)
    (home / "data" / "model.gguf").write_bytes(b"GGUF" + SECRET.encode())
    (home / "data" / "table.parquet").write_bytes(b"PAR1")
    receipt = eraser.forget([record.id])
    assert not receipt.complete
    assert [(one.path, one.forms) for one in receipt.left] == [("data/model.gguf", ("utf-8",))]
    assert [one.path for one in receipt.opaque] == ["data/table.parquet"]
    assert store.get(record.id) is None
    assert eraser.resume() == []


def test_checkpoints_that_had_used_the_data_are_named(home, store, traces, eraser, tmp_path_factory):
    record = remember(store)
    run_id = run(traces, said=SECRET)
    installed = tmp_path_factory.mktemp("checkpoints")
    for name, data in (("a", [{"name": "traces", "episodes": [run_id]}]), ("b", [{"name": "core"}])):
        (installed / name).mkdir()
        (installed / name / "manifest.json").write_text(json.dumps({"name": name, "data": data}))
    eraser._checkpoints.append(installed)
    (found,) = eraser.forget([record.id]).trained
    assert (found.checkpoint, found.used) == ("a", (run_id,))


def test_context_files_that_show_it_are_deleted(home, store, eraser):
    record = remember(store, user="anna")
    remember(store, user="ben")  # says the same, and keeps its own context file
    files = ContextFiles(home / "data" / "context", store)
    anna, ben = files.write(device_access("anna")), files.write(device_access("ben"))
    receipt = eraser.forget([record.id])
    assert receipt.complete
    assert (anna.exists(), ben.exists()) == (False, True)


@pytest.mark.parametrize("few", [4, 64])
def test_all_of_one_user_goes_and_nothing_of_the_others(home, store, eraser, monkeypatch, few):
    """Many records are looked for in other ways than few."""
    monkeypatch.setattr("memory.erasure.plan.FEW", few)
    for user in ("anna", "ben", "cleo"):
        for number in range(30):
            remember(store, f"{user} has planned trip number {number} to the coast", user=user)
    shared = remember(store, "Trips to the coast need a booking", user="", shared=True, derived_from=("mem_0001",))
    others = [record for _, record in store.records() if record.user in ("ben", "cleo")]
    receipt = eraser.forget_user("anna")
    assert receipt.complete
    assert len(receipt.records) == 31
    assert shared.id in receipt.records
    assert [record for _, record in store.records()] == others
    assert all(left_in(home, f"anna has planned trip number {number} to the coast") == [] for number in range(30))
    assert left_in(home, "ben has planned trip number 7 to the coast")


def test_one_workspace_of_a_user(store, eraser):
    here, there = remember(store, workspace="home"), remember(store, OTHER, workspace="work")
    assert eraser.forget_user("user", "home").records == (here.id,)
    assert store.get(there.id) == there


def test_the_journal_and_the_log_hold_no_text(home, store, traces):
    audit = Audit(home / "data" / "audit.sqlite3")
    eraser = Eraser(home, store, sinks=(traces,), tokens=tokens, audit=audit)
    record = remember(store)
    eraser.forget([record.id], by="user:anna")
    assert [entry.event for entry in audit.entries()] == ["erased", "erasure_begun"]
    assert left_in(home) == []
    assert audit.verify() == []
    audit.close()
    eraser.close()


def test_the_same_erasure_again_gives_the_same_receipt(store, eraser):
    record = remember(store)
    erasure = eraser.erasure([record.id], "user:user")
    assert eraser.erase(erasure) == eraser.erase(erasure)


def test_the_contracts_record_drives_it(store, traces, eraser):
    run_id = run(traces, "something private", prompt="nothing of it")
    erasure = Erasure(id="e1", subject="user:user", targets=(run_id,), requested_at="2026-03-02T09:00:00+00:00")
    receipt = eraser.erase(erasure)
    assert (receipt.others, receipt.records, receipt.complete) == ((run_id,), (), True)


def test_without_a_vocabulary_the_receipt_says_so(home, store):
    def missing(text):
        raise SetupError("the planner's base file is missing. Install the package.")

    for tokens_of, why in ((None, "no vocabulary was given"), (missing, "the planner's base file is missing.")):
        eraser = Eraser(home, store, tokens=tokens_of)
        receipt = eraser.forget([remember(store).id])
        assert receipt.complete
        assert receipt.notes[0].startswith(f"token ids weren't searched for: {why}")
        eraser.close()
