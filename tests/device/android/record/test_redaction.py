"""What is personal, by its form and by name; a picture is painted over where it stood."""

import io

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from device.android.record import Redaction
from device.android.record.redaction import PAINT, painted


def test_forms_are_found_and_dates_times_and_prices_stay():
    rules = Redaction()
    assert rules.text("write to a.b@example.org or +49 170 1234567") == "write to [email 1] or [number 1]"
    assert rules.text("Your code is 4711, PIN: 0815") == "Your code is [code 1], PIN: [code 2]"
    for kept in ("2026-11-30 09:30", "30.11.2026", "09:00", "$12.50", "80%", "Android 15", "1080 x 2400"):
        assert rules.text(kept) == kept


def test_equal_things_have_equal_placeholders():
    rules = Redaction(names=("Anna Keller", "Tom"))
    assert rules.text("Anna Keller met tom. ANNA KELLER left Anna.") == "[name 1] met [name 2]. [name 1] left [name 3]."
    assert rules.text("Tomorrow, Tom") == "Tomorrow, [name 2]"


def test_a_tree_says_which_boxes_showed_it():
    xml = (
        '<hierarchy><node bounds="[0,0][10,10]" text="Anna" /><node bounds="[0,10][10,20]" content-desc="x@y.org" />'
        '<node bounds="[0,20][10,30]" text="secret" password="true" />'
        '<node bounds="[0,30][10,40]" text="OK" /></hierarchy>'
    )
    clean, found, boxes = Redaction(names=("Anna",)).tree(xml, "1.xml")
    assert "Anna" not in clean and "x@y.org" not in clean and "secret" not in clean and 'text="OK"' in clean
    assert [(one.kind, one.where) for one in found] == [
        ("name", "1.xml text"),
        ("email", "1.xml content-desc"),
        ("password", "1.xml text"),
    ]
    assert boxes == [(0, 0, 10, 10), (0, 10, 10, 20), (0, 20, 10, 30)]


def test_boxes_are_painted_over():
    out = io.BytesIO()
    Image.new("RGB", (20, 20), (255, 255, 255)).save(out, "PNG")
    image = Image.open(io.BytesIO(painted(out.getvalue(), [(5, 5, 10, 10)])))
    assert (image.getpixel((5, 5)), image.getpixel((9, 9)), image.getpixel((10, 10))) == (PAINT, PAINT, (255, 255, 255))


@given(st.text(max_size=60), st.text(alphabet="abcdefgh", min_size=3, max_size=8))
def test_a_name_that_is_given_is_never_left_as_a_word(around, name):
    rules = Redaction(names=(name,), forms=False)
    assert name not in rules.text(f"{around} {name} {around}").split(" ")
