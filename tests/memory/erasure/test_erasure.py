"""Erasing: the store, traces, other users, and the receipt."""

import pytest

from memory.audit import Audit
from memory.erasure import Eraser
from memory.records import Kind
from memory.sqlite import open_database
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
    ToolFailure,
)
from runtime.contract import Episode as EpisodeRecord
from runtime.trace import TraceReader
from tests.memory.erasure.conftest import OTHER, SECRET, left_in, remember, run, tokens


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
    assert receipt.notes == ()  # else it would tell what ben said


def test_what_the_users_own_record_says_too_is_told(store, eraser):
    part, other = remember(store, "Keeps a key"), remember(store, "Keeps a key", workspace="work")
    remember(store, "Keeps a key and a pot")
    note = f"`{part.id}`: a record that stays says the same, so files aren't searched for it"
    assert eraser.forget([part.id]).notes == (note,)
    assert eraser.forget([other.id]).notes == ()


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
