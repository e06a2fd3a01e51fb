"""Which contact a spoken name means."""

from device.spoken import match_contact

NAMES = [
    "Mum",
    "Anna Klein",
    "Annabel Lee",
    "Robert Stevens",
    "José Díaz",
    "Mary Smith",
    "Mary Klein",
    "Dr. Jane Smith",
]


def test_none_one_and_several_are_told_apart():
    assert match_contact("zoe", NAMES) == []
    assert match_contact("", NAMES) == []
    assert match_contact("anna", NAMES) == ["Anna Klein"]
    assert match_contact("mary", NAMES) == ["Mary Smith", "Mary Klein"]


def test_a_full_name_decides_before_a_part():
    assert match_contact("mary smith", NAMES) == ["Mary Smith"]
    assert match_contact("ann", ["Ann", "Ann Lee"]) == ["Ann"]


def test_case_possessives_accents_and_initials():
    assert match_contact("ANNA'S", NAMES) == ["Anna Klein"]
    assert match_contact("jose diaz", NAMES) == ["José Díaz"]
    assert match_contact("mary k.", NAMES) == ["Mary Klein"]
    assert match_contact("my mum", NAMES) == ["Mum"]


def test_short_forms_and_kin():
    assert match_contact("bob", NAMES) == ["Robert Stevens"]
    assert match_contact("bob stevens", NAMES) == ["Robert Stevens"]
    assert match_contact("my mom", NAMES) == ["Mum"]
    assert match_contact("robert", ["Bob Lee"]) == ["Bob Lee"]


def test_titles():
    assert match_contact("doctor smith", ["Jane Smith", "Anna Klein"]) == ["Jane Smith"]


def test_a_slip_finds_but_a_short_word_must_be_equal():
    assert match_contact("stevans", NAMES) == ["Robert Stevens"]
    assert match_contact("mud", NAMES) == []


def test_known_names_are_no_slips_of_each_other():
    assert match_contact("grandpa", ["Grandma", "Grandpa Joe"]) == ["Grandpa Joe"]
    assert match_contact("grandpa", ["Grandma"]) == []
