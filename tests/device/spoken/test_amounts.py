"""Numbers, percentages, amounts, money and phone numbers."""

from decimal import Decimal

import pytest

from device.spoken import (
    Unreadable,
    read_amount,
    read_currency,
    read_money,
    read_number,
    read_percent,
    read_phone_number,
)

NUMBERS = {
    "twenty five": "25", "twenty-five": "25", "1,200": "1200", "1,234,567.5": "1234567.5", "two and a half": "2.5",
    "a dozen": "12", "two dozen": "24", "twelve hundred": "1200", "a hundred": "100", "three point five": "3.5",
    "one hundred and twenty": "120", "two thousand and seventeen": "2017", "3 million": "3000000", "minus five": "-5",
    "-5": "-5", "1/2": "0.5", "5k": "5000", "007": "7", "one point oh five": "1.05",
}  # fmt: skip


@pytest.mark.parametrize(("said", "value"), NUMBERS.items())
def test_read_number(said, value):
    assert read_number(said) == Decimal(value)


@pytest.mark.parametrize(
    "said", ["", "many", "a little more", "twenty degrees", "fifty percent", "seven eleven", "1/0", "."]
)
def test_no_number(said):
    with pytest.raises(Unreadable):
        read_number(said)


AMOUNTS = {
    "fifty percent": (50, "%"), "50%": (50, "%"), "half": (50, "%"), "to max": (100, "%"),
    "20 degrees": (20, "degrees"), "$20": (20, "USD"), "two dozen eggs": (24, "eggs"), "by ten": (10, None),
    "a cup": (1, "cup"),
}  # fmt: skip


@pytest.mark.parametrize(("said", "amount"), AMOUNTS.items())
def test_read_amount(said, amount):
    assert read_amount(said) == amount


@pytest.mark.parametrize("said", ["", "a little", "a bit more", "a few", "some", "louder"])
def test_no_amount(said):
    with pytest.raises(Unreadable):
        read_amount(said)


def test_read_percent():
    assert [read_percent(said) for said in ("fifty percent", "50", "half", "lowest level", "a quarter")] == [
        50,
        50,
        50,
        0,
        25,
    ]
    assert read_percent(30) == 30
    for said in ("150", "-1", "twenty degrees", "a lot"):
        with pytest.raises(Unreadable):
            read_percent(said)


MONEY = {
    "$20": ("20", "USD"), "20 bucks": ("20", "USD"), "€12.50": ("12.5", "EUR"), "1,200 USD": ("1200", "USD"),
    "USD 5": ("5", "USD"), "twenty five us dollars": ("25", "USD"), "20 pounds": ("20", "GBP"),
    "100 yen": ("100", "JPY"),
    "five dollars and twenty cents": ("5.2", "USD"), "50 cents": ("0.5", "USD"), "$5k": ("5000", "USD"),
    "ten canadian dollars": ("10", "CAD"), "a hundred indian rupees": ("100", "INR"),
}  # fmt: skip


@pytest.mark.parametrize(("said", "money"), MONEY.items())
def test_read_money(said, money):
    assert read_money(said) == (Decimal(money[0]), money[1])


@pytest.mark.parametrize("said", ["20", "3 pesos", "-5 dollars", "dollars", "$20 euros", "lunch money"])
def test_no_money(said):
    with pytest.raises(Unreadable):
        read_money(said)


def test_a_default_currency_serves_a_bare_number():
    assert read_money("20", default="EUR") == (20, "EUR")


def test_read_currency():
    names = ["us dollars", "u. s. d.", "euros", "inr", "$", "yens", "peso", "dablune", ""]
    assert [read_currency(name) for name in names] == ["USD", "USD", "EUR", "INR", "USD", "JPY", None, None, None]


PHONES = {
    "+1 (555) 010-2000": "+15550102000", "555-0102": "5550102", "five five five oh one oh two": "5550102",
    "double five five oh one two three": "5550123", "plus four four twenty seven": "+4427", "nine one one": "911",
    "eight hundred five five five twelve twelve": "8005551212",
}  # fmt: skip


@pytest.mark.parametrize(("said", "number"), PHONES.items())
def test_read_phone_number(said, number):
    assert read_phone_number(said) == number
    assert read_phone_number(number) == number


@pytest.mark.parametrize("said", ["", "12", "1" * 16, "call mum", "555 0102 extension 7", "double"])
def test_no_phone_number(said):
    with pytest.raises(Unreadable):
        read_phone_number(said)
