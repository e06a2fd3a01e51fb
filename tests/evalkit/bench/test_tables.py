import pytest

from evalkit.suites.bench.book import Page
from evalkit.suites.bench.lookups import Shelf
from evalkit.tables import data_file, data_files, read_table
from runtime.contract import SetupError

ENTRY = '[[one_call]]\nfamily = "x"\ntool = "manage_alarm"\nsubcategory = "alarms"\n'


def test_a_file_becomes_a_record():
    assert read_table("a.toml", ENTRY, Page).one_call[0].subcategory == "alarms"


@pytest.mark.parametrize(
    ("text", "model", "said"),
    [
        ("[[one_call", Page, r"^`phrases/a\.toml` is no TOML: "),
        (ENTRY.replace('tool = "manage_alarm"\n', ""), Page, r"^`phrases/a\.toml`, field `one_call\.0\.tool` is miss"),
        (ENTRY + "tarin = []\n", Page, r"field `one_call\.0\.tarin` is unknown"),
        (ENTRY.replace('"alarms"', '"a"'), Page, r"`one_call\.0\.subcategory` is 'a'; expected: String should have"),
        ('[[producer]]\nname = "p"\ntool = "t"\npath = "x"\ngives = []\ntrain = []\ndev = []\ntest = []\n', Shelf,
         r"`producer\.0\.gives`"),
    ],
)  # fmt: skip
def test_a_mistake_names_file_field_and_expectation(text, model, said):
    with pytest.raises(SetupError, match=said):
        read_table("phrases/a.toml", text, model)


def test_a_file_that_is_no_utf8_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr("evalkit.tables.files", lambda package: tmp_path)
    (tmp_path / "phrases").mkdir()
    for path in (tmp_path / "phrases" / "a.toml", tmp_path / "b.toml"):
        path.write_bytes(b"caf\xe9")
    with pytest.raises(SetupError, match=r"^`rooms/phrases/a\.toml` is no UTF-8: .* Write it as UTF-8\.$"):
        list(data_files("rooms", "phrases"))
    with pytest.raises(SetupError, match=r"^`rooms/b\.toml` is no UTF-8"):
        data_file("rooms", "b.toml")
