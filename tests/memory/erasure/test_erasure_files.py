"""Erasing in files of every kind under a home: what is cleaned, what stays, what can only be named."""

import bz2
import gzip
import html
import json
import lzma
import sqlite3
import zlib
from base64 import b64encode
from urllib.parse import quote, quote_plus

import numpy as np
import pytest

from memory.access.access import device_access
from memory.access.context_files import ContextFiles
from tests.memory.erasure.conftest import OTHER, SECRET, left_in, remember, run, tokens

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


def test_whatever_case_spaces_and_signs_a_file_gives_it_it_goes(home, store, eraser):
    record = remember(store)
    folder, base = home / "data" / "sets", b64encode(b"so: " + SECRET.encode() + b", he said")
    folder.mkdir()
    said = {
        "upper.txt": SECRET.upper(), "wide.txt": SECRET.replace(" ", "\n  "), "page.html": html.escape(SECRET),
        "table.csv": SECRET.replace('"', '""'), "log.txt": f"GET /?q={quote(SECRET)}&p={quote_plus(SECRET)}",
        "mail.txt": base.decode(), "mail.jsonl": json.dumps({"body": base.decode()}),
    }  # fmt: skip
    for name, text in said.items():
        (folder / name).write_text(f"before {text} after" if name != "mail.jsonl" else text)
    (folder / "raw.dat").write_bytes(b"\xff\xfe\xfa" + SECRET.upper().encode() + b"\xff")
    (folder / "a.txt.zlib").write_bytes(zlib.compress(SECRET.upper().encode()))
    (folder / "b.txt.lzma").write_bytes(lzma.compress(SECRET.encode(), format=lzma.FORMAT_ALONE))
    receipt = eraser.forget([record.id])
    assert (receipt.left, receipt.complete) == ((), True)
    for name in said:
        kept = (folder / name).read_text()
        assert "uixzotl" not in kept.lower(), name
        assert name.startswith(("log", "mail")) or kept == "before [erased] after", (name, kept)
    assert base[8:40].decode() not in (folder / "mail.txt").read_text()
    assert (folder / "mail.jsonl").read_text() == ""
    assert b"UIXZOTL" not in (folder / "raw.dat").read_bytes()
    assert zlib.decompress((folder / "a.txt.zlib").read_bytes()) == b"[erased]"
    assert lzma.decompress((folder / "b.txt.lzma").read_bytes()) == b"[erased]"


def test_a_link_that_leads_elsewhere_is_named(home, store, eraser, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "notes.txt").write_text(SECRET)
    (home / "data" / "link").symlink_to(elsewhere, target_is_directory=True)
    (home / "data" / "near").symlink_to(home / "cache", target_is_directory=True)
    receipt = eraser.forget([remember(store).id])
    assert [(one.path, one.why) for one in receipt.opaque] == [
        (str(home / "data" / "link"), "a link that leads elsewhere: nobody looked there")]  # fmt: skip


def test_the_last_words_of_a_long_text_go_too(home, store, eraser):
    long = " ".join(f"something that was said on day {number}" for number in range(10)) + " and Quixzotl"
    record = remember(store, "A long talk", original=long)
    (home / "data" / "part.txt").write_text(long)
    assert eraser.forget([record.id]).complete
    assert "Quixzotl" not in (home / "data" / "part.txt").read_text()


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
