"""The instructions are data under a schema."""

import pytest

from runtime.contract import Domain, SetupError, UserError
from runtime.eta import FOLDER, DomainEta, load_eta, shipped
from runtime.eta.book import EtaBook


@pytest.mark.parametrize("path", shipped().values(), ids=lambda path: path.stem)
def test_every_file_holds_the_schema_and_its_own_name(path):
    assert load_eta(path.stem).name == path.stem


def test_the_general_instructions():
    assert load_eta("general").text == (
        "You act on a phone. Call one tool at a time, with values as the user said them. If something needed is "
        "missing, ask. If no tool fits, refuse. When all is done, finish with a short answer."
    )


def test_a_change_changes_the_digest(tmp_path):
    text = (FOLDER / "general.toml").read_text()
    (tmp_path / "general.toml").write_text(text.replace("short answer", "brief answer"))
    assert load_eta("general", tmp_path).digest != load_eta("general").digest


def test_an_unknown_name():
    with pytest.raises(UserError, match=r"no instructions `generl`. Set `context.eta` to one of `explicit`, `general`"):
        load_eta("generl")


@pytest.mark.parametrize(
    "text",
    ["name = ", 'name = "x"\nversion = 1\n', 'name = "x"\nversion = 1\nextra = 2\n[components]\na = "b"\n'],
)
def test_a_file_that_breaks_the_schema(tmp_path, text):
    (tmp_path / "x.toml").write_text(text)
    with pytest.raises(SetupError, match="can't be read"):
        load_eta("x", tmp_path)


def test_instructions_that_every_episode_would_pay_for(tmp_path):
    (tmp_path / "x.toml").write_text('name = "x"\nversion = 1\n[components]\na = "' + "b" * 601 + '"\n')
    with pytest.raises(SetupError, match="601 characters; the limit is 600"):
        load_eta("x", tmp_path)


def test_an_unknown_field_is_named_with_its_file(tmp_path):
    (tmp_path / "x.toml").write_text('name = "x"\nversion = 1\nextra = 2\n[components]\na = "b"\n')
    with pytest.raises(SetupError, match=r"x.toml` can't be read: field `extra`: extra inputs are not permitted"):
        load_eta("x", tmp_path)


def test_there_are_instructions_for_every_domain():
    domains = [eta for name in shipped() if isinstance(eta := load_eta(name), DomainEta)]
    assert {eta.domain for eta in domains} == set(Domain) and len(domains) == 13
    assert len({eta.text for eta in domains}) == 13


@pytest.fixture
def book(tmp_path):
    return EtaBook(tmp_path / "eta")


def revision(tmp_path, version=2, text="Ask early.", name="general", more=""):
    path = tmp_path / f"{name}_{version}.toml"
    path.write_text(f'name = "{name}"\nversion = {version}\n{more}[components]\nmissing = "{text}"\n')
    return path


def test_what_is_shipped_serves_until_a_revision_is_kept(book, tmp_path):
    assert book.current("general") == load_eta("general") and book.log("general") == []
    book.revise(revision(tmp_path), "general", why="asks earlier")
    assert (book.current("general").version, book.current("general").text) == (2, "Ask early.")
    assert load_eta("general").version == 1  # what is shipped is never edited
    (deed,) = book.log("general")
    assert (deed.did, deed.before, deed.version, deed.why) == ("revise", 1, 2, "asks earlier")


def test_a_rollback_lets_an_earlier_version_serve_and_deletes_none(book, tmp_path):
    book.revise(revision(tmp_path, 2), "general")
    book.revise(revision(tmp_path, 3, "Ask late."), "general")
    assert book.rollback("general").version == 2
    assert book.rollback("general", to=1).text == load_eta("general").text
    assert sorted(book.versions("general")) == [1, 2, 3]
    assert [(deed.did, deed.version) for deed in book.log("general")] == [
        ("revise", 2), ("revise", 3), ("rollback", 2), ("rollback", 1),
    ]  # fmt: skip
    book.revise(revision(tmp_path, 4, "Ask."), "general")
    assert EtaBook(tmp_path / "eta").current("general").version == 4


@pytest.mark.parametrize(
    ("version", "text", "message"),
    [
        (1, "New.", "version 1; the next one of `general` is 2"),
        (3, "New.", "version 3; the next one of `general` is 2"),
    ],
)
def test_a_revision_with_a_wrong_number(book, tmp_path, version, text, message):
    with pytest.raises(UserError, match=message):
        book.revise(revision(tmp_path, version, text), "general")
    assert book.log("general") == []


def test_a_revision_that_is_none_or_breaks_the_schema(book, tmp_path):
    book.revise(revision(tmp_path, 2), "general")
    with pytest.raises(UserError, match="says what version 2"):
        book.revise(revision(tmp_path, 3), "general")
    with pytest.raises(SetupError, match="field `extra`"):
        book.revise(revision(tmp_path, 3, "New.", more="extra = 1\n"), "general")
    with pytest.raises(SetupError, match="601 characters"):
        book.revise(revision(tmp_path, 3, "x" * 601), "general")
    with pytest.raises(UserError, match="another domain"):
        book.revise(revision(tmp_path, 2, "New.", "time"), "time")
    assert book.current("general").version == 2


def test_a_version_that_was_edited_afterwards_does_not_serve(book, tmp_path):
    book.revise(revision(tmp_path), "general")
    kept = tmp_path / "eta" / "general" / "v0002.toml"
    kept.write_text(kept.read_text().replace("early", "never"))
    with pytest.raises(SetupError, match=r"is not what was kept as version 2 .* `pocket eta rollback general --to 1`"):
        book.current("general")
    assert book.rollback("general", to=1).version == 1
    assert book.current("general").version == 1


def test_nothing_to_go_back_to(book):
    with pytest.raises(UserError, match="never revised: version 1 is what is shipped"):
        book.rollback("general")
    with pytest.raises(UserError, match=r"has no version 7\. There are: 1"):
        book.rollback("general", to=7)
    with pytest.raises(UserError, match="version 1 of `general` serves already"):
        book.rollback("general", to=1)


def test_a_damaged_log_names_its_line(book, tmp_path):
    book.revise(revision(tmp_path), "general")
    log = tmp_path / "eta" / "general" / "log.jsonl"
    log.write_text(log.read_text() + '{"at": "now"}\n')
    with pytest.raises(SetupError, match=r"log.jsonl` line 2: field `did`"):
        book.current("general")
