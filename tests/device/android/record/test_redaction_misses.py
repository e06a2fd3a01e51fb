"""What a redaction must not miss: numbers as they are written, names inside words, passwords that are shown."""

import io

import pytest
from PIL import Image

from device.android.record import Redaction
from device.android.record.redaction import EVERYWHERE, PAINT, painted


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("+1 (555) 123-4567", "[number 1]"),
        ("+49\u00a0170\u00a01234567", "[number 1]"),
        ("\u202a+49 170 1234567\u202c", "\u202a[number 1]\u202c"),
        ("+49 170\u20111234\u2011567", "[number 1]"),
        ("030 / 1234567", "[number 1]"),
        ("Tel:0301234567", "Tel:[number 1]"),
        ("Tel.0301234567", "Tel.[number 1]"),
        ("0301234567: missed call", "[number 1]: missed call"),
        ("0301234567/work", "[number 1]/work"),
        ("电话0301234567号", "电话[number 1]号"),
        ("4111111111111111", "[number 1]"),
        ("4111 1111 1111 1111", "[number 1]"),
        ("DE89 3704 0044 0532 0130 00", "DE89 [number 1]"),
        ("123456 is your Google verification code", "[code 1] is your Google verification code"),
        ("o'brien@example.org", "[email 1]"),
        ("anna%40home@example", "[email 1]"),
    ],
)
def test_forms_as_people_write_them(said, left):
    assert Redaction().text(said) == left


def test_times_and_versions_stay():
    for kept in (
        "2026-11-30T09:30", "Mon 30.11.2026 09:30", "10:30 - 11:45", "1.2.3", "IMG_20261130_101530.jpg", "100%",
        "v15.0.1", "3 of 12", "2026", "08:15, 12 min",
    ):  # fmt: skip
        assert Redaction().text(kept) == kept


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("AnnaKeller", "[name 1]"),
        ("@anna.keller2", "@[name 1]2"),
        ("IMG_Anna.jpg", "IMG_[name 1].jpg"),
        ("#KellerFamily", "#[name 1]Family"),
        ("Annas Handy, Anna's phone", "[name 1]s Handy, [name 1]'s phone"),
        ("Tomás, Toma\u0301s, TOMAS", "[name 1], [name 1], [name 1]"),
        ("给王伟打电话", "给[name 1]打电话"),
        ("Annex, Tomaten", "Annex, Tomaten"),
    ],
)
def test_names_inside_words_and_other_spellings(said, left):
    assert (
        Redaction(names=("Anna Keller", "Tomas", "王伟"), forms=False).text(said).replace("[name 2]", "[name 1]")
        == left
    )


def test_a_name_that_is_none_takes_nothing_out():
    for names in (("",), (" ",), ("", "?"), ("5",)):
        assert Redaction(names=names, texts=("", " ")).text("Call 5 people?") == "Call 5 people?"


def test_a_name_that_is_a_word_of_a_placeholder_leaves_it_alone():
    assert Redaction(names=("Email Code", "Nam")).text("a@b.org, code 4711") == "[email 1], [name 1] [code 1]"


def test_a_text_is_found_with_other_blanks():
    assert Redaction(texts=("Main Street 5",)).text("at MAIN\u00a0 Street\n5.") == "at [text 1]."


def test_numbers_of_an_earlier_redaction_are_not_given_again():
    assert Redaction(names=("Tom",), taken={"name": 2}).text("[name 1] met Tom") == "[name 1] met [name 3]"


def test_a_text_of_a_million_letters_is_redacted():
    assert Redaction(names=("Anna",)).text("a" * 1_000_000 + "@") == "a" * 1_000_000 + "@"


def test_every_attribute_that_may_say_something_is_read():
    xml = (
        '<hierarchy rotation="0"><android.view.View class="a.Anna" package="com.anna" resource-id="a:id/anna" '
        'bounds="[0,0][10,10]" state-description="Anna" extras="by Anna" pane-title="Anna" title="Anna" /></hierarchy>'
    )
    clean, found, _ = Redaction(names=("Anna",)).tree(xml)
    assert len(found) == 4
    assert clean.count("[name 1]") == 4
    assert 'class="a.Anna" package="com.anna" resource-id="a:id/anna"' in clean


def test_a_password_that_is_shown_is_one():
    def left(**more):
        given = {"class": "android.widget.EditText", "text": "hunter2", "bounds": "[0,0][9,9]", **more}
        words = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in given.items())
        return 'text=""' in Redaction().tree(f"<hierarchy><node {words}/></hierarchy>")[0]

    assert left(password="true") and left(resource_id="a:id/login_password") and left(hint="Enter PIN")
    assert not left(hint="Spinning class") and not left(hint="Name")
    assert not left(text="Password", hint="Password")


def test_a_box_that_is_missing_is_everywhere_and_one_that_is_empty_nowhere():
    nodes = "".join(f'<node text="Anna" bounds="{box}"/>' for box in ("", "[0,9][9,0]", "[5,5][5,9]", "[1,1][2,2]"))
    _, _, boxes = Redaction(names=("Anna",)).tree(f"<hierarchy>{nodes}</hierarchy>")
    assert boxes == [EVERYWHERE, (1, 1, 2, 2)]
    out = io.BytesIO()
    Image.new("RGB", (20, 20), (255, 255, 255)).save(out, "PNG")
    image = Image.open(io.BytesIO(painted(out.getvalue(), boxes)))
    assert {image.getpixel((0, 0)), image.getpixel((19, 19))} == {PAINT}
