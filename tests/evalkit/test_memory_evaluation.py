"""An evaluation of memory: figures, checkpoints, answers and judgements over HTTP, causes of failures."""

import json
import threading

import pytest
from typer.testing import CliRunner

from evalkit.cli import app
from evalkit.memory.answering import Asker, history
from evalkit.memory.artifacts import Log
from evalkit.memory.dataset import Question, Sample, Turn, load
from evalkit.memory.evaluation import Plan, evaluate
from evalkit.memory.figures import Outcome, evidence_figures
from evalkit.memory.searching import searched
from evalkit.text_model import EndpointModel
from memory.retrieval import EvidenceSet, shape_of
from runtime.contract import CancelToken, InfrastructureError, UserError
from runtime.planner.settings import PlannerSettings
from tests.chat import chat_server
from tests.evalkit.test_memory_sets import LOCOMO
from tests.memory.conftest import Words


@pytest.fixture
def dataset(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path / "home"))
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps(LOCOMO))
    return load("locomo", path)


def answer(body):
    """Answers with what the lines say of a cat; judges by the word cat; says nothing readable about "When"."""
    words = body["messages"][-1]["content"]
    if body["model"] == "judge":
        return "hm" if "When?" in words else "right" if "Answer: a cat" in words else "wrong"
    return "a cat" if "grey cat" in words else "not known"


@pytest.fixture
def chat():
    with chat_server(answer) as server:
        yield server


@pytest.fixture
def url(chat):
    return chat.url


def asker(url, mode="harness", budget=1000):
    settings = PlannerSettings(retries=0)
    answerer, judge = EndpointModel(f"{url}#answerer", settings), EndpointModel(f"{url}#judge", settings)
    return Asker(mode, budget, answerer, "answerer", judge, "judge")


def test_evidence_without_a_judge(dataset):
    report = evaluate(Plan(dataset, Words()))
    assert (report["questions"], report["recall_at_10"], report["mrr"]) == (2, 1.0, 1.0)
    assert set(report["by_category"]) == {"single-hop", "temporal"}
    assert (report["repaired_evidence_ids"], report["unknown_evidence_ids"]) == (1, 1)
    assert report["ingestion"]["turns"] == 2 and report["complete"]
    assert len(report["config_digest"]) == 16


def test_evidence_that_capture_left_out(dataset):
    (sample,) = dataset.samples
    courtesy = sample.turns[0].model_copy(update={"text": "Hello!"})
    changed = sample.model_copy(update={"turns": (courtesy, *sample.turns[1:])})
    report = evaluate(Plan(dataset.model_copy(update={"samples": (changed,), "fingerprint": "other"}), Words()))
    assert (report["evidence_not_stored"], report["ingestion"]["skipped"]) == (1, 1)
    assert report["missed_at_10"] == {"memory_construction": 1, "evidence": 0}


def test_what_was_done_is_not_done_again(dataset, monkeypatch):
    first = evaluate(Plan(dataset, Words()))
    embedder = Words()
    again = evaluate(Plan(dataset, embedder))
    assert again == first and embedder.texts == []
    assert evaluate(Plan(dataset, embedder, fresh=True))["recall_at_10"] == 1.0
    assert embedder.texts != []


def test_a_kill_in_the_middle_loses_one_question(dataset, tmp_path):
    report = evaluate(Plan(dataset, Words()))
    log = next((tmp_path / "home").rglob("retrieval.jsonl"))
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[:2]) + lines[2][:40])
    again = evaluate(Plan(dataset, Words()))
    assert {**again, "query_cpu_ms": 0} == {**report, "query_cpu_ms": 0}
    assert len(log.read_text().splitlines()) == 4


def test_a_cancelled_run_says_so_and_goes_on(dataset):
    cancel = CancelToken()
    cancel.cancel()
    assert not evaluate(Plan(dataset, Words()), cancel=cancel)["complete"]
    assert evaluate(Plan(dataset, Words()))["complete"]


def test_a_snapshot_that_was_changed_is_made_anew(dataset, tmp_path):
    report = evaluate(Plan(dataset, Words()))
    store = next((tmp_path / "home").rglob("0000.sqlite3"))
    store.write_bytes(b"")
    assert evaluate(Plan(dataset, Words()))["ingestion"]["snapshots"] == report["ingestion"]["snapshots"]


def test_answers_and_judgements(dataset, chat):
    report = evaluate(Plan(dataset, Words(), asker(chat.url)))["answers"]
    assert report["questions"] == 4
    assert report["failures"]["scoring"] == 1  # "When?" is judged in words that can't be read
    assert (report["valid"], report["coverage"]) == (3, 0.75)
    assert report["end_to_end_accuracy"] == round(report["protocol_accuracy"] * 3 / 4, 4)
    judged = [body["messages"][-1]["content"] for _, body in chat.requests if body["model"] == "judge"]
    assert judged and all("grey cat" not in words for words in judged)


def test_matched_pairs_under_one_budget(dataset, url):
    direct = evaluate(Plan(dataset, Words(), asker(url, "direct")))
    assert direct["answers"]["mode"] == "direct" and direct["paired"] == {"other": "harness", "pairs": 0}
    harness = evaluate(Plan(dataset, Words(), asker(url)))
    assert harness["paired"]["other"] == "direct" and harness["paired"]["pairs"] == 3
    assert harness["run"] == direct["run"]


def test_the_earliest_history_is_cut():
    turns = tuple(Turn(id=str(n), session="s", order=n, speaker="Ann", text="x" * 20) for n in range(4))
    lines, cut = history(Sample(id="1", turns=turns, questions=()), budget=16)
    assert (len(lines), cut) == (2, ["0", "1"])


def test_an_endpoint_that_is_away_is_infrastructure_and_tried_again(dataset, url):
    away = evaluate(Plan(dataset, Words(), asker("http://127.0.0.1:9/v1")))["answers"]
    assert (away["coverage"], away["failures"]["infrastructure"]) == (0.0, 4)
    back = asker(url)
    assert evaluate(Plan(dataset, Words(), back))["answers"]["answer_retries"] == 4


def test_the_command(dataset, tmp_path, monkeypatch):
    monkeypatch.setattr("runtime.wiring.open_embedder", Words)
    args = ["memory", "--format", "locomo", str(tmp_path / "locomo.json")]
    report = json.loads(CliRunner().invoke(app, [*args, "--json"], catch_exceptions=False).stdout)
    assert (report["recall_at_10"], report["format"], report["complete"]) == (1.0, "locomo", True)
    assert "single-hop" in CliRunner().invoke(app, args, catch_exceptions=False).stdout


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--mode", "both"], "it is `direct` or `harness`"),
        (["--mode", "direct"], "needs someone who answers"),
        (["--judge", "http://x/v1#m"], "has nothing to judge"),
    ],
)
def test_wrong_use_of_the_command(dataset, tmp_path, more, message):
    args = ["memory", "--format", "locomo", str(tmp_path / "locomo.json"), *more]
    error = CliRunner().invoke(app, args).exception
    assert isinstance(error, UserError) and message in str(error)


def question(**more):
    return Question(**{"id": "q", "text": "Which pet?", "category": "c", "evidence": ("1",), **more})


def test_a_search_that_fails_and_then_succeeds_is_a_recovery(tmp_path):
    log, answers = Log(tmp_path / "log.jsonl"), iter([InfrastructureError("away"), None])

    def search(text):
        if (error := next(answers)) is not None:
            raise error
        return EvidenceSet(query=shape_of(text))

    line = searched(question(), "1", search, log)
    assert (line["status"], line["tries"]) == ("recovered", 2)
    assert evidence_figures([Outcome(question(), line)])["search_recoveries"] == 1


def test_a_search_that_only_failed_is_tried_again_at_the_next_run(tmp_path):
    def away(text):
        raise InfrastructureError("away")

    log = Log(tmp_path / "log.jsonl")
    assert searched(question(), "1", away, log)["status"] == "failed"
    line = searched(question(), "1", lambda text: EvidenceSet(query=shape_of(text)), Log(tmp_path / "log.jsonl"))
    assert (line["status"], line["tries"]) == ("recovered", 4)


@pytest.mark.parametrize(
    ("fields", "cause"),
    [
        ({"search": {"status": "failed"}}, "infrastructure"),
        ({"said": {"status": "failed"}}, "infrastructure"),
        ({"verdict": {"status": "unreachable"}}, "infrastructure"),
        ({"verdict": {"status": "unreadable"}}, "scoring"),
        ({"verdict": {"status": "ok", "score": 1.0}}, None),
        ({"verdict": {"status": "ok", "score": 0.0}, "lost": frozenset("1")}, "memory_construction"),
        ({"verdict": {"status": "ok", "score": 0.0}, "hidden": frozenset("1")}, "evidence"),
        ({"verdict": {"status": "ok", "score": 0.0}}, "answer"),
    ],
)
def test_what_a_failure_is_put_down_to(fields, cause):
    assert Outcome(question(), **fields).blame() == cause


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("retrieval", {"key": "0000/LINE"}),
        ("retrieval", {"key": "0000/LINE", "status": "ok", "tries": 1, "ranks": None, "shown": [], "note": ""}),
        ("retrieval", ["0000/LINE"]),
        ("ingestion", {"key": "0000"}),
        ("ingestion", {"key": "0000", "sample": "conv-1", "fingerprint": "0"}),
    ],
)
def test_a_line_that_was_damaged_is_done_again_and_told(dataset, tmp_path, caplog, file, line):
    report = evaluate(Plan(dataset, Words()))
    log = next((tmp_path / "home").rglob(f"{file}.jsonl"))
    first, *others = log.read_text().splitlines(keepends=True)
    put = json.dumps(line).replace("0000/LINE", json.loads(first)["key"])
    log.write_text(f"{put}\n{{[\n{''.join(others)}")
    again = evaluate(Plan(dataset, Words()))
    assert {**again, "query_cpu_ms": 0} == {**report, "query_cpu_ms": 0}
    assert f"`{log}` has 2 damaged lines" in caplog.text
    assert len(log.read_text().splitlines()) == len(others) + 3


@pytest.mark.parametrize(
    "damage", [b"no database at all, whatever it is called" * 50, b"SQLite format 3\0" + b"x" * 8000]
)
def test_a_snapshot_that_was_damaged_is_made_anew(dataset, tmp_path, damage):
    report = evaluate(Plan(dataset, Words()))
    next((tmp_path / "home").rglob("0000.sqlite3")).write_bytes(damage)
    assert evaluate(Plan(dataset, Words()))["ingestion"]["snapshots"] == report["ingestion"]["snapshots"]


def test_a_snapshot_whose_pages_were_damaged_is_made_anew(dataset, tmp_path):
    report = evaluate(Plan(dataset, Words()))
    store = next((tmp_path / "home").rglob("0000.sqlite3"))
    data = bytearray(store.read_bytes())
    data[4096 * 2 :] = bytes(len(data) - 4096 * 2)
    store.write_bytes(data)
    assert evaluate(Plan(dataset, Words()))["ingestion"]["snapshots"] == report["ingestion"]["snapshots"]


@pytest.mark.parametrize("hangs", ["answerer", "judge"])
def test_a_cancel_ends_the_wait_for_an_endpoint_and_keeps_nothing_of_it(dataset, hangs):
    cancel, over = CancelToken(), threading.Event()

    def reply(body):
        if body["model"] != hangs:
            return "a cat"
        cancel.cancel()
        over.wait(60)
        return "right"

    with chat_server(reply) as server:
        report = evaluate(Plan(dataset, Words(), asker(server.url)), cancel=cancel)
        over.set()
    assert (report["complete"], report["answers"]["questions"]) == (False, 0)
    with chat_server(answer) as server:
        assert evaluate(Plan(dataset, Words(), asker(server.url)))["answers"]["failures"]["infrastructure"] == 0
