"""Lists, notes, browser, sums, units, money, words, facts, news, stocks, chance and jokes."""

from typing import Any

import pytest

from device.sandbox.tools.utilities import address, list_name


def code(seen: Any) -> int:
    return int(seen.failure.status)


def test_item_is_added_to_the_list_that_is_meant(phone: Any) -> None:
    phone.call("manage_list", action="add", listName="my grocery list", item="butter")
    assert phone.diff_since_last_call() == {
        "list_items/item_011": {"id": "item_011", "list_name": "shopping", "item": "butter"}
    }


def test_item_twice_and_unknown_list(phone: Any) -> None:
    assert code(phone.call("manage_list", action="add", listName="shopping", item="Milk")) == 409
    assert code(phone.call("manage_list", action="add", listName="wedding", item="cake")) == 404


def test_list_arguments_are_asked_for(phone: Any) -> None:
    assert phone.call("manage_list", action="add", item="milk").failure.details == {
        "valid": ["shopping", "to-do", "packing"]
    }
    assert phone.call("manage_list", action="add", listName="shopping").failure.details == {"argument": "item"}
    assert phone.call("manage_list", action="create").failure.details == {"argument": "listName"}


def test_list_is_created_once(phone: Any) -> None:
    phone.call("manage_list", action="create", listName="the party list")
    assert phone.diff_since_last_call() == {"lists/list_004": {"id": "list_004", "name": "party"}}
    assert code(phone.call("manage_list", action="create", listName="party")) == 409


def test_list_is_read(phone: Any) -> None:
    assert phone.call("manage_list", action="query", listName="todo").data == {
        "listName": "to-do", "count": 3, "items": ["pay rent", "book a haircut", "fix the bike"]
    }  # fmt: skip
    assert phone.call("manage_list", action="query").data["count"] == 3
    assert phone.call("manage_list", action="query", item="eggs").data == {
        "found": [{"listName": "shopping", "item": "eggs"}]
    }


def test_item_is_removed_wherever_it_stands(phone: Any) -> None:
    phone.call("manage_list", action="remove", item="the eggs")
    assert list(phone.diff_since_last_call()) == ["list_items/item_002"]
    assert code(phone.call("manage_list", action="remove", item="eggs", listName="shopping")) == 404


def test_list_is_deleted_with_its_items(phone: Any) -> None:
    phone.call("manage_list", action="delete", listName="packing list")
    assert sorted(phone.diff_since_last_call()) == [
        "list_items/item_008", "list_items/item_009", "list_items/item_010", "lists/list_003"
    ]  # fmt: skip


def test_list_name_keeps_what_names_it() -> None:
    assert [list_name(said) for said in ("my grocery list", "The Party List", "to-do", "List")] == [
        "grocery", "Party", "to-do", "List"
    ]  # fmt: skip


def test_note_is_written_found_changed_and_deleted(phone: Any) -> None:
    phone.call("manage_note", action="create", content="Key is under the pot")
    assert phone.diff_since_last_call() == {
        "notes/note_004": {
            "id": "note_004",
            "content": "Key is under the pot",
            "title": "",
            "changed": "2026-03-02T09:00",
        }
    }
    found = phone.call("manage_note", action="query", content="pot").data
    assert [note["id"] for note in found["notes"]] == ["note_004"]
    phone.call("manage_note", action="update", title="gift ideas", content="A lamp for Mom")
    assert phone.diff_since_last_call()["notes/note_002"]["content"][1] == "A lamp for Mom"
    phone.call("manage_note", action="delete", title="my router note")
    assert list(phone.diff_since_last_call()) == ["notes/note_001"]


def test_note_errors(phone: Any) -> None:
    assert phone.call("manage_note", action="create", title="Idea").failure.details == {"argument": "content"}
    assert phone.call("manage_note", action="update", content="new").failure.details == {"argument": "title"}
    assert code(phone.call("manage_note", action="delete", title="taxes")) == 404


def test_browser_opens_searches_and_bookmarks(phone: Any) -> None:
    assert (
        phone.call("browser_service", action="open", url="wikipedia dot org").data["tab"]["url"]
        == "https://wikipedia.org"
    )
    assert (
        phone.call("browser_service", action="open", query="bike forum").data["tab"]["url"]
        == "https://bikes.example.com"
    )
    found = phone.call("browser_service", action="search", query="vegan brownies").data["tab"]
    assert found["url"] == "https://search.example.com/?q=vegan+brownies"
    assert phone.call("browser_service", action="bookmark", query="Brownies").data["bookmark"]["title"] == "Brownies"


def test_browser_errors(phone: Any) -> None:
    assert code(phone.call("browser_service", action="bookmark")) == 409
    assert phone.call("browser_service", action="search").failure.details == {"argument": "query"}
    assert code(phone.call("browser_service", action="open", url="the good place")) == 404
    phone.call("manage_airplane_mode", action="enable")
    assert code(phone.call("browser_service", action="open", url="wikipedia.org")) == 409


def test_addresses() -> None:
    assert address("https://Example.com/a?b=1") == "https://example.com/a?b=1"
    assert address("bike forum") is None


@pytest.mark.parametrize(
    ("said", "normal", "result"),
    [
        ("12 times 7", "12 * 7", 84),
        ("15 percent of 80", "15 / 100 * 80", 12),
        ("what is twelve plus thirty-five", "12 + 35", 47),
        ("0.1+0.2", "0.1 + 0.2", 0.3),
        ("square root of 144", "sqrt(144)", 12),
        ("20% off 50", "50 * (1 - 20 / 100)", 40),
        ("200 plus 15 percent", "200 * (1 + 15 / 100)", 230),
        ("subtract 5 from 20", "20 - 5", 15),
        ("1,250 x 3", "1250 * 3", 3750),
        ("10 / 4", "10 / 4", 2.5),
        ("7 % 4", "7 % 4", 3),
        ("2^10", "2 ** 10", 1024),
        ("5!", "factorial(5)", 120),
        ("(3 + 4) * 2", "(3 + 4) * 2", 14),
    ],
)
def test_sums(phone: Any, said: str, normal: str, result: float) -> None:
    seen = phone.call("calculate_expression", expression=said).data
    assert seen == {
        "success": True,
        "expression": said,
        "normalizedExpression": normal,
        "result": result,
        "precision": 6,
    }


def test_precision_of_a_sum(phone: Any) -> None:
    assert phone.call("calculate_expression", expression="2 / 3", precision=2).data["result"] == 0.67
    assert code(phone.call("calculate_expression", expression="2 / 3", precision=40)) == 400


@pytest.mark.parametrize(
    "said", ["10 / 0", "sqrt(0-4)", "hello", "__import__('os')", "9 ** 99", "9 ** 999 ** 9", "1 +", "2 + x" * 90]
)
def test_what_is_no_sum_is_refused(phone: Any, said: str) -> None:
    assert code(phone.call("calculate_expression", expression=said)) == 400


@pytest.mark.parametrize(
    ("value", "source", "target", "result"),
    [
        (10, "miles", "km", 16.09344),
        (350, "fahrenheit", "degrees Celsius", 176.666667),
        (None, "pound", "ounces", 16.0),
        ("two", "cups", "ounces", 16.0),
        (70, "kilos", "lbs", 154.323584),
        (1.5, "hours", "minutes", 90.0),
        (100, "km/h", "mph", 62.1371192),
    ],
)
def test_units(phone: Any, value: object, source: str, target: str, result: float) -> None:
    given = {"fromUnit": source, "toUnit": target} | ({} if value is None else {"value": value})
    assert phone.call("convert_unit", **given).data["result"] == result


def test_unit_errors_say_what_is_valid(phone: Any) -> None:
    seen = phone.call("convert_unit", value=1, fromUnit="kg", toUnit="meters")
    assert (code(seen), seen.failure.details["valid"][:2]) == (400, ["grams", "kilograms"])
    assert "length" in phone.call("convert_unit", value=1, fromUnit="furlongs", toUnit="m").failure.details["valid"]
    assert phone.call("convert_unit", value=1, fromUnit="kg").failure.details == {"argument": "toUnit"}


def test_currencies(phone: Any) -> None:
    assert phone.call("convert_currency", amount=50, fromCurrency="euros", toCurrency="bucks").data == {
        "amount": 50.0,
        "fromCurrency": "EUR",
        "toCurrency": "USD",
        "result": 55.56,
        "rate": 1.11111,
        "rateDate": "2026-03-02",
    }
    assert phone.call("convert_currency", amount=2, toCurrency="japanese yen").data["result"] == 300.0


def test_currency_errors(phone: Any) -> None:
    assert phone.call("convert_currency", amount=5).failure.details == {"argument": "fromCurrency"}
    seen = phone.call("convert_currency", amount=5, fromCurrency="clams", toCurrency="USD")
    assert (code(seen), "EUR" in seen.failure.details["valid"]) == (400, True)


def test_translation(phone: Any) -> None:
    assert (
        phone.call("text_translate", text="Thank you!", targetLanguage="Japanese").data["translation"]
        == "ありがとうございます"
    )
    assert (
        phone.call("text_translate", text="guten Abend", sourceLanguage="German").data["translation"] == "good evening"
    )
    assert phone.call("text_translate", text="the ferry is late", targetLanguage="french").data["found"] is False


def test_translation_errors(phone: Any) -> None:
    assert phone.call("text_translate", targetLanguage="French").failure.details == {"argument": "text"}
    assert phone.call("text_translate", text="hello").failure.details == {"argument": "targetLanguage"}
    assert code(phone.call("text_translate", text="hello", targetLanguage="Klingon")) == 400


def test_dictionary(phone: Any) -> None:
    seen = phone.call("dictionary_lookup", kind="definition", word="Frugal").data
    assert (seen["partOfSpeech"], seen["definition"]) == ("adjective", "careful with money and not wasteful")
    assert phone.call("dictionary_lookup", kind="spelling", word="rhythm").data["spelling"] == "R-H-Y-T-H-M"
    assert phone.call("dictionary_lookup", kind="definition", word="blorf").data["found"] is False
    assert phone.call("dictionary_lookup", kind="definition").failure.details == {"argument": "word"}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What's the capital of Peru?", "Lima"),
        ("who wrote The Lord of the Rings", "J. R. R. Tolkien"),
        ("when was Einstein born", "14 March 1879"),
        ("how many moons does Mars have", "2"),
        ("what year did World War II end", "1945"),
        ("how tall is Mount Everest", "8,849 meters (29,032 feet)"),
        ("which is the largest planet", "Jupiter"),
        ("what is the official language of Brazil", "Portuguese"),
        ("when did the Berlin Wall fall", "1989 (it fell on 9 November)"),
        ("how far away is the moon", "about 384,400 kilometers from Earth"),
    ],
)
def test_questions_of_fact(phone: Any, question: str, answer: str) -> None:
    assert phone.call("general_qa_agent", query=question).data == {"query": question, "found": True, "answer": answer}


def test_unknown_facts_are_not_invented(phone: Any) -> None:
    for question in (
        "who will win the election",
        "how tall is my neighbor",
        "what is the capital of Narnia",
        "what is the largest animal in Africa",
        "when was the Titanic built",
    ):
        assert phone.call("general_qa_agent", query=question).data["found"] is False
    assert code(phone.call("general_qa_agent", query="Peru")) == 400


def test_news_replay_and_name_their_source(phone: Any) -> None:
    seen = phone.call("search_news", topic="tech", source="the Ledger").data
    assert (seen["count"], {article["source"] for article in seen["articles"]}) == (3, {"The Daily Ledger"})
    assert phone.call("search_news", topic="tech", source="the Ledger").data == seen
    assert "Boston" in phone.call("search_news", location="Boston", date="yesterday").data["articles"][0]["title"]


def test_news_errors(phone: Any) -> None:
    assert code(phone.call("search_news", source="Martian Times")) == 404
    assert code(phone.call("search_news", date="tomorrow")) == 400
    phone.call("manage_airplane_mode", action="enable")
    assert code(phone.call("search_news")) == 409


def test_stock_of_a_weekend_is_that_of_friday(phone: Any) -> None:
    sunday = phone.call("query_stock", company="Apple", date="yesterday").data
    friday = phone.call("query_stock", company="AAPL stock", date="2026-02-27").data
    assert sunday == friday
    assert (friday["date"], friday["symbol"]) == ("2026-02-27", "AAPL")
    assert 201.6 <= friday["price"] <= 218.4


def test_stock_market_and_errors(phone: Any) -> None:
    assert [index["symbol"] for index in phone.call("query_stock").data["indices"]] == ["DJI", "SPX", "IXIC"]
    assert code(phone.call("query_stock", company="Acme Anvils")) == 404
    assert code(phone.call("query_stock", company="Apple", date="tomorrow")) == 400


def test_chance(phone: Any) -> None:
    rolled = phone.call("generate_random", kind="dice", count=2).data
    assert rolled["total"] == sum(rolled["results"])
    assert all(1 <= face <= 6 for face in rolled["results"])
    assert phone.call("generate_random", kind="coin").data["results"][0] in ("heads", "tails")
    assert phone.call("generate_random", kind="number", sides=1).failure.details == {"argument": "sides"}
    assert code(phone.call("generate_random", kind="dice", count=100)) == 400


def test_jokes(phone: Any) -> None:
    assert (
        phone.call("tell_joke", kind="joke", topic="space").data["text"]
        == "How do you throw a party in space? You planet."
    )
    assert code(phone.call("tell_joke", kind="fun_fact", topic="plumbing")) == 404
