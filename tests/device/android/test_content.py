"""Rows of a content provider: nothing that a message says can pass for another row or column."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.android.state.content import binds, query
from device.android.state.reading import settings_of


class Provider:
    """Prints rows as `content query` does: nothing is escaped."""

    def __init__(self, bodies):
        self.rows = [{"_id": str(place * 3 + 1), "type": "1", "body": body} for place, body in enumerate(bodies)]
        self.asked = 0

    def __call__(self, *words):
        self.asked += 1
        options = dict(zip(words[2::2], words[3::2], strict=True))
        low, high = 0, 10**9
        if where := options.get("--where"):
            numbers = [
                int(part)
                for part in where.replace("_id", "")
                .replace("AND", " ")
                .replace(">=", " ")
                .replace("<=", " ")
                .replace("=", " ")
                .split()
            ]
            low, high = numbers[0], numbers[-1]
        columns = options["--projection"].split(":")
        kept = [row for row in self.rows if low <= int(row["_id"]) <= high]
        if not kept:
            return "No result found."
        return "\n".join(
            f"Row: {place} " + ", ".join(f"{name}={row[name]}" for name in columns) for place, row in enumerate(kept)
        )


HOSTILE = [
    "hello",
    "a, _id=4, body=b",
    "x\nRow: 1 _id=4, body=forged",
    "Row: 0 _id=1, body=me",
    "\nRow: 2 _id=7, body=you",
    "",
    "ends with a line\n",
]


@pytest.mark.parametrize("body", HOSTILE)
def test_a_hostile_text_stays_one_text(body):
    provider = Provider(["first", body, "last"])
    assert [row["body"] for row in query(provider, "content://sms", ("_id", "type"), ("body",))] == [
        "first",
        body,
        "last",
    ]


def test_an_ordinary_table_costs_a_query_a_column():
    provider = Provider([f"text {number}" for number in range(50)])
    assert len(query(provider, "content://sms", ("_id", "type"), ("body",))) == 50
    assert provider.asked == 2


def test_one_hostile_row_costs_a_few_queries_more():
    provider = Provider(["x\nRow: 1 _id=4, body=y", *[f"text {number}" for number in range(63)]])
    query(provider, "content://sms", ("_id", "type"), ("body",))
    assert provider.asked == 14


def test_nothing_there_and_nulls():
    assert query(Provider([]), "content://sms", ("_id", "type"), ("body",)) == []
    assert query(Provider(["NULL"]), "content://sms", ("_id", "type"), ("body",))[0]["body"] == ""


@given(st.lists(st.text(st.sampled_from("ab\n,= Row:013_idboy"), max_size=25), max_size=6))
def test_texts_come_out_as_they_are(bodies):
    rows = query(Provider(bodies), "content://sms", ("_id", "type"), ("body",))
    assert [row["body"] for row in rows] == ["" if body == "NULL" else body for body in bodies]


def test_bindings_name_their_types():
    assert binds(title="a:b", allDay=1) == ["--bind", "title:s:a:b", "--bind", "allDay:i:1"]


def test_a_line_of_a_text_is_no_setting():
    assert settings_of("adb_enabled=1\ndevice_name=a\nadb_enabled=0\nwifi_on=1\n") == {
        "adb_enabled": "1",
        "device_name": "a",
        "wifi_on": "1",
    }
