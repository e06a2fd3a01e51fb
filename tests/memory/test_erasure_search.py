"""Looking for byte sequences: many at once as one by one, in packed files, and the forms of a text."""

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memory.erasure.finder import MANY, Finder
from memory.erasure.needles import Needle, forms, id_needles, pieces, sequences
from memory.erasure.redact import Redactor, starts
from memory.erasure.scan import in_bytes, scan


def naive(data, needles):
    return {one for one in needles if one.data in data}


@given(st.data())
def test_many_are_found_as_one_by_one(data):
    some = data.draw(st.lists(st.binary(min_size=6, max_size=30), min_size=MANY + 1, max_size=MANY + 20, unique=True))
    needles = [Needle(str(number), "utf-8", one) for number, one in enumerate(some)]
    planted = data.draw(st.lists(st.sampled_from(some), max_size=5))
    filler = data.draw(st.lists(st.binary(max_size=40), min_size=6, max_size=6))
    text = b"".join(one + more for one, more in zip([b"", *planted], filler, strict=False))
    assert Finder(needles).found(text) == naive(text, needles)


def test_needles_that_begin_alike_and_lie_across_chunks(monkeypatch):
    monkeypatch.setattr("memory.erasure.finder.CHUNK", 16)
    needles = [Needle(str(number), "utf-8", f"The user said number {number:03d}.".encode()) for number in range(100)]
    text = b"x" * 11 + needles[7].data + b"y" * 3 + needles[93].data
    assert Finder(needles).found(text) == {needles[7], needles[93]}


def test_numbers_keep_to_their_borders():
    (needle,) = [one for one in id_needles("m", (12, 34, 56, 78)) if one.numbers]
    finder = Finder([needle])
    assert in_bytes(b"[12, 34,\n 56, 78]", finder) == {needle}
    assert in_bytes(b"[112,34,56,78]", finder) == set()
    assert in_bytes(b"[12,34,56,789]", finder) == set()
    generated = [{"id": one, "logprob": -0.5, "sampled_logprob": 0.0, "forced": False} for one in (9, 12, 34, 56, 78)]
    assert in_bytes(json.dumps(generated).encode(), finder) == {needle}


def test_the_forms_of_a_text():
    made = forms('say "é"')
    assert made["utf-8"] == 'say "é"'.encode()
    assert made["json-1"] == 'say \\"é\\"'.encode()
    assert made["json-2"] == 'say \\\\\\"é\\\\\\"'.encode()
    assert made["json-ascii-1"] == b'say \\"\\u00e9\\"'
    assert made["utf-16-le"] == 'say "é"'.encode("utf-16-le")
    assert set(forms("plain")) == {"utf-8", "utf-16-le", "utf-16-be"}


@given(st.text(min_size=200, max_size=2000))
def test_pieces_of_a_long_text_stand_in_it(text):
    assert all(piece in text for piece in pieces(text))


def test_half_of_a_long_text_has_a_piece():
    text = " ".join(f"word{number}" for number in range(100))
    assert any(piece in text[:200] for piece in pieces(text))
    assert any(piece in text[-200:] for piece in pieces(text))


def test_short_texts_are_not_looked_for():
    assert pieces("Tea") == []
    assert pieces("  ") == []
    assert pieces("default") == []
    assert pieces("Tea pot") == ["Tea pot"]
    assert pieces("QX4711") == ["QX4711"]
    assert pieces("喝茶") == ["喝茶"]


def test_token_ids_leave_out_what_hangs_on_neighbours():
    ids = {"abcdef": [1, 2, 3, 4, 5, 6], " abcdef": [9, 1, 2, 3, 4, 5, 6], "\nabcdef": [8, 1, 2, 3, 4, 5, 6]}
    assert sequences("abcdef", ids.__getitem__) == [(2, 3, 4, 5)]
    assert sequences("ab", lambda text: [1, 2, 3]) == []


def test_starts_of_a_sequence():
    assert starts(np.array([1, 1, 1, 2, 1, 1]), (1, 1)) == [0, 4]
    assert starts(np.array([1]), (1, 1)) == []


def test_a_redactor_knows_case_spaces_and_escapes():
    redactor = Redactor(['the "blue" pot'])
    assert redactor.text('Under The  "BLUE"\npot.') == "Under [erased]."
    assert redactor.text(json.dumps({"a": 'the "blue" pot'})) == '{"a": "[erased]"}'
    assert redactor.text("the blue pot") == "the blue pot"


@given(st.text(min_size=6, max_size=40).filter(lambda text: len(text.split()) > 0), st.integers(0, 3))
def test_a_text_is_found_and_taken_out_however_deep_it_is_escaped(text, depth):
    said = text
    for _ in range(depth):
        said = json.dumps(said)
    found = pieces(text)
    finder = Finder([Needle("m", form, data) for piece in found for form, data in forms(piece).items()])
    assert bool(found) == bool(finder.found(said.encode(errors="surrogatepass")))
    assert not any(piece in Redactor(found).text(said) for piece in found)


def test_links_are_not_followed_and_odd_files_do_no_harm(tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "outside.txt").write_text("secret words")
    (tmp_path / "home" / "link").symlink_to(tmp_path / "outside.txt")
    (tmp_path / "home" / "broken.gz").write_bytes(b"\x1f\x8bnot really")
    (tmp_path / "home" / "broken.zip").write_bytes(b"PK\x03\x04not really")
    (tmp_path / "home" / "broken.sqlite3").write_bytes(b"SQLite format 3\x00 secret words")
    (tmp_path / "home" / "empty").write_bytes(b"")
    seen = scan([tmp_path / "home"], [Needle("m", "utf-8", b"secret words")])
    assert [hit.path.name for hit in seen.hits] == ["broken.sqlite3"]
    assert sorted(path.name for path in seen.files) == ["broken.gz", "broken.sqlite3", "broken.zip", "empty"]
